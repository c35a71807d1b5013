# test.mk: builds the test programs and runs the cases; test/run finds them. T=regex picks some.
TEST_CFLAGS := -std=gnu11 $(WARN) -O1 -g -Iinclude -Isrc/base -Itest/harness -pthread
TEST_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard test/api/*.c test/unit/*.c test/litmus/*.c test/fuzz/*.c))

tests: all $(BUILD)/test/kernel-runner $(TEST_PROGRAMS)

$(BUILD)/test/kernel-runner: $(wildcard test/harness/*.[ch])
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) $(filter %.c,$^) -o $@ -lOpenCL -lm

$(BUILD)/test/unit/%: test/unit/%.c $(call obj,base)
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -Isrc/rt $^ -o $@ $(SAN) -lcmocka -lOpenCL -lm

$(BUILD)/test/fuzz/%: test/fuzz/%.c $(wildcard test/harness/fuzz/*.[ch])
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -Itest/harness/fuzz $(filter %.c,$^) -o $@ -lOpenCL

$(BUILD)/test/%: test/%.c $(wildcard test/api/*.h test/litmus/*.h)
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) $< -o $@ -lcmocka -lOpenCL -lm

check:
	@scripts/setup
	@$(MAKE) --no-print-directory tests
	@test/run $(if $(T),'$(T)')

check-quick: tests
	@test/run --quick $(if $(T),'$(T)')
