/* hints.h: what is often wrong with programs that come from elsewhere, and what to write instead.
 *
 * HINTS(X) is a list of X(message, names, hint, example). A row fits a diagnostic whose text has `message`, and, unless `names`
 * is empty, that is about one of the names: patterns of shells (fnmatch, extended) with blanks between them, for the quoted name
 * in the text, or the word under clang's caret, with a '(' if one follows it, or, for errors of syntax, any word of the line that
 * clang shows. The first row that fits counts. `hint` follows the diagnostic. `example` is a program, with its build options
 * before a |, that gets it: test/api/hints.c builds each. LAST_HINTS(X) has those that are less likely than a misspelt name.
 */
#ifndef WEIR_KC_HINTS_H
#define WEIR_KC_HINTS_H

#define UNKNOWN "undeclared identifier"
#define TYPE    "unknown type name"
#define SYNTAX  "expected " /* clang's word for what it can't parse */
/* An expression in a kernel, and the same with nothing around. */
#define IN_KERNEL(code) "|kernel void k(global float *p, global int *q, global float4 *v) { " code "; }"
#define PROGRAM(code)   "|" code
#define NEWER(code)     "-cl-std=CL3.0" code
#define CXX "this is C++: -cl-std=CLC++2021 builds C++ for OpenCL (no exceptions, no standard library)"

// clang-format off
#define HINTS(X) \
    /* CUDA and HIP */ \
    X(UNKNOWN, "threadIdx hipThreadIdx_*", "CUDA's threadIdx.x is get_local_id(0), .y is get_local_id(1)", IN_KERNEL("q[threadIdx.x] = 1")) \
    X(UNKNOWN, "blockIdx hipBlockIdx_*", "CUDA's blockIdx.x is get_group_id(0); blockIdx.x * blockDim.x + threadIdx.x is get_global_id(0)", IN_KERNEL("q[blockIdx.x] = 1")) \
    X(UNKNOWN, "blockDim hipBlockDim_*", "CUDA's blockDim.x is get_local_size(0)", IN_KERNEL("q[0] = blockDim.x")) \
    X(UNKNOWN, "gridDim hipGridDim_*", "CUDA's gridDim.x is get_num_groups(0); gridDim.x * blockDim.x is get_global_size(0)", IN_KERNEL("q[0] = gridDim.x")) \
    X(UNKNOWN, "warpSize laneId lane_id", "CUDA's warpSize is get_max_sub_group_size(), a lane's number get_sub_group_local_id()", IN_KERNEL("q[0] = warpSize")) \
    X("undefined reference", "__syncthreads", "CUDA's __syncthreads() is barrier(CLK_LOCAL_MEM_FENCE), with | CLK_GLOBAL_MEM_FENCE where it orders global memory too", IN_KERNEL("__syncthreads()")) \
    X("undefined reference", "llvm.nvvm.*", "this is a built-in function of CUDA's compiler: OpenCL C has get_local_id() and its like", IN_KERNEL("q[0] = __nvvm_read_ptx_sreg_tid_x()")) \
    X(UNKNOWN, "__syncthreads_* ", "CUDA's __syncthreads_and, _or and _count are work_group_all, work_group_any and work_group_reduce_add", IN_KERNEL("q[0] = __syncthreads_or(1)")) \
    X(UNKNOWN, "__syncwarp", "CUDA's __syncwarp() is sub_group_barrier(CLK_LOCAL_MEM_FENCE)", IN_KERNEL("__syncwarp()")) \
    X(UNKNOWN, "__threadfence_block", "CUDA's __threadfence_block() is atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group)", IN_KERNEL("__threadfence_block()")) \
    X(UNKNOWN, "__threadfence*", "CUDA's __threadfence() is atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device)", IN_KERNEL("__threadfence()")) \
    X(UNKNOWN, "__shared__", "CUDA's __shared__ is local, in the outermost block of a kernel; arrays of a size from outside are arguments: local T *", IN_KERNEL("__shared__ int t[4]")) \
    X(UNKNOWN, "__constant__ __device__ __restrict__", "CUDA's __constant__ is constant, __restrict__ is restrict; __device__ goes", IN_KERNEL("__device__ int t")) \
    X(TYPE, "__global__", "CUDA's __global__ void is kernel void; its pointers need an address space: global T *", PROGRAM("__global__ void k(int *p) { p[0] = 1; }")) \
    X(TYPE, "__device__ __host__ __forceinline__ __noinline__", "CUDA's __device__ goes: functions without kernel are for kernels to call; __forceinline__ is inline", PROGRAM("__device__ int f(int x) { return x; } kernel void k(global int *p) { p[0] = 1; }")) \
    X(TYPE, "__constant__", "CUDA's __constant__ is constant, with an initializer; what the host sets is an argument: constant T *", PROGRAM("__constant__ float c[4]; kernel void k(global int *p) { p[0] = 1; }")) \
    X(TYPE, "__shared__", "CUDA's __shared__ is local, inside the kernel", PROGRAM("__shared__ int t[4]; kernel void k(global int *p) { p[0] = 1; }")) \
    X(TYPE, "dim3", "OpenCL C has no dim3: get_local_size(d), get_num_groups(d) tell sizes; uint3 is a vector of three", PROGRAM("int f(dim3 x) { return 0; } kernel void k(global int *p) { p[0] = 1; }")) \
    X(SYNTAX, "__launch_bounds__", "CUDA's __launch_bounds__(n) is __attribute__((reqd_work_group_size(n, 1, 1))) before void", PROGRAM("kernel void __launch_bounds__(256) k(global int *p) { p[0] = 1; }")) \
    X(SYNTAX, "extern", "OpenCL C is C: extern \"C\" goes", PROGRAM("extern \"C\" void k(global int *p) { p[0] = 1; }")) \
    X(UNKNOWN, "atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor atomicInc atomicDec atomicExch atomicCAS atomicAdd_*", "CUDA's atomicAdd is atomic_add (of int), atomicExch atomic_xchg, atomicCAS atomic_cmpxchg, atomicMax atomic_max and so on; for floats atomic_fetch_add on atomic_float *", IN_KERNEL("atomicAdd(q, 1)")) \
    X(UNKNOWN, "dim3", "CUDA's dim3 is size_t[3] on the host; in kernels get_local_size(0), (1) and (2) have the sizes", IN_KERNEL("dim3 d")) \
    X(UNKNOWN, "make_*", "CUDA's make_float4(a, b, c, d) is (float4)(a, b, c, d)", IN_KERNEL("v[0] = make_float4(1, 2, 3, 4)")) \
    X(UNKNOWN, "__shfl_down*", "CUDA's __shfl_down_sync(mask, x, n) is sub_group_shuffle_down(x, n)", IN_KERNEL("q[0] = __shfl_down_sync(-1, q[1], 1)")) \
    X(UNKNOWN, "__shfl_up*", "CUDA's __shfl_up_sync(mask, x, n) is sub_group_shuffle_up(x, n)", IN_KERNEL("q[0] = __shfl_up_sync(-1, q[1], 1)")) \
    X(UNKNOWN, "__shfl_xor*", "CUDA's __shfl_xor_sync(mask, x, m) is sub_group_shuffle_xor(x, m)", IN_KERNEL("q[0] = __shfl_xor(q[1], 1)")) \
    X(UNKNOWN, "__shfl*", "CUDA's __shfl_sync(mask, x, lane) is sub_group_shuffle(x, lane)", IN_KERNEL("q[0] = __shfl_sync(-1, q[1], 1)")) \
    X(UNKNOWN, "__ballot*", "CUDA's __ballot_sync(mask, x) is sub_group_ballot(x), a uint4", IN_KERNEL("q[0] = __ballot_sync(-1, 1)")) \
    X(UNKNOWN, "__any __all __any_sync __all_sync", "CUDA's __any_sync and __all_sync are sub_group_any and sub_group_all", IN_KERNEL("q[0] = __any_sync(-1, 1)")) \
    X(UNKNOWN, "__popc __popcll", "CUDA's __popc is popcount", IN_KERNEL("q[0] = __popc(q[1])")) \
    X(UNKNOWN, "__clz __clzll", "CUDA's __clz is clz", IN_KERNEL("q[0] = __clz(q[1])")) \
    X(UNKNOWN, "__ffs __ffsll", "CUDA's __ffs(x) is x ? ctz(x) + 1 : 0", IN_KERNEL("q[0] = __ffs(q[1])")) \
    X(UNKNOWN, "__ldg", "CUDA's __ldg(p) is *p", IN_KERNEL("q[0] = __ldg(q + 1)")) \
    X(UNKNOWN, "__fdividef __expf __logf __sinf __cosf __powf __log2f __exp10f __tanf __saturatef", "CUDA's __expf is native_exp, __fdividef native_divide and so on", IN_KERNEL("p[0] = __expf(p[1])")) \
    X(UNKNOWN, "__half2* __half[a-z]* __float2half* __float22half2* __floats2half2* __low2* __high2* __hadd* __hsub* __hmul* __hdiv* __hfma* __hneg*", "CUDA's halves are half and half2 here, after #pragma OPENCL EXTENSION cl_khr_fp16 : enable; + and * work on them, fma() is __hfma, (half)x and (float)h convert, h.x is __low2half(h)", IN_KERNEL("p[0] = __half2float(p[1])")) \
    X(UNKNOWN, "__float2* __int2* __uint2* __float_as_* __int_as_*", "CUDA's __float2int_rn(x) is convert_int_rte(x), __float_as_int(x) is as_int(x)", IN_KERNEL("q[0] = __float_as_int(p[1])")) \
    X(UNKNOWN, "__f*_r[nzud] __frsqrt_rn __sqrtf __dadd_* __dmul_* __fma_*", "CUDA's __fmaf_rn is fma, __fadd_rn and __fmul_rn are + and *, __fdiv_rn is /, __fsqrt_rn is sqrt, __frcp_rn(x) is 1 / x", IN_KERNEL("p[0] = __fmaf_rn(p[1], 2, 1)")) \
    X(UNKNOWN, "__dp4a", "CUDA's __dp4a(a, b, c) is dot_4x8packed_ss_int(a, b) + c (cl_khr_integer_dot_product), of uints that hold four chars", IN_KERNEL("q[0] = __dp4a(q[1], q[2], 3)")) \
    X(UNKNOWN, "__mul24 __umul24 __mulhi __umulhi", "CUDA's __mul24 is mul24, __mulhi is mul_hi", IN_KERNEL("q[0] = __mul24(q[1], q[2])")) \
    X(UNKNOWN, "sinf cosf tanf expf exp2f logf log2f log10f sqrtf rsqrtf powf fabsf floorf ceilf roundf truncf fmodf fminf fmaxf fmaf atan2f asinf acosf atanf tanhf hypotf cbrtf", "OpenCL C's functions are overloaded by type: sin for sinf, fmax for fmaxf and so on", IN_KERNEL("p[0] = sinf(p[1])")) \
    X(UNKNOWN, "clock64 clock", "OpenCL C has no clock: profile the queue (CL_QUEUE_PROFILING_ENABLE), or see docs/report.md", IN_KERNEL("q[0] = clock64()")) \
    X(UNKNOWN, "tex1D tex2D tex3D tex1Dfetch tex2DLayered surf2Dread surf2Dwrite", "CUDA's tex2D is read_imagef(image, sampler, coord) of a read_only image2d_t argument", IN_KERNEL("p[0] = tex2D(q, 1, 2)")) \
    X(UNKNOWN, "__trap", "OpenCL C can't end a kernel by a trap: write a flag to global memory and return", IN_KERNEL("__trap()")) \
    /* HLSL, GLSL, Metal, WGSL */ \
    X(UNKNOWN, "numthreads", "HLSL's [numthreads(x, y, z)] is __attribute__((reqd_work_group_size(x, y, z))) before void", PROGRAM("[numthreads(8, 8, 1)] void k() {}")) \
    X(UNKNOWN, "GroupMemoryBarrierWithGroupSync AllMemoryBarrierWithGroupSync DeviceMemoryBarrierWithGroupSync", "HLSL's GroupMemoryBarrierWithGroupSync() is barrier(CLK_LOCAL_MEM_FENCE)", IN_KERNEL("GroupMemoryBarrierWithGroupSync()")) \
    X(UNKNOWN, "groupshared", "HLSL's groupshared is local, in the outermost block of the kernel", IN_KERNEL("groupshared float t[4]")) \
    X(UNKNOWN, "InterlockedAdd InterlockedMax InterlockedMin InterlockedOr InterlockedAnd InterlockedXor InterlockedExchange InterlockedCompareExchange", "HLSL's InterlockedAdd(x, v) is atomic_add(&x, v)", IN_KERNEL("InterlockedAdd(q[0], 1)")) \
    X(UNKNOWN, "lerp saturate frac rsq ddx ddy", "HLSL's lerp is mix, saturate(x) is clamp(x, 0.0f, 1.0f), frac(x) is x - floor(x)", IN_KERNEL("p[0] = lerp(p[1], p[2], p[3])")) \
    X(UNKNOWN, "gl_*", "GLSL's gl_GlobalInvocationID.x is get_global_id(0), gl_LocalInvocationID.x get_local_id(0), gl_WorkGroupID.x get_group_id(0)", IN_KERNEL("q[0] = gl_GlobalInvocationID.x")) \
    X(UNKNOWN, "vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 dvec4", "GLSL's vec4 is float4, ivec4 int4, uvec4 uint4", IN_KERNEL("vec4 a")) \
    X(TYPE, "vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 dvec4", "GLSL's vec4 is float4, ivec4 int4, uvec4 uint4", PROGRAM("vec4 f(int x) { return x; } kernel void k(global int *p) { p[0] = 1; }")) \
    X(UNKNOWN, "mat2 mat3 mat4 float2x2 float3x3 float4x4", "OpenCL C has no matrices: take an array of vectors", IN_KERNEL("mat4 m")) \
    X(UNKNOWN, "memoryBarrierShared groupMemoryBarrier memoryBarrier workgroupBarrier", "GLSL's barrier() with memoryBarrierShared() is barrier(CLK_LOCAL_MEM_FENCE)", IN_KERNEL("memoryBarrierShared()")) \
    X("default arguments", "layout*", "this is GLSL, no OpenCL C: a compute shader's main is kernel void run(global float *data), buffers are its arguments, shared is local", PROGRAM("layout(local_size_x = 64) in;\nkernel void k() {}")) \
    X("expected ')'", "layout*", "this is GLSL, no OpenCL C: a compute shader's main is kernel void run(global float *data), buffers are its arguments, shared is local", PROGRAM("layout(std430, binding = 0) buffer B { float data[4]; };\nkernel void k() {}")) \
    X(TYPE, "shared", "GLSL's shared is local, inside the kernel", PROGRAM("shared float t[64];\nkernel void k() {}")) \
    X("cannot be called 'main'", "", "name the kernel anything else: kernel void run(...); the host launches it by that name", PROGRAM("kernel void main() {}")) \
    X(SYNTAX, "@ workgroup_size", "this is WGSL, no OpenCL C: kernels are kernel void k(global float *a), ids come from get_global_id()", PROGRAM("@compute @workgroup_size(64) fn main() { }\nkernel void k() {}")) \
    X(TYPE, "RWStructuredBuffer StructuredBuffer RWByteAddressBuffer RWTexture* cbuffer Texture2D", "HLSL's buffers are a kernel's arguments: global float *a, constant for cbuffer, image2d_t for textures", PROGRAM("RWStructuredBuffer<float> a : register(u0);\nkernel void k() {}")) \
    X("invalid preprocessing directive", "version", "this is GLSL, no OpenCL C: glslang makes SPIR-V for Vulkan of it, which OpenCL doesn't take", PROGRAM("#version 450\nkernel void k() {}")) \
    X(UNKNOWN, "threadgroup_barrier simdgroup_barrier", "Metal's threadgroup_barrier(mem_flags::mem_threadgroup) is barrier(CLK_LOCAL_MEM_FENCE)", IN_KERNEL("threadgroup_barrier(1)")) \
    X(UNKNOWN, "threadgroup thread", "Metal's threadgroup is local, thread is private", IN_KERNEL("threadgroup float t[4]")) \
    X(TYPE, "device threadgroup", "Metal's device T * is global T *, threadgroup is local", PROGRAM("kernel void k(device float *p) { p[0] = 1; }")) \
    X("file not found", "metal_stdlib", "this is Metal, no OpenCL C: the #include goes, device is global, threadgroup is local, [[thread_position_in_grid]] is get_global_id()", PROGRAM("#include <metal_stdlib>\nkernel void k() {}")) \
    X("file", "*cooperative_groups* *cuda* *hip/* device_launch_parameters.h", "this is CUDA or HIP, no OpenCL C: the #include goes", PROGRAM("#include <cuda_runtime_missing.h>\nkernel void k() {}")) \
    /* C and C++ that OpenCL C lacks */ \
    X(TYPE, "template class namespace using constexpr typename nullptr_t", CXX, PROGRAM("template <typename T> T f(T x) { return x; } kernel void k(global int *p) { p[0] = 1; }")) \
    X(UNKNOWN, "template class static_cast reinterpret_cast const_cast nullptr this decltype operator", CXX, IN_KERNEL("q[0] = static_cast<int>(3.0f)")) \
    X(UNKNOWN, "constexpr using namespace", CXX, IN_KERNEL("constexpr int n = 3")) \
    X(UNKNOWN, "std", "this is C++, whose standard library kernels don't have: std::min is min, std::sqrt is sqrt", IN_KERNEL("q[0] = std::min(1, 2)")) \
    X(UNKNOWN, "throw try new delete", "kernels have no exceptions and no heap: return a code in global memory, take buffers as arguments", IN_KERNEL("q[0] = new int")) \
    X("default arguments", "", CXX, PROGRAM("int f(int n = 3) { return n; } kernel void k() {}")) \
    X("expected expression", "auto", CXX, NEWER(IN_KERNEL("auto f = [](int x) { return x; }"))) \
    X("expected ')'", "&", "OpenCL C is C: an argument is passed by pointer (global T *x), not by reference (T &x), unless -cl-std=CLC++2021 is given", PROGRAM("int f(int &x) { return x; } kernel void k() {}")) \
    X("unexpected type name", "float* double* half* int* uint* char* uchar* short* ushort* long* ulong*", "a vector is written (float4)(a, b, c, d), and a conversion of vectors convert_float4(v)", IN_KERNEL("v[0] = float4(1, 2, 3, 4)")) \
    X("expected expression", "int( float( uint( double( long( char( half( short( bool(", "a conversion is a cast in front: (int)x for int(x)", IN_KERNEL("q[0] = int(p[0])")) \
    X("conflicting types for", "", "functions of one name for several types need __attribute__((overloadable)), each of them, or -cl-std=CLC++2021", PROGRAM("int f(int x) { return x; } int f(float x) { return 1; } kernel void k() {}")) \
    X("bit-fields are not supported", "", "shift and mask the bits of an integer, or enable them: #pragma OPENCL EXTENSION __cl_clang_bitfields : enable", PROGRAM("struct s { int a : 3; }; kernel void k() {}")) \
    X("blocks support disabled", "", "blocks need -cl-std=CL3.0 (or CL2.0)", IN_KERNEL("int (^b)(int) = ^(int x) { return x; }")) \
    X("expected identifier", "unroll", "#pragma unroll stands right before a loop", PROGRAM("#pragma unroll 4\nkernel void k() {}")) \
    X("type specifier missing", "", "every variable and function has a type that is written: auto and what C once took for int are none", IN_KERNEL("auto x = 1.5f")) \
    X("variable length arrays", "", "make the size a constant: a macro (-D N=16 in the build options) or an enum; local arrays of a size from outside are arguments (local T *, clSetKernelArg with NULL)", PROGRAM("kernel void k(global int *p, int n) { int a[n]; p[0] = a[0]; }")) \
    X("pointers to functions", "", "OpenCL C has none: choose by switch, or make a kernel per function by a macro; with #pragma OPENCL EXTENSION __cl_clang_function_pointers : enable it has", IN_KERNEL("int (*f)(int) = 0")) \
    X("virtual functions are not supported", "", "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable has them, but no virtual destructors", "-cl-std=CLC++2021|struct s { virtual int f() { return 1; } }; kernel void k() {}") \
    X("variadic arguments", "", "give the function a fixed list: only printf takes any number", PROGRAM("void f(int n, ...) {} kernel void k() {}")) \
    X(UNKNOWN, "malloc calloc realloc free alloca", "kernels have no heap: take a buffer from the host, or an array of constant size", IN_KERNEL("q[0] = malloc(4) != 0")) \
    X(UNKNOWN, "memcpy memset memmove strlen strcmp", "OpenCL C has no string.h: assign structs and vectors, loop, or async_work_group_copy", IN_KERNEL("memcpy(p, q, 4)")) \
    X(UNKNOWN, "rand srand rand_r curand*", "OpenCL C has no random numbers: keep a state per work-item (xorshift, Philox) in global memory", IN_KERNEL("q[0] = rand()")) \
    X(UNKNOWN, "assert exit abort", "kernels can't end the program: write a flag to global memory and return; weir check finds races and accesses out of bounds", IN_KERNEL("assert(q[0])")) \
    X(UNKNOWN, "fprintf puts putchar std::cout stderr", "kernels print with printf alone, to the program's standard output", IN_KERNEL("puts(1)")) \
    X(UNKNOWN, "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t", "OpenCL C's types have fixed sizes: uchar, ushort, uint and ulong have 8, 16, 32 and 64 bits", IN_KERNEL("uint32_t i = 1")) \
    X(TYPE, "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t", "OpenCL C's types have fixed sizes: uchar, ushort, uint and ulong have 8, 16, 32 and 64 bits", PROGRAM("uint32_t f(uint32_t x) { return x; } kernel void k() {}")) \
    X(UNKNOWN, "M_PIf PI pi Pi", "OpenCL C's constants are M_PI_F for float and M_PI for double", IN_KERNEL("p[0] = PI")) \
    X(UNKNOWN, "asm", "OpenCL C knows __asm, which ties the program to one processor: write C, vectors (float8) and built-in functions", IN_KERNEL("asm(\"nop\")")) \
    X(UNKNOWN, "bool2 bool3 bool4 bool8 bool16", "there are no vectors of bool: compares of float4 give int4, with -1 where true", IN_KERNEL("bool2 b")) \
    X("file not found", "*.h* bits/* c*", "what the compiler may read: files below the current directory or a folder that -I FOLDER in the build options names; C's own headers (stdio.h, math.h) aren't needed, printf and the mathematics are built in", PROGRAM("#include \"missing.h\"\nkernel void k() {}")) \
    /* address spaces */ \
    X("may not be qualified with an address space", "", "a value has no address space, only what a pointer points to: int n, but local int *t", PROGRAM("kernel void k(global int *p, local int n) {}")) \
    X("pointer arguments to kernel functions", "", "a kernel's pointer says where it points to: global T * for a buffer, local T * for memory of the work-group, constant T * for what isn't written; a pointer to pointers can't be passed", PROGRAM("kernel void k(float *p) { p[0] = 1; }")) \
    X("'const __generic", "", "constant memory has pointers of its own: write constant T *, or a second function for it", NEWER(PROGRAM("int f(const int *p) { return *p; } constant int c[2] = {1, 2}; kernel void k(global int *q) { q[0] = f(c); }"))) \
    X("expression of type '__constant char", "", "a string lies in constant memory: constant char *s", IN_KERNEL("char *s = \"abc\"")) \
    X("changes address space of pointer", "", "pointers keep their address space: write global T * (or local, constant) here too; from -cl-std=CL2.0 on T * points to global, local or private memory", IN_KERNEL("float *a = p")) \
    X("only be declared in the outermost scope", "", "move it to the kernel's outermost block, or a constant to program scope", IN_KERNEL("if (q[0]) { constant int t[1] = {1}; q[0] = t[0]; }")) \
    X("non-kernel function variable cannot be declared in local", "", "declare the local array in the kernel and pass it: local T *", PROGRAM("int f(void) { local int t[4]; return t[0]; } kernel void k(global int *p) { p[0] = f(); }")) \
    X("variable cannot have an initializer", "", "local memory begins undefined: assign it after the declaration, by one work-item, before a barrier", IN_KERNEL("local int t = 0")) \
    X("program scope variable must reside in constant", "", "write constant before it; variables that kernels write at program scope need -cl-std=CL3.0 (or CL2.0) and global", PROGRAM("int t[2] = {1, 2}; kernel void k(global int *p) { p[0] = t[p[1]]; }")) \
    X("constant address space must be initialized", "", "a constant has its value in the program; what the host sets is a kernel's argument: constant T *", PROGRAM("constant int c; kernel void k(global int *p) { p[0] = c; }")) \
    X("static local variable must reside in constant", "", "it is shared by all work-items: -cl-std=CL3.0 (or CL2.0) allows it, an atomic must then change it", IN_KERNEL("static int n")) \
    X("read-only variable is not assignable", "", "constant memory and const aren't written: take global T *, and create the buffer writable", PROGRAM("kernel void k(constant int *p) { p[0] = 1; }")) \
    X("compile-time constant", "", "ids and arguments are known inside kernels only: compute it there", NEWER(PROGRAM("size_t g = get_global_id(0); kernel void k() {}"))) \
    /* kernels and types */ \
    X("must have void return type", "", "a kernel returns nothing: write the result to a global T *", PROGRAM("kernel int k() { return 0; }")) \
    X("cannot be used as the type of a kernel parameter", "size_t* ptrdiff_t* bool* *size_t* *bool*", "sizes and bool differ between host and device: pass uint or ulong, and int for bool", PROGRAM("kernel void k(global int *p, size_t n) { p[0] = n; }")) \
    X("may not contain pointers", "", "pass each pointer as an argument of its own; with SVM pass the struct in a buffer and its pointers by clSetKernelExecInfo", PROGRAM("struct s { global int *p; }; kernel void k(struct s x) { }")) \
    X("half is not allowed", "", "put #pragma OPENCL EXTENSION cl_khr_fp16 : enable before it", IN_KERNEL("half h = 1")) \
    X("half' is not allowed", "", "put #pragma OPENCL EXTENSION cl_khr_fp16 : enable before it", PROGRAM("kernel void k(global float *p) { half h = p[0]; p[0] = h; }")) \
    X("requires cl_khr_fp16", "", "put #pragma OPENCL EXTENSION cl_khr_fp16 : enable before it", IN_KERNEL("p[0] = 1.0h")) \
    X("is ambiguous", "atomic_*", "atomic_add and its like are for int and uint; long and ulong: atom_add; floats: -cl-std=CL3.0, atomic_fetch_add on atomic_float *", IN_KERNEL("atomic_add(p, 1.0f)")) \
    X("is ambiguous", "atom_*", "atom_add and its like are for long and ulong: give a value of the same type", IN_KERNEL("atom_add(p, 1.0f)")) \
    X("is ambiguous", "read_image* write_image*", "coordinates are int, int2 or int4, or float, float2, float4, as the image's dimensions want: (int2)(x, y), with 4 components for 3D and arrays", PROGRAM("kernel void k(image2d_t i, sampler_t s, global float4 *p) { p[0] = read_imagef(i, s, 1.0f); }")) \
    X("is ambiguous", "abs", "abs is for integers: fabs(x) of floats", IN_KERNEL("p[0] = abs(p[1])")) \
    X("is ambiguous", "select bitselect", "the last argument of select(a, b, c) is a vector of integers as wide as a's elements, int4 for float4; where its highest bit is set b is taken; c ? b : a chooses between scalars", IN_KERNEL("v[0] = select(v[1], v[2], 1)")) \
    X("is ambiguous", "", "give all arguments one type: sqrt(2.0f) rather than sqrt(2), min(a, (int)b)", IN_KERNEL("p[0] = sqrt(2)")) \
    X("no matching function", "atomic_* atom_*", "the first argument is a pointer to an int or uint (atomic_*) or a long or ulong (atom_*) in global or local memory: atomic_add(&a[i], 1)", IN_KERNEL("atomic_add(q[0], 1)")) \
    X("no matching function", "write_image*", "the image argument needs write_only (or read_write, from -cl-std=CL2.0 on) before image2d_t: without it is read_only", PROGRAM("kernel void k(image2d_t i) { write_imagef(i, (int2)(0, 0), (float4)(0.0f)); }")) \
    X("no matching function", "", "the notes below say which argument differs: casts, vector sizes and address spaces count", IN_KERNEL("v[0] = vload4(0)")) \
    X("array of '", "*image*", "kernels take no arrays of images: one argument for each, or image2d_array_t for images of one size and format", PROGRAM("kernel void k(global float *p, image2d_t i[4]) { }")) \
    X("global sampler requires", "", "write constant sampler_t s = ... there, or make it a kernel's argument", PROGRAM("sampler_t s = CLK_FILTER_NEAREST; kernel void k() {}")) \
    X("cannot be used for", "__read_write* read_write*", "read_write images need -cl-std=CL3.0 (or CL2.0)", PROGRAM("kernel void k(read_write image2d_t i) { }")) \
    X("invalid operands to binary", "%", "% is for integers: fmod(x, y), or x - y * floor(x / y) for what has y's sign", IN_KERNEL("p[0] = p[1] % 2")) \
    X("invalid operands to binary", "^", "^ is the exclusive or of integers: powers are pow(x, y), pown(x, 2), or x * x; as_int(x) has the bits of a float", IN_KERNEL("p[0] = p[1] ^ 2")) \
    X("invalid operands to binary", "& |", "bits are of integers: as_int(x) has those of a float, as_float(i) turns them back", IN_KERNEL("p[0] = p[1] & 2")) \
    X("too few elements in vector", "", "give all elements, or one for all: (float4)(x), (float4)(v.xyz, 1.0f)", IN_KERNEL("v[0] = (float4)(1, 2, 3)")) \
    X("requires expression of scalar type", "", "a compare of vectors gives a vector: if (any(a > b)) or all(...); select(a, b, c) chooses by element", IN_KERNEL("if (v[0] > 0) q[0] = 1")) \
    X("implicit conversions between vector types", "", "convert by name: convert_float4(v); as_float4(v) keeps the bits", IN_KERNEL("v[0] = v[0] * (int4)(1)")) \
    X("incompatible type 'float __attribute__", "", "name an element (.x, .s0), or declare a vector", IN_KERNEL("p[0] = vload4(0, p)")) \
    X("too few arguments to function call", "get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups get_global_offset get_enqueued_local_size", "say which dimension: 0, 1 or 2", IN_KERNEL("q[get_global_id()] = 1")) \
    X("values) from incompatible type", "", "vectors of other lengths: v.xyz makes one shorter, (float4)(v, 0.0f) longer; convert_float4(v) changes the type of its elements", PROGRAM("kernel void k(global float4 *p, float3 v) { p[0] = v; }")) \
    X("left operand of comma", "", "a vector needs its type in front, (float4)(1, 2, 3, 4): without it the commas leave the last value alone, for all elements", PROGRAM("kernel void k(global float4 *p) { p[0] = (1.0f, 2.0f, 3.0f, 4.0f); }")) \
    X("indirection requires pointer operand", "", "* stands before what is no pointer; there is no ** for powers: pow(x, y), pown(x, 2), or x * x", IN_KERNEL("p[0] = p[0] ** 2")) \
    X("illegal vector component", "", "components are x, y, z, w, or s0 to sf of any vector; lo, hi, even and odd are its halves; an index that is computed needs an array: ((float *)&v)[i]", IN_KERNEL("v[0].q = 1")) \
    X("too few arguments to function call", "barrier mem_fence read_mem_fence write_mem_fence", "say what it orders: CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE, or both with |", IN_KERNEL("barrier()")) \
    X(UNKNOWN, "cl_khr_* cl_intel_*", "names of extensions are macros: #ifdef cl_khr_fp64, and #pragma OPENCL EXTENSION cl_khr_fp16 : enable", IN_KERNEL("q[0] = cl_khr_foo")) \
    X(UNKNOWN, "?(CLK_)LOCAL_MEM_FENCE ?(CLK_)GLOBAL_MEM_FENCE CLK_LOCAL* CLK_GLOBAL*", "the flags of barriers are CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE, and both with |", IN_KERNEL("barrier(LOCAL_MEM_FENCE)")) \
    X("undefined reference", "", "the function is declared, but no program of the link has its body: give its source too, or link the programs by clLinkProgram", PROGRAM("void f(int x); kernel void k() { f(1); }"))

/* These come after a similar name of OpenCL C's (near_names.c). */
#define LAST_HINTS(X) \
    X(UNKNOWN, "work_group_* sub_group_* atomic_* memory_* get_sub_group* get_num_sub_groups get_max_sub_group_size get_enqueued_* get_global_linear_id get_local_linear_id enqueue_kernel pipe* to_global to_local to_private", "these need a newer language: -cl-std=CL3.0 in the build options; check the name too", IN_KERNEL("work_group_foo(1)")) \
    X(UNKNOWN, "+([A-Z0-9_])", "if it is a macro, #define it, or have the host do so: -D NAME=VALUE in the build options", IN_KERNEL("p[0] = SIZE")) \
    X(UNKNOWN, "*(", "a function is declared before its use: move it up, or write its prototype above; OpenCL C's own functions are in its specification, C's library isn't there", PROGRAM("kernel void k(global int *q) { q[0] = later(q[1]); } int later(int x) { return x; }"))
// clang-format on

#endif
