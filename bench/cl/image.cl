// image.cl: images: sampling, filters, a tile of an image in local memory.

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t repeating = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t bordered = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

#define AT ((int2)((int)get_global_id(0), (int)get_global_id(1)))

// Where the work-item's pixel is in the image turned around its middle: numbers that a float holds exactly.
float2 turned(float a, float b, int side) {
    float2 p = convert_float2(AT) + 0.5f - 0.5f * side;
    return (float2)(a * p.x - b * p.y, b * p.x + a * p.y) + 0.5f * side;
}

kernel void turn_nearest(read_only image2d_t from, write_only image2d_t to, float a, float b) {
    write_imagef(to, AT, read_imagef(from, nearest, turned(a, b, get_image_width(from))));
}

kernel void turn_integers(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, float a,
                          float b) {
    write_imageui(to, AT, read_imageui(from, sampler, turned(a, b, get_image_width(from))));
}

kernel void turn_linear(read_only image2d_t from, write_only image2d_t to, float a, float b) {
    int side = get_image_width(from);
    write_imagef(to, AT, read_imagef(from, repeating, turned(a, b, side) * (1.0f / (float)side)));
}

kernel void zoom(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, float scale,
                 float start) {
    write_imagef(to, AT, read_imagef(from, sampler, (convert_float2(AT) + 0.5f) * scale + start));
}

// Each work-item adds what lies on its ray through a volume, which leaves the volume at both ends. Two rays are a voxel
// apart.
kernel void project(read_only image3d_t volume, global float *out, float scale, float slope, uint steps) {
    float sum = 0;
    float x = ((float)get_global_id(0) + 0.5f) * 0.5f * scale, y = ((float)get_global_id(1) + 0.5f) * 0.5f * scale;
    for (uint i = 0; i < steps; i++) {
        float z = ((float)i - 4.25f) * scale;
        sum += read_imagef(volume, bordered, (float4)(x + slope * z, y - slope * z, z, 0)).x;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

#define R 4
kernel void blur_rows(read_only image2d_t from, write_only image2d_t to, constant float *weights) {
    float4 sum = 0;
    for (int i = -R; i <= R; i++)
        sum += weights[i + R] * read_imagef(from, nearest, AT + (int2)(i, 0));
    write_imagef(to, AT, sum);
}

kernel void blur_columns(read_only image2d_t from, write_only image2d_t to, constant float *weights) {
    float4 sum = 0;
    for (int i = -R; i <= R; i++)
        sum += weights[i + R] * read_imagef(from, nearest, AT + (int2)(0, i));
    write_imagef(to, AT, sum);
}

#define NEAR 3
kernel void bilateral(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, float space,
                      float range) {
    float4 middle = read_imagef(from, sampler, AT), sum = 0;
    float total = 0;
    for (int y = -NEAR; y <= NEAR; y++)
        for (int x = -NEAR; x <= NEAR; x++) {
            float4 c = read_imagef(from, sampler, AT + (int2)(x, y));
            float3 d = c.xyz - middle.xyz;
            float weight = exp(-space * (float)(x * x + y * y) - range * (d.x * d.x + d.y * d.y + d.z * d.z));
            sum += weight * c;
            total += weight;
        }
    write_imagef(to, AT, sum / total);
}

#define T    16
#define HALO 2
kernel void tile(read_only image2d_t from, write_only image2d_t to, constant float *weights) {
    local float s[T + 2 * HALO][T + 2 * HALO];
    int x = get_local_id(0), y = get_local_id(1), width = T + 2 * HALO;
    int2 base = (int2)((int)get_group_id(0), (int)get_group_id(1)) * T - HALO;
    for (int i = y * T + x; i < width * width; i += T * T)
        s[i / width][i % width] = read_imagef(from, nearest, base + (int2)(i % width, i / width)).x;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i <= 2 * HALO; i++)
        for (int j = 0; j <= 2 * HALO; j++)
            sum += weights[i * (2 * HALO + 1) + j] * s[y + i][x + j];
    write_imagef(to, AT, (float4)(sum, 0, 0, 1));
}
