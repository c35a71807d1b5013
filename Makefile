# Weir: the one Makefile. `make help` lists the targets.
CC      ?= cc
BUILD   ?= build
PREFIX  ?= /usr/local
LLVM    ?= 22
LLVM_CONFIG ?= llvm-config-$(LLVM)
CLANG   ?= clang-$(LLVM)
OPT     ?= -O2 -g
SAN     ?=
# On all processors, unless -jN says how many.
ifeq ($(MAKELEVEL)$(filter-out all tests check check-quick demo examples,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

# gcc's own warnings misread what sanitizers insert, and TSan doesn't know fences
WARN    := $(if $(SAN),-Wno-format-truncation -Wno-tsan) -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter -Wno-psabi
CFLAGS_ALL := -std=gnu11 $(WARN) $(OPT) $(SAN) -fPIC -fvisibility=hidden -pthread -Iinclude -Isrc/base -Isrc/standalone -MMD -MP $(CFLAGS)
LDFLAGS_ALL := $(SAN) -pthread $(LDFLAGS)

# What is being made is said in a line each; V=1 shows the commands.
Q   := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@printf '  %-5s %s\n' '$(1)' '$(2)')

comma   := ,
VERSION := $(shell cat VERSION)
CFLAGS_ALL += -DWEIR_VERSION='"$(VERSION)"'

src = $(wildcard src/$(1)/*.c src/$(1)/*/*.c)
inc = $(patsubst %/,-I%,$(wildcard src/$(1)/ src/$(1)/*/))
obj = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(call src,$(1)))

.PHONY: all help setup check check-quick check-memory soak soak-memory soak-threads check-clients demo bench install deb clean format tests
all: $(BUILD)/libweir.so $(BUILD)/weirc $(BUILD)/weir $(BUILD)/weir.icd $(BUILD)/weir-builtins.a $(BUILD)/weir-forkserver.so

help:
	@sed -n 's/^## //p' Makefile

## make                 build/libweir.so, build/weirc, build/weir, build/weir.icd on all processors; V=1 shows the commands
## make setup           install the Debian packages that building and testing need
## make check           set up, build, pass all tests
## make check-quick     the short tests: three to six minutes
## make check-memory    the tests under AddressSanitizer, ThreadSanitizer and valgrind (half an hour)
## make soak            an hour of abuse: killed compilers, short memory, forks, fuzzers (SOAK_SECONDS=)
## make soak-memory     ten minutes of it in a build with AddressSanitizer
## make soak-threads    ten minutes of it in a build with ThreadSanitizer
## make check-clients   real OpenCL programs from Debian, those that install
## make demo            set up, build, run the demo program on Weir
## make bench           measurements side by side with other implementations (bench-quick, bench-scaling)
## make install PREFIX= ; make deb ; make wheel ; make tarball    three ways to install
## make check-install   each of them from nothing (root, network, mmdebstrap)
## make clean ; make format

$(BUILD)/obj/%.o: src/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(CFLAGS_$(firstword $(subst /, ,$*))) -c $< -o $@

$(BUILD)/obj/cli/bench_kernels.o: src/cli/bench.cl
$(BUILD)/obj/cli/page.o: src/cli/page.html

# An application's thread may have a small stack. A sanitizer's frames are larger.
frame_limit := $(if $(SAN),,-Wframe-larger-than=4608)
CFLAGS_rt := $(call inc,rt) -Isrc/check $(frame_limit) $(if $(SAN),-DWEIR_DEBUG_LOCKS)
CFLAGS_check := $(frame_limit)
CFLAGS_base := $(frame_limit)
# asks llvm-config when it is needed first, and once
CFLAGS_kc = $(eval CFLAGS_kc := $(call inc,kc) $(shell $(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep -E '^-I|^-D'))$(CFLAGS_kc)
CFLAGS_cli := -Isrc/cli

$(BUILD)/libweir.so: $(call obj,rt) $(call obj,check) $(call obj,base) src/rt/libweir.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-Bsymbolic -Wl,-soname,libweir.so -Wl,--version-script=src/rt/libweir.map -Wl,-z,defs -Wl,-z,now -Wl,-z,nodelete \
	  $(if $(SAN),$(patsubst %,-Wl$(comma)--wrap=pthread_mutex_%,lock trylock timedlock unlock)) \
  -o $@ $(call obj,rt) $(call obj,check) $(call obj,base) $(LDFLAGS_ALL) -ldl -lm

$(BUILD)/weirc: $(call obj,kc) $(call obj,base)
	$(call say,LINK,$@)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS_ALL) $(shell $(LLVM_CONFIG) --ldflags --libs) -lseccomp

# runs inside clang: no sanitizers
$(BUILD)/weir-forkserver.so: $(wildcard src/forkserver/*.c) src/base/fork_server.h
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out $(SAN) -MMD -MP,$(CFLAGS_ALL)) -shared -Wl,-z,defs -Wl,-z,now -o $@ $(filter %.c,$^) $(LDFLAGS) -ldl

$(BUILD)/weir: $(call obj,cli) $(call obj,base) $(BUILD)/libweir.so
	$(call say,LINK,$@)
	$(Q)$(CC) -o $@ $(call obj,cli) $(call obj,base) $(LDFLAGS_ALL) -lOpenCL -lm

# Also where the folder was copied or moved.
$(BUILD)/weir.icd: $(if $(filter $(abspath $(BUILD))/libweir.so,$(file <$(BUILD)/weir.icd)),,stale) | $(BUILD)/libweir.so
	$(call say,MAKE,$@)
	@echo $(abspath $(BUILD))/libweir.so > $@
.PHONY: stale
stale:

include lib/cl/build.mk
-include test/test.mk test/clients/clients.mk bench/bench.mk examples/examples.mk scripts/package.mk scripts/standalone.mk

format:
	clang-format-$(LLVM) -i $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/*.h test/*/*.c bench/*.c examples/*.c)

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
