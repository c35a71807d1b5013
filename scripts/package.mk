# package.mk: setting up a machine, installing, and the Debian package.
#
# PREFIX/lib/weir holds libweir.so, weirc, its fork server and the built-in library: they find each other by lying together.
# The ICD file goes where the loader looks by default if PREFIX belongs to the system, else under PREFIX:
# OCL_ICD_VENDORS=PREFIX/etc/OpenCL/vendors then makes it known.
.PHONY: setup install uninstall deb
setup:
	@scripts/setup

ifneq ($(filter /usr /usr/local,$(PREFIX)),)
VENDORS := /etc/OpenCL/vendors
else
VENDORS := $(PREFIX)/etc/OpenCL/vendors
endif
LIBDIR := $(PREFIX)/lib/weir

install: all
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
	rm -f $(foreach f,libweir.so weirc weir-forkserver.so weir-builtins.a,'$(DESTDIR)$(LIBDIR)/$(f)')
	-rmdir '$(DESTDIR)$(LIBDIR)'

DEB_ARCH = $(shell dpkg --print-architecture)
DEB = $(BUILD)/weir_$(VERSION)_$(DEB_ARCH).deb
define DEB_CONTROL
Package: weir
Version: $(VERSION)
Architecture: $(DEB_ARCH)
Maintainer: The Weir developers <weir@localhost>
Section: libs
Priority: optional
Depends: libc6 (>= 2.36), libllvm22, libseccomp2, clang-22, binutils, ocl-icd-libopencl1 | libopencl1
Provides: opencl-icd
Description: OpenCL 3.0 for CPUs
 An OpenCL implementation that runs kernels on all cores of the machine. Programs find
 it through the ICD loader; kernels are compiled by LLVM in a process of their own.
 The command weir shows the device, runs and compiles kernels.
endef
export DEB_CONTROL

deb: all
	$(call say,DEB,$(DEB))
	$(Q)rm -rf $(BUILD)/deb
	$(Q)$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(abspath $(BUILD))/deb
	$(Q)strip --strip-unneeded $(addprefix $(BUILD)/deb/usr/,lib/weir/libweir.so lib/weir/weirc lib/weir/weir-forkserver.so bin/weir)
	$(Q)install -D -m 644 README.md $(BUILD)/deb/usr/share/doc/weir/README.md
	$(Q)mkdir -p $(BUILD)/deb/DEBIAN
	$(Q)printf '%s\n' "$$DEB_CONTROL" > $(BUILD)/deb/DEBIAN/control
	$(Q)dpkg-deb --root-owner-group --build $(BUILD)/deb $(DEB)
