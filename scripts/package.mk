# package.mk: setting up a machine, installing, and the Debian package.
#
# PREFIX/lib/weir holds libweir.so, weirc, its fork server and the built-in library: they find each other by lying together.
# The ICD file goes where the loader looks by default if PREFIX belongs to the system, else under PREFIX:
# OCL_ICD_VENDORS=PREFIX/etc/OpenCL/vendors then makes it known.
.PHONY: setup install uninstall
setup:
	@scripts/setup

ifneq ($(filter /usr /usr/local,$(PREFIX)),)
VENDORS := /etc/OpenCL/vendors
else
VENDORS := $(PREFIX)/etc/OpenCL/vendors
endif
LIBDIR := $(PREFIX)/lib/weir

install: all install-docs
	install -d '$(DESTDIR)$(LIBDIR)' '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(VENDORS)'
	install -m 755 $(BUILD)/libweir.so $(BUILD)/weirc $(BUILD)/weir-forkserver.so '$(DESTDIR)$(LIBDIR)'
	install -m 644 $(BUILD)/weir-builtins.a '$(DESTDIR)$(LIBDIR)'
	install -m 755 $(BUILD)/weir '$(DESTDIR)$(PREFIX)/bin'
	echo '$(LIBDIR)/libweir.so' > '$(DESTDIR)$(VENDORS)/weir.icd'
ifeq ($(DESTDIR)$(filter /etc/%,$(VENDORS)),)
	@echo 'To use it: export OCL_ICD_VENDORS=$(VENDORS)'
endif

uninstall:
	rm -f '$(DESTDIR)$(VENDORS)/weir.icd' '$(DESTDIR)$(PREFIX)/bin/weir'
	rm -f '$(DESTDIR)$(PREFIX)/share/man/man1/'weir*.1 '$(DESTDIR)$(PREFIX)/share/man/man7/weir.7'
	rm -f $(foreach f,$(COMPLETIONS),'$(DESTDIR)$(PREFIX)/$(f)')
	rm -f $(foreach f,libweir.so weirc weir-forkserver.so weir-builtins.a,'$(DESTDIR)$(LIBDIR)/$(f)')
	-rmdir '$(DESTDIR)$(LIBDIR)'

# Man pages and completions, made of what the command tells about itself.
.PHONY: man install-docs
man: $(BUILD)/man/done
# a file, so that what is packed at the same time finds the pages made
$(BUILD)/man/done: $(BUILD)/weir docs/environment.md scripts/man
	$(call say,MAN,$(BUILD)/man)
	$(Q)rm -rf $(BUILD)/man
	$(Q)scripts/man $(BUILD)/weir docs/environment.md $(BUILD)/man
	$(Q)touch $@

COMPLETIONS := share/bash-completion/completions/weir share/zsh/vendor-completions/_weir share/fish/vendor_completions.d/weir.fish
install-docs: man
	$(Q)for section in 1 7; do install -d '$(DESTDIR)$(PREFIX)/share/man/man'$$section && \
	  install -m 644 $(BUILD)/man/man$$section/* '$(DESTDIR)$(PREFIX)/share/man/man'$$section; done
	$(Q)install -D -m 644 scripts/completion/weir.bash '$(DESTDIR)$(PREFIX)/$(word 1,$(COMPLETIONS))'
	$(Q)install -D -m 644 scripts/completion/_weir '$(DESTDIR)$(PREFIX)/$(word 2,$(COMPLETIONS))'
	$(Q)install -D -m 644 scripts/completion/weir.fish '$(DESTDIR)$(PREFIX)/$(word 3,$(COMPLETIONS))'

# The package. Its dependencies are the libraries that its programs name (dpkg-shlibdeps), and clang, which weirc runs.
.PHONY: deb
DEB_ARCH = $(shell dpkg --print-architecture)
DEB_NAME := weir-opencl-icd
DEB_VERSION := $(VERSION)-1
DEB_MAINTAINER ?= Weir <weir@example.org>
DEB = $(BUILD)/$(DEB_NAME)_$(DEB_VERSION)_$(DEB_ARCH).deb
DEB_DOC = $(BUILD)/deb/usr/share/doc/$(DEB_NAME)
define DEB_CONTROL
Package: $(DEB_NAME)
Version: $(DEB_VERSION)
Architecture: $(DEB_ARCH)
Maintainer: $(DEB_MAINTAINER)
Section: libs
Priority: optional
Depends: @LIBRARIES@, ocl-icd-libopencl1 (>= 2.2.0) | libopencl1, clang-22
Suggests: binutils
Provides: opencl-icd, opencl-icd-1.1-1, opencl-icd-1.2-1
Conflicts: weir
Replaces: weir
Description: OpenCL 3.1 for CPUs
 Weir is an OpenCL implementation that runs kernels on all cores of the machine.
 Programs find it through the ICD loader; kernels are compiled by LLVM in a
 process of their own.
 .
 The command weir shows the device, runs and compiles kernels, tells how each
 line of them runs, and finds data races and divergent barriers.
endef
define DEB_COPYRIGHT
Weir $(VERSION), a package made by `make deb` of Weir's source.

Copyright (C) 2026 the owner of Weir, who has not named a licence: without one nobody else may copy or change
it.

The file /usr/lib/weir/weir-builtins.a holds functions of libclc, compiled to
LLVM's bitcode; they are under the Apache License 2.0 with LLVM Exceptions or
the MIT licence, see /usr/share/doc/libclc-22/copyright where libclc is
installed, and https://llvm.org/LICENSE.txt. On Debian systems the Apache
License is in /usr/share/common-licenses/Apache-2.0.

The files /usr/lib/weir/weirc and /usr/lib/weir/libweir.so hold xxHash, which
is under the BSD 2-clause licence: copyright Yann Collet, https://xxhash.com.
endef
define DEB_CHANGELOG
$(DEB_NAME) ($(DEB_VERSION)) unstable; urgency=medium

  * See /usr/share/doc/$(DEB_NAME)/changelog.gz.

 -- $(DEB_MAINTAINER)  @DATE@
endef
export DEB_CONTROL DEB_COPYRIGHT DEB_CHANGELOG

deb: all man
	$(call say,DEB,$(DEB))
	$(Q)rm -rf $(BUILD)/deb $(BUILD)/deb.work
	$(Q)$(MAKE) --no-print-directory -s install PREFIX=/usr DESTDIR=$(abspath $(BUILD))/deb
	$(Q)strip --strip-unneeded --remove-section=.comment --remove-section=.note \
	  $(addprefix $(BUILD)/deb/usr/,lib/weir/libweir.so lib/weir/weirc lib/weir/weir-forkserver.so bin/weir)
	$(Q)chmod 644 $(BUILD)/deb/usr/lib/weir/*.so
	$(Q)install -d $(BUILD)/deb/usr/share/lintian/overrides
	$(Q)printf '# modules of bitcode\n%s: no-code-sections *\n# not for the archive\n%s: initial-upload-closes-no-bugs *\n' $(DEB_NAME) $(DEB_NAME) \
	  > $(BUILD)/deb/usr/share/lintian/overrides/$(DEB_NAME)
	$(Q)mkdir -p $(BUILD)/deb/DEBIAN $(BUILD)/deb.work/debian $(DEB_DOC)
	$(Q)gzip -9n $(BUILD)/deb/usr/share/man/man?/*
	$(Q)gzip -9nc CHANGELOG.md > $(DEB_DOC)/changelog.gz
	$(Q)printf '%s\n' "$$DEB_CHANGELOG" | sed "s/@DATE@/$$(date -R -u -r CHANGELOG.md)/" | gzip -9n > $(DEB_DOC)/changelog.Debian.gz
	$(Q)printf '%s\n' "$$DEB_COPYRIGHT" > $(DEB_DOC)/copyright
	$(Q)install -m 644 README.md $(DEB_DOC)
	$(Q)printf 'Source: weir\n\nPackage: $(DEB_NAME)\nArchitecture: any\n' > $(BUILD)/deb.work/debian/control
	$(Q)libraries=$$(cd $(BUILD)/deb.work && dpkg-shlibdeps --ignore-missing-info -O $(foreach f,lib/weir/libweir.so \
	  lib/weir/weirc lib/weir/weir-forkserver.so bin/weir,-e../deb/usr/$(f)) | sed 's/^shlibs:Depends=//; s/, [a-z-]*opencl[^,]*//g') && \
	  printf '%s\n' "$$DEB_CONTROL" | sed "s/@LIBRARIES@/$$libraries/" > $(BUILD)/deb/DEBIAN/control
	$(Q)echo /etc/OpenCL/vendors/weir.icd > $(BUILD)/deb/DEBIAN/conffiles
	$(Q)cd $(BUILD)/deb && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums
	$(Q)echo "Installed-Size: $$(du -sk --exclude=DEBIAN $(BUILD)/deb | cut -f1)" > $(BUILD)/deb.work/size && \
	  sed -i "/^Architecture:/r $(BUILD)/deb.work/size" $(BUILD)/deb/DEBIAN/control
	$(Q)dpkg-deb --root-owner-group --build $(BUILD)/deb $(DEB)
