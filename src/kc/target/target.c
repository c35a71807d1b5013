/* target.c: what code is generated for: LLVM's target machine, and what of it passes go by.
 *
 * In: the request's processor, or the host's. Out: struct target, target machines, modules with the target's triple and
 * layout. All that passes know of a processor is asked here: another architecture begins with this file. What is bound
 * to x86-64 besides: in the compiler emit/shared_object.c (relocations), post/large_blocks.c (tuning),
 * post/reciprocals.c (the estimates), post/scales.c, post/dot.c (products), vector/window.c (permutes), driver/sandbox.c (arch_prctl)
 * and main.c's help; in base cpu.c and env.c (names of processors); in the runtime compiler.c (cpuid in cache keys),
 * device_info.c, elf.c (relocations), fault.c (registers), scheduler.h (pause), sched.c (MXCSR); lib/cl/tool.c (the
 * library's layout).
 */
#include "target.h"
#include <stdlib.h>
#include <string.h>

/* NULL: the host's. */
static const char *wanted_cpu(struct job *job) {
    const char *cpu = job->request ? job->request->cpu : NULL;
    if (!cpu || !*cpu)
        return NULL;
    if (!env_is_cpu(cpu)) /* LLVM would only print a warning */
        job_fail(job, ANSWER_COMPILER_FAILED, "unknown CPU '%s'", cpu);
    return cpu;
}

/* What has_feature is asked for: LLVM implies it, but doesn't say so. */
static const char *features_of(const char *cpu) {
    return !strcmp(cpu, "x86-64-v4")   ? "+avx2,+f16c,+avx512vl"
           : !strcmp(cpu, "x86-64-v3") ? "+avx2,+f16c"
                                       : "";
}

/* What fewer passes make of a kernel is also generated with fewer. */
static LLVMCodeGenOptLevel level_of(const struct job *job) {
    static const LLVMCodeGenOptLevel levels[] = {
        [EFFORT_FULL] = LLVMCodeGenLevelAggressive,
        [EFFORT_LESS] = LLVMCodeGenLevelLess,
        [EFFORT_LEAST] = LLVMCodeGenLevelNone,
    };
    return levels[job->request ? job->request->effort : EFFORT_FULL];
}

static LLVMTargetMachineRef make_machine(struct job *job, LLVMRelocMode mode) {
    LLVMTargetRef target;
    char *triple = LLVMGetDefaultTargetTriple(), *error;
    const char *cpu = wanted_cpu(job);
    if (LLVMGetTargetFromTriple(triple, &target, &error))
        job_fail(job, ANSWER_COMPILER_FAILED, "no code generator for this machine: %s", error);
    LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
    LLVMTargetMachineOptionsSetCPU(options, cpu ? cpu : LLVMGetHostCPUName());
    LLVMTargetMachineOptionsSetFeatures(options, cpu ? features_of(cpu) : LLVMGetHostCPUFeatures());
    LLVMTargetMachineOptionsSetCodeGenOptLevel(options, level_of(job));
    LLVMTargetMachineOptionsSetRelocMode(options, mode);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(target, triple, options);
    LLVMDisposeTargetMachineOptions(options);
    return machine;
}

/* Making one takes a fourteenth of a small kernel's time: kept for further requests are the host's with full effort, and
 * what another request had last. */
struct machines {
    LLVMTargetMachineRef host, other;
    LLVMCodeGenOptLevel level; /* of the other one; */
    char *cpu;                 /* NULL: the host's */
};

static LLVMTargetMachineRef find_machine(struct job *job, LLVMRelocMode mode, struct machines *m) {
    const char *cpu = wanted_cpu(job);
    LLVMCodeGenOptLevel level = level_of(job);
    if (!cpu && level == LLVMCodeGenLevelAggressive)
        return m->host = m->host ? m->host : make_machine(job, mode);
    if (m->other && m->level == level && (cpu && m->cpu ? !strcmp(cpu, m->cpu) : cpu == m->cpu))
        return m->other;
    LLVMTargetMachineRef machine = make_machine(job, mode);
    if (m->other)
        LLVMDisposeTargetMachine(m->other);
    free(m->cpu);
    *m =
        (struct machines){.host = m->host, .other = machine, .level = level, .cpu = cpu ? strdup(cpu) : NULL};
    if (cpu && !m->cpu)
        job_no_memory();
    return machine;
}

LLVMTargetMachineRef target_machine(struct job *job) {
    static struct machines machines;
    return find_machine(job, LLVMRelocPIC, &machines);
}

LLVMTargetMachineRef target_optimizer(struct job *job) {
    static struct machines machines;
    return find_machine(job, LLVMRelocStatic, &machines);
}

static bool has_feature(struct job *job, const char *feature) {
    char *features = LLVMGetTargetMachineFeatureString(target_machine(job));
    const char *at = strstr(features, feature);
    size_t n = strlen(feature);
    while (at && at[n] && at[n] != ',') {
        at = strstr(at + 1, feature);
    }
    LLVMDisposeMessage(features);
    return at != NULL;
}

/* Which of AMD's processors it is, as LLVM counts them; 0: none of them. */
static unsigned zen_generation(struct job *job) {
    char *name = wanted_cpu(job) ? NULL : LLVMGetHostCPUName();
    unsigned generation = name && !strncmp(name, "znver", 5) ? (unsigned)(name[5] - '0') : 0;
    LLVMDisposeMessage(name);
    return generation;
}

uint64_t target_registers_of(const struct target *t, LLVMTargetDataRef layout, LLVMTypeRef type,
                             uint32_t lanes) {
    uint64_t n = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        n = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    uint64_t bits = LLVMTypeIsSized(type) ? LLVMSizeOfTypeInBits(layout, type) : 1;
    return n * target_registers(t, bits * lanes);
}

/* Measured on each: gathers and scatters of 16 elements of 32 bits, sums and logical operations among others. */
static void know_speeds(struct target *t, unsigned zen) {
    enum {
        WITH_HALVES = 4,
        WHOLE = 5
    }; /* which does operations on 512 bits in two halves, and which at once */
    t->has_halves = t->has_scatter && zen && zen <= WITH_HALVES;
    t->has_slow_gather = zen;
    t->gather = !zen ? 0.8 : zen >= WHOLE ? 1.2 : 1.1;
    t->scatter = !t->has_scatter || t->has_halves ? 2.5 : zen ? 1.1 : 1.2;
    t->vector_op = t->has_halves ? 0.8 : zen >= WHOLE && t->has_scatter ? 0.4 : 0.5;
    t->gather_latency = t->has_slow_gather ? 45 : 30; /* lanes taken out of a vector, and put into one */
    t->vector_latency = zen >= WHOLE ? 2 : 1;
}

const struct target *target_find(struct job *job) {
    struct target *t = job_alloc(sizeof *t);
    bool avx512 = has_feature(job, "+avx512vl");
    t->vector_bits = avx512 ? 512 : has_feature(job, "+avx2") ? 256 : 128;
    t->vector_registers = avx512 ? 32 : 16;
    t->has_mask_registers = avx512;
    t->has_scatter = avx512;
    t->converts_half = has_feature(job, "+f16c");
    t->computes_half = has_feature(job, "+avx512fp16");
    t->estimates_reciprocals = t->scales = avx512;
    know_speeds(t, zen_generation(job));
    t->sums_products = has_feature(job, avx512 ? "+avx512vnni" : "+avxvnni");
    return t;
}

/* What clang says about its own target; the host's code generator must not believe it. */
static const char *const target_attributes[] = {
    "target-cpu",  "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
    "no-builtins", /* would keep LLVM from inlining into functions of ours; program_link renames instead */
};

void target_retarget(struct job *job, LLVMModuleRef module) {
    LLVMTargetMachineRef machine = target_machine(job);
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMSetTarget(module, triple);
    LLVMSetModuleDataLayout(module, LLVMCreateTargetDataLayout(machine));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof target_attributes / sizeof *target_attributes; i++)
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, target_attributes[i],
                                             (unsigned)strlen(target_attributes[i]));
        /* C99 `inline` without `extern` relies on another unit's definition; OpenCL programs that use it
         * have none. */
        if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}
