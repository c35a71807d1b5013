/* image.h: what the tests of images share; after api.h. */
#ifndef IMAGE_H
#define IMAGE_H

SHARED void needs_images(void) {
    cl_bool has = CL_FALSE;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL));
    if (!has)
        skip();
}

SHARED size_t device_size(cl_device_info name) {
    size_t value = 0;
    OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, NULL));
    return value;
}

SHARED const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};

/* All types in one size, height and layers only where there are such. */
enum { W = 13, H = 7, D = 5, N = W * H * D };
SHARED const cl_image_desc all_types[] = {
    {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = W},
    {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = W, .image_array_size = D},
    {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H},
    {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = W, .image_height = H, .image_array_size = D},
    {.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = W, .image_height = H, .image_depth = D},
};

SHARED cl_image_desc plane(size_t width, size_t height) {
    return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

/* The image's size in the coordinates of the API. */
SHARED void size_of(const cl_image_desc *d, size_t size[3]) {
    bool rows_are_layers = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size[0] = d->image_width;
    size[1] = rows_are_layers ? d->image_array_size : d->image_height ? d->image_height : 1;
    size[2] = d->image_depth                            ? d->image_depth
              : d->image_array_size && !rows_are_layers ? d->image_array_size
                                                        : 1;
}

SHARED cl_mem image_of(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                       void *host) {
    return MADE(clCreateImage(cl.context, flags, format, desc, host, &error));
}

SHARED cl_mem plane_of(cl_mem_flags flags, size_t width, size_t height, void *host) {
    cl_image_desc desc = plane(width, height);
    return image_of(flags, &rgba8, &desc, host);
}

#endif
