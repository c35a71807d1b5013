# bench.mk: measurements side by side. BENCH passes options, as in BENCH='--only scan other.icd'.
.PHONY: bench bench-quick bench-peers
BENCH_PEERS = '$(abspath $(BUILD))/weir.icd' /etc/OpenCL/vendors/pocl.icd $(shell bench/peers list $(BUILD))
BENCH_RUN   = $(BUILD)/bench $(BENCH_PEERS) --limit --json $(BUILD)/$@.json --chart $(BUILD)/$@.svg $(BENCH)

bench: bench-peers
	@$(MAKE) --no-print-directory all $(BUILD)/bench
	$(BENCH_RUN)

bench-quick: bench-peers
	@$(MAKE) --no-print-directory all $(BUILD)/bench
	$(BENCH_RUN) --quick

bench-peers:
	@scripts/setup --bench
	@bench/peers get $(BUILD)

BENCH_FLAGS = -std=gnu11 $(WARN) -Wno-missing-field-initializers -O2 -g -ffp-contract=off -fno-math-errno -pthread -MMD -MP $(CFLAGS)
BENCH_FLAGS_limit_avx2   = -O3 -mavx2 -mfma
BENCH_FLAGS_limit_avx512 = -O3 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512

$(BUILD)/bench-obj/%.o: bench/%.c
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) $(BENCH_FLAGS_$*) -c $< -o $@
$(BUILD)/bench-obj/case_%.o: $(wildcard bench/cl/*.cl)

$(BUILD)/bench: $(patsubst bench/%.c,$(BUILD)/bench-obj/%.o,$(wildcard bench/*.c))
	$(CC) -o $@ $^ $(LDFLAGS) -pthread -lOpenCL -lm

-include $(wildcard $(BUILD)/bench-obj/*.d)
