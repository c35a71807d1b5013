# build.mk: the built-in library, OpenCL C for the neutral triple, joined with libclc by the tool.
LIBCLC   ?= /usr/lib/clc/nvptx64--.bc
CL_FLAGS := -x cl -cl-std=CL3.0 -target nvptx64 -O2 -Xclang -disable-llvm-passes -emit-llvm -c \
            -Iinclude -Ilib/cl -Wall -Wno-unused-parameter -cl-no-stdinc -include opencl-c-base.h -U__NVPTX__ -U__PTX__ \
            -Xclang -cl-ext=+all,+__opencl_c_generic_address_space,+__opencl_c_program_scope_global_variables \
            -Xclang -cl-ext=+__opencl_c_atomic_order_acq_rel,+__opencl_c_atomic_order_seq_cst \
            -Xclang -cl-ext=+__opencl_c_atomic_scope_device,+__opencl_c_atomic_scope_all_devices \
            -Xclang -cl-ext=+__opencl_c_fp64,+__opencl_c_int64,+__opencl_c_work_group_collective_functions \
            -Xclang -cl-ext=+__opencl_c_images,+__opencl_c_read_write_images,+__opencl_c_3d_image_writes \
            -Xclang -cl-ext=+__opencl_c_device_enqueue,+__cl_clang_function_pointers

cl_objects := $(patsubst lib/cl/%.cl,$(BUILD)/cl/%.bc,$(wildcard lib/cl/*.cl))

$(BUILD)/cl/%.bc: lib/cl/%.cl $(wildcard lib/cl/*.h) include/abi.h lib/cl/build.mk
	$(call say,CL,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CL_FLAGS) $< -o $@

$(BUILD)/builtins-tool: lib/cl/tool.c lib/cl/archive.c lib/cl/tool.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(WARN) -O1 $(CFLAGS_kc) $(filter %.c,$^) -o $@ $(shell $(LLVM_CONFIG) --ldflags --libs)

$(BUILD)/weir-builtins.a: $(BUILD)/builtins-tool $(cl_objects)
	$(call say,AR,$@)
	$(Q)$(BUILD)/builtins-tool $@.new $(LIBCLC) $(cl_objects) && mv $@.new $@
