# test.mk: builds the test programs and runs the cases; test/run finds them. T=regex picks some.
TEST_CFLAGS := -std=gnu11 $(WARN) -O1 -g $(SAN) -Iinclude -Isrc/base -Itest/harness -pthread
TEST_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard test/api/*.c test/builtin/*.c test/unit/*.c test/litmus/*.c \
  test/fuzz/*.c test/soak/*.c))

tests: all $(BUILD)/test/kernel-runner $(BUILD)/test/timed $(TEST_PROGRAMS)

$(BUILD)/test/kernel-runner: $(wildcard test/harness/*.[ch])
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) $(filter %.c,$^) -o $@ -lOpenCL -lm

$(BUILD)/test/timed: test/harness/timed/timed.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) $< -o $@

# Some include the file that they test.
$(BUILD)/test/unit/%: test/unit/%.c $(call obj,base) $(call src,rt)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) $(call inc,rt) $(filter-out src/%,$^) -o $@ -lcmocka -lOpenCL -lm

$(BUILD)/test/unit/check_pack $(BUILD)/test/unit/check_beneath: $(call src,check) src/check/pack_cells.h

$(BUILD)/test/unit/sandbox: test/unit/sandbox.c $(BUILD)/obj/kc/driver/sandbox.o $(call obj,base)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -Isrc/kc/driver $^ -o $@ -lcmocka -lseccomp

# What all fuzzers share is in test/harness/fuzz, what one of them consists of in a folder of its name there.
FUZZ_LIBS := -lOpenCL
$(BUILD)/test/fuzz/kernels: FUZZ_LIBS += -rdynamic -ldl
$(BUILD)/test/fuzz/protocol: $(call obj,base)
.SECONDEXPANSION:
$(BUILD)/test/fuzz/%: test/fuzz/%.c $(wildcard test/harness/fuzz/*.[ch]) $$(wildcard test/harness/fuzz/$$*/*.[ch])
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -Itest/harness/fuzz -Itest/harness/fuzz/$* $(filter %.c %.o,$^) -o $@ $(FUZZ_LIBS)

$(BUILD)/test/builtin/%: test/builtin/%.c $(wildcard test/harness/builtin/*.[ch])
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -frounding-math -Wno-missing-field-initializers -Itest/harness/builtin $(filter %.c,$^) \
	  -o $@ -lmpfr -lOpenCL -lm

$(BUILD)/test/api/hints: src/kc/frontend/hints.h
$(BUILD)/test/%: test/%.c $(wildcard test/api/*.h test/litmus/*.h)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) $< -o $@ -lcmocka -lOpenCL -lm

check:
	@scripts/setup
	@$(MAKE) --no-print-directory tests
	@test/run $(if $(T),'$(T)')

check-quick: tests
	@test/run --quick $(if $(T),'$(T)')

# An hour of abuse (SOAK_SECONDS); test/cli/soak.sh has half a minute of it.
soak: tests
	@python3 test/soak/soak.py $(BUILD)

# Where mistakes of memory and of threads show: builds of their own, in $(BUILD)/asan and $(BUILD)/tsan, of the programs that run in them.
ASAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
VALGRIND := valgrind -q --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=9
tests_in = TEST_PROGRAMS='$(patsubst %.c,$(BUILD)/$(1)/%,$(foreach kind,$(2),$(wildcard test/$(kind)/*.c)))' BUILD=$(BUILD)/$(1)
asan_tests = $(MAKE) --no-print-directory tests $(call tests_in,asan,$(1)) SAN='$(ASAN)' OPT='-O1 -g'
tsan_tests = $(MAKE) --no-print-directory tests $(call tests_in,tsan,$(1)) SAN=-fsanitize=thread OPT='-O1 -g'
TSAN_OPTIONS := suppressions=$(CURDIR)/test/tsan.supp
check-memory: tests
	@$(call asan_tests,api unit fuzz)
	@$(call tsan_tests,api)
	BUILD=$(BUILD)/asan test/run --quick '/(api|unit|pass)/'
	BUILD=$(BUILD)/asan ASAN_OPTIONS=detect_leaks=0 test/run --quick '/(kernel|check|fuzz)/'
	BUILD=$(BUILD)/tsan TSAN_OPTIONS=$(TSAN_OPTIONS) test/run --quick '/(api|check)/'
	BUILD=$(BUILD)/tsan TSAN_OPTIONS=$(TSAN_OPTIONS) WEIR_TRACE=/dev/null WEIR_TRACE_MEMORY=1 \
	  test/run --quick '/api/(command_buffer|command_buffer_queues|event|queue|stress|svm|threads)\.c$$'
	for t in program kernel queue bad_builds; do WEIR_CACHE_DIR= WEIR_CPU=x86-64-v3 OCL_ICD_VENDORS=$(abspath $(BUILD))/weir.icd WEIR_TEST_QUICK=1 \
	  $(VALGRIND) $(BUILD)/test/api/$$t || exit 1; done

# The soak in such builds: ten minutes (SOAK_SECONDS).
soak-memory: tests
	@$(call asan_tests,fuzz soak)
	@SOAK_SANITIZED=1 SOAK_SECONDS=$(or $(SOAK_SECONDS),600) python3 test/soak/soak.py $(BUILD)/asan
soak-threads: tests
	@$(call tsan_tests,fuzz soak)
	@SOAK_SANITIZED=1 SOAK_SECONDS=$(or $(SOAK_SECONDS),600) python3 test/soak/soak.py $(BUILD)/tsan
