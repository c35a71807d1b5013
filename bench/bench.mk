# bench.mk: measurements side by side. BENCH passes options, as in BENCH='--only scan other.icd'.
.PHONY: bench bench-quick bench-scaling bench-peers
BENCH_WEIR    = $(abspath $(BUILD))/weir.icd
BENCH_POCL    = /etc/OpenCL/vendors/pocl.icd
BENCH_PEERS   = $(BENCH_WEIR) $(BENCH_POCL) $(shell bench/peers list $(BUILD))
BENCH_METHODS = $(foreach method,loopvec cbs,'POCL_WORK_GROUP_METHOD=$(method) $(BENCH_POCL)')
BENCH_COUNTS  = $(shell n=1; while [ $$n -lt `nproc` ]; do echo $$n; n=$$((2 * n)); done; nproc)
BENCH_WORKERS = $(foreach n,$(BENCH_COUNTS),'WEIR_CU=$n $(BENCH_WEIR)' 'POCL_MAX_PTHREAD_COUNT=$n $(BENCH_POCL)')
BENCH_FILES   = --json $(BUILD)/$@.json --chart $(BUILD)/$@.svg $(BENCH)

bench: bench-peers
	@$(MAKE) --no-print-directory all $(BUILD)/bench
	$(BUILD)/bench $(BENCH_PEERS) $(BENCH_METHODS) --limit $(BENCH_FILES)

bench-quick: bench-peers
	@$(MAKE) --no-print-directory all $(BUILD)/bench
	$(BUILD)/bench $(BENCH_PEERS) --limit --quick $(BENCH_FILES)

# Weir and PoCL, each with 1, 2, 4 ... threads.
bench-scaling: bench-peers
	@$(MAKE) --no-print-directory all $(BUILD)/bench
	$(BUILD)/bench $(BENCH_WORKERS) --quick $(BENCH_FILES)

bench-peers:
	@scripts/setup --bench
	@bench/peers get $(BUILD)

BENCH_FLAGS = -std=gnu11 $(WARN) -Wno-missing-field-initializers -O2 -g -ffp-contract=off -fno-math-errno -pthread \
  -MMD -MP -Isrc/cli $(CFLAGS)
BENCH_FLAGS_limit_avx2   = -O3 -mavx2 -mfma
BENCH_FLAGS_limit_avx512 = -O3 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512

$(BUILD)/bench-obj/%.o: bench/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_FLAGS) $(BENCH_FLAGS_$*) -c $< -o $@
$(patsubst bench/%.c,$(BUILD)/bench-obj/%.o,$(wildcard bench/case_*.c)): $(wildcard bench/cl/*.cl)

$(BUILD)/bench: $(patsubst bench/%.c,$(BUILD)/bench-obj/%.o,$(wildcard bench/*.c)) $(BUILD)/obj/cli/machine.o $(call obj,base)
	$(call say,LINK,$@)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS) -pthread -lOpenCL -lm

-include $(wildcard $(BUILD)/bench-obj/*.d)
