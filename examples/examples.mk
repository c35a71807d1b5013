# examples.mk: the demo program. It is an ordinary OpenCL client: nothing of Weir is linked into it.
.PHONY: demo
demo: setup
	@$(MAKE) --no-print-directory all $(BUILD)/demo
	OCL_ICD_VENDORS=$(abspath $(BUILD))/weir.icd $(BUILD)/demo --platform Weir

EXAMPLE_FLAGS = -std=gnu11 $(WARN) -O2 -g -MMD -MP -Iexamples '-DDEMO_CL="examples/demo.cl"' $(CFLAGS)

$(BUILD)/examples/%.o: examples/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXAMPLE_FLAGS) -c $< -o $@
$(BUILD)/examples/host.o: examples/demo.cl

$(BUILD)/demo: $(addprefix $(BUILD)/examples/,demo.o host.o jobs.o)
	$(call say,LINK,$@)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS) -lOpenCL -lm

# Programs with errors between commands, for the checker.
RACY_PROGRAMS = $(patsubst %.c,$(BUILD)/%,$(wildcard examples/racy/*.c))
tests: $(RACY_PROGRAMS)
$(RACY_PROGRAMS): $(BUILD)/%: %.c examples/racy/start.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXAMPLE_FLAGS) $< -o $@ $(LDFLAGS) -lOpenCL

# Programs to learn from.
LEARN_PROGRAMS = $(patsubst %.c,$(BUILD)/%,$(wildcard examples/learn/*.c))
.PHONY: examples
examples: $(LEARN_PROGRAMS)
tests: $(LEARN_PROGRAMS)
$(LEARN_PROGRAMS): $(BUILD)/%: %.c examples/learn/learn.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXAMPLE_FLAGS) $< -o $@ $(LDFLAGS) -lOpenCL

-include $(wildcard $(BUILD)/examples/*.d)
