# bench.mk: measurements side by side. BENCH passes options, as in BENCH='--rounds 3 --icd other.icd'.
.PHONY: bench
bench:
	@scripts/setup --bench
	@$(MAKE) --no-print-directory all $(BUILD)/bench
	$(BUILD)/bench --icd $(abspath $(BUILD))/weir.icd --icd pocl.icd --json $(BUILD)/bench.json $(BENCH)

$(BUILD)/bench-obj/%.o: bench/%.c
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) -c $< -o $@

$(BUILD)/bench: $(addprefix $(BUILD)/bench-obj/,bench.o rows.o) $(addprefix $(BUILD)/examples/,host.o jobs.o)
	$(CC) -o $@ $^ $(LDFLAGS) -lOpenCL -lm

-include $(wildcard $(BUILD)/bench-obj/*.d)
