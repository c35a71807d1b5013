/* image_query.cl: what kernels ask of images (OpenCL C 6.15.15.5). */
#include "image.h"

#define BASE(image) (image_of(IMAGE_BITS(image))->level)

#define FORMAT(access, image_t)                                                                              \
    OVERLOAD int get_image_width(access image_t image) {                                                     \
        return (int)BASE(image)->width;                                                                      \
    }                                                                                                        \
    OVERLOAD int get_image_channel_order(access image_t image) {                                             \
        return (int)(CLK_R + image_order(IMAGE_BITS(image)));                                                \
    }                                                                                                        \
    OVERLOAD int get_image_channel_data_type(access image_t image) {                                         \
        return (int)(CLK_SNORM_INT8 + image_type(IMAGE_BITS(image)));                                        \
    }
#define LEVELS(access, image_t)                                                                              \
    OVERLOAD int get_image_num_mip_levels(access image_t image) {                                            \
        return (int)image_of(IMAGE_BITS(image))->levels;                                                     \
    }
#define PLANE(access, image_t)                                                                               \
    OVERLOAD int get_image_height(access image_t image) {                                                    \
        return (int)BASE(image)->height;                                                                     \
    }                                                                                                        \
    OVERLOAD int2 get_image_dim(access image_t image) {                                                      \
        return (int2)((int)BASE(image)->width, (int)BASE(image)->height);                                    \
    }
#define ARRAY(access, image_t)                                                                               \
    OVERLOAD size_t get_image_array_size(access image_t image) {                                             \
        return BASE(image)->array;                                                                           \
    }

#define QUERIES(access)                                                                                      \
    FORMAT(access, image1d_t)                                                                                \
    FORMAT(access, image1d_buffer_t)                                                                         \
    FORMAT(access, image1d_array_t)                                                                          \
    FORMAT(access, image2d_t)                                                                                \
    FORMAT(access, image2d_array_t)                                                                          \
    FORMAT(access, image2d_depth_t)                                                                          \
    FORMAT(access, image2d_array_depth_t)                                                                    \
    FORMAT(access, image3d_t)                                                                                \
    LEVELS(access, image1d_t)                                                                                \
    LEVELS(access, image1d_array_t)                                                                          \
    LEVELS(access, image2d_t)                                                                                \
    LEVELS(access, image2d_array_t)                                                                          \
    LEVELS(access, image2d_depth_t)                                                                          \
    LEVELS(access, image2d_array_depth_t)                                                                    \
    LEVELS(access, image3d_t)                                                                                \
    PLANE(access, image2d_t)                                                                                 \
    PLANE(access, image2d_array_t)                                                                           \
    PLANE(access, image2d_depth_t)                                                                           \
    PLANE(access, image2d_array_depth_t)                                                                     \
    ARRAY(access, image1d_array_t)                                                                           \
    ARRAY(access, image2d_array_t)                                                                           \
    ARRAY(access, image2d_array_depth_t)                                                                     \
    OVERLOAD int get_image_height(access image3d_t image) {                                                  \
        return (int)BASE(image)->height;                                                                     \
    }                                                                                                        \
    OVERLOAD int get_image_depth(access image3d_t image) {                                                   \
        return (int)BASE(image)->depth;                                                                      \
    }                                                                                                        \
    OVERLOAD int4 get_image_dim(access image3d_t image) {                                                    \
        return (int4)((int)BASE(image)->width, (int)BASE(image)->height, (int)BASE(image)->depth, 0);        \
    }
QUERIES(read_only)
QUERIES(write_only)
QUERIES(read_write)
