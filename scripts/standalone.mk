# standalone.mk: installations that need nothing of the system but a C library of 2.28 or later: a tar ball that runs where
# it is unpacked, and a wheel for Python.
#
# weirc is one static program with LLVM's optimizer, its code generator for x86 and clang's front end in it; libweir.so and
# the command weir take old versions of the C library's functions (src/standalone). `weir` is linked with libweir.so itself,
# as there may be no loader. Needs libclang-22-dev, zlib1g-dev, libzstd-dev and g++ (scripts/setup --standalone).
.PHONY: standalone wheel tarball
SA := $(BUILD)/standalone
OLD_LIBC := -include src/standalone/old_libc.h
CLANG_LIBS := $(addprefix -lclang,Frontend CodeGen Parse Sema APINotes Edit AnalysisLifetimeSafety Analysis ASTMatchers AST \
  Serialization Driver Lex Support Options Basic)
# Polly, which Debian's build names, is left out: front_end.cpp stands in for it
SA_LLVM_LIBS = $(filter-out -lPolly%,$(shell $(LLVM_CONFIG) --link-static --ldflags --libs x86 passes bitreader bitwriter \
  irreader linker option coverage lto windowsdriver frontendhlsl frontendoffloading frontendopenmp debuginfodwarf)) \
  -lLLVMFrontendDriver
CLANG_HEADERS := $(addprefix $(shell $(CLANG) -print-resource-dir 2>/dev/null)/include/,opencl-c.h opencl-c-base.h)

$(SA)/obj/%.o: src/%.c src/standalone/old_libc.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(OLD_LIBC) $(CFLAGS_$(firstword $(subst /, ,$*))) -c $< -o $@

# fast where all packages are there
.PHONY: setup-standalone
setup-standalone:
	@scripts/setup --standalone

$(SA)/obj/standalone/front_end.o: src/standalone/front_end.cpp src/standalone/front_end.h | setup-standalone
	$(call say,C++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -fno-rtti -fno-exceptions -Wall -Wextra -Werror -Wno-unused-parameter \
	  -isystem $(shell $(LLVM_CONFIG) --includedir) -c $< -o $@

$(SA)/obj/standalone/fork_server.o: src/forkserver/fork_server.c src/base/fork_server.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -DSTANDALONE -c $< -o $@

$(SA)/weirc: $(call obj,kc) $(call obj,base) $(addprefix $(SA)/obj/standalone/,front_end.o fork_server.o)
	$(call say,LINK,$@)
	$(Q)$(CXX) -static-pie -s -o $@ $^ -Wl,--gc-sections -Wl,--no-warnings -Wl,-z,relro -Wl,-z,now -Wl,--start-group $(CLANG_LIBS) \
	  $(SA_LLVM_LIBS) -Wl,--end-group -lseccomp -lz -lzstd -pthread -lm

$(SA)/obj/cli/bench_kernels.o: src/cli/bench.cl
$(SA)/obj/cli/page.o: src/cli/page.html

sa_obj = $(patsubst src/%.c,$(SA)/obj/%.o,$(call src,$(1)))
SA_OLD := $(SA)/obj/standalone/old_libc.o
# since 2.34 these two are empty, before they are not
SA_LIBS := -Wl,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -Wl,--as-needed -lm

$(SA)/libweir.so: $(call sa_obj,rt) $(call sa_obj,check) $(call sa_obj,base) $(SA_OLD) src/rt/libweir.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -s -Wl,-Bsymbolic -Wl,-soname,libweir.so -Wl,--version-script=src/rt/libweir.map -Wl,-z,defs -Wl,-z,now \
	  -Wl,-z,nodelete -o $@ $(filter %.o,$^) $(SA_LIBS)

$(SA)/weir: $(call sa_obj,cli) $(call sa_obj,base) $(SA_OLD) $(addprefix $(SA)/obj/standalone/,old_start.o dispatch.o) $(SA)/libweir.so
	$(call say,LINK,$@)
	$(Q)$(CC) -s -o $@ $(filter %.o,$^) -Wl,-z,now -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib/weir' -L$(SA) -l:libweir.so $(SA_LIBS)

# The tree that both pack: it may lie anywhere.
SA_TREE := $(SA)/weir-$(VERSION)
# whose notices go with it, by the packages that they come from
SA_LICENSES := libllvm22 libclang-22-dev libclc-22 libseccomp-dev zlib1g-dev libzstd-dev libc6-dev libstdc++-12-dev \
  libxxhash-dev
$(SA)/tree: standalone man NOTICE CHANGELOG.md scripts/activate
	$(call say,TREE,$(SA_TREE))
	$(Q)rm -rf $(SA_TREE)
	$(Q)mkdir -p $(SA_TREE)/bin $(SA_TREE)/lib/weir/clang/include $(SA_TREE)/share/doc/weir/licenses
	$(Q)install -m 755 $(SA)/weir $(SA_TREE)/bin
	$(Q)install -m 755 $(SA)/weirc $(SA)/libweir.so $(SA_TREE)/lib/weir
	$(Q)install -m 644 $(BUILD)/weir-builtins.a $(SA_TREE)/lib/weir
	$(Q)install -m 644 $(CLANG_HEADERS) $(SA_TREE)/lib/weir/clang/include
	$(Q)install -m 644 scripts/activate $(SA_TREE)
	$(Q)$(MAKE) --no-print-directory -s install-docs PREFIX= DESTDIR=$(abspath $(SA_TREE)) >/dev/null
	$(Q)install -m 644 README.md NOTICE CHANGELOG.md $(SA_TREE)/share/doc/weir
	$(Q)for p in $(SA_LICENSES); do install -m 644 /usr/share/doc/$$p/copyright \
	  $(SA_TREE)/share/doc/weir/licenses/$$p || exit 1; done
	$(Q)install -m 644 $(addprefix /usr/share/common-licenses/,LGPL-2.1 GPL-3 Apache-2.0) $(SA_TREE)/share/doc/weir/licenses
	$(Q)touch $@

TARBALL := $(BUILD)/weir-$(VERSION)-linux-x86_64.tar.xz
tarball: $(TARBALL)
$(TARBALL): $(SA)/tree
	$(call say,TAR,$@)
	$(Q)tar -C $(SA) --owner=0 --group=0 --numeric-owner --sort=name -cf - weir-$(VERSION) | xz -T0 -6 > $@.new && mv $@.new $@
	@ls -l $@

WHEEL := $(BUILD)/weir_opencl-$(VERSION)-py3-none-manylinux_2_28_x86_64.whl
wheel: $(WHEEL)
$(WHEEL): $(SA)/tree $(wildcard scripts/wheel/*.py scripts/wheel/weir/*.py)
	$(call say,WHEEL,$@)
	$(Q)python3 scripts/wheel/make.py $(VERSION) $(SA_TREE) $@
	@ls -l $@

standalone: $(SA)/weirc $(SA)/libweir.so $(SA)/weir $(BUILD)/weir-builtins.a

-include $(shell find $(SA)/obj -name '*.d' 2>/dev/null)

# The three ways to install, from nothing: needs root, the network and mmdebstrap; not a part of `make check`.
.PHONY: check-install
check-install: deb wheel tarball
	test/install/check-install $(DEB) $(WHEEL) $(TARBALL)
