// finds: data-race 18 20
// global: 64
// local: 64
// options: -cl-std=CL3.0
// arg: int in[1024] = i
// arg: int out[64] = 0
// A fence orders copies before it and behind it, in the memory that its flags name.
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : enable
kernel void k(global const int *in, global int *out) {
    local int a[128], b[128];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(a, in, 64, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(a + 63, in + 64, 64, e);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    e = async_work_group_copy(out, a, 64, e);
    wait_group_events(1, &e);
    event_t f = async_work_group_copy(b, in, 64, 0);
    async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE);
    f = async_work_group_copy(b + 63, in + 64, 64, f);
    wait_group_events(1, &f);
}
