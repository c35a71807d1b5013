// item.cl: work-items on their own: no barriers, much arithmetic.

static float cumulative(float x) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float poly = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f +
                                                                                   k * 1.330274429f))));
    float tail = 0.39894228f * exp(-0.5f * x * x) * poly;
    return x > 0 ? 1 - tail : tail;
}

kernel void black_scholes(global const float *price, global const float *strike, global const float *years,
                          global float *call, global float *put, float rate, float volatility) {
    uint i = get_global_id(0);
    float root = sqrt(years[i]), spread = volatility * root;
    float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
    float n1 = cumulative(d1), n2 = cumulative(d1 - spread), now = strike[i] * exp(-rate * years[i]);
    call[i] = price[i] * n1 - now * n2;
    put[i] = now * (1 - n2) - price[i] * (1 - n1);
}

// Three numbers per work-item, side by side: a rotation and a shift.
kernel void points_of_three(global const float *in, global float *out, float c, float d) {
    uint i = get_global_id(0);
    float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
    out[3 * i] = x * c - y * d;
    out[3 * i + 1] = x * d + y * c;
    out[3 * i + 2] = z + 1;
}

kernel void mandelbrot(global uint *out, float scale, uint limit) {
#pragma OPENCL FP_CONTRACT OFF // the counts are compared exactly
    uint x = get_global_id(0), y = get_global_id(1), n = 0;
    float cx = (float)x * scale - 2.0f, cy = (float)y * scale - 1.0f, zx = 0, zy = 0;
    while (n < limit) {
        float xx = zx * zx, yy = zy * zy;
        if (xx + yy > 4)
            break;
        zy = 2 * zx * zy + cy;
        zx = xx - yy + cx;
        n++;
    }
    out[y * get_global_size(0) + x] = n;
}

constant uint round_constants[64] = {ROUND_CONSTANTS};

// SHA-256 of one padded block of 16 big-endian words each.
kernel void sha256(global const uint *in, global uint *out) {
    uint id = get_global_id(0), w[16], s[8], h[8] = {INITIAL_STATE};
    for (uint i = 0; i < 16; i++)
        w[i] = in[id * 16 + i];
    for (uint i = 0; i < 8; i++)
        s[i] = h[i];
    for (uint i = 0; i < 64; i++) {
        uint t = w[i % 16];
        if (i >= 16) {
            uint a = w[(i + 1) % 16], b = w[(i + 14) % 16];
            t += w[(i + 9) % 16] + (rotate(a, 25u) ^ rotate(a, 14u) ^ a >> 3) +
                 (rotate(b, 15u) ^ rotate(b, 13u) ^ b >> 10);
            w[i % 16] = t;
        }
        uint t1 = s[7] + (rotate(s[4], 26u) ^ rotate(s[4], 21u) ^ rotate(s[4], 7u)) +
                  ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + t;
        uint t2 = (rotate(s[0], 30u) ^ rotate(s[0], 19u) ^ rotate(s[0], 10u)) +
                  ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (uint j = 7; j; j--)
            s[j] = s[j - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (uint i = 0; i < 8; i++)
        out[id * 8 + i] = h[i] + s[i];
}

/* Where keys belong among sorted numbers: loops that lanes leave at different times. NaNs come last. */
kernel void binary_search(global const float *sorted, global const float *keys, global uint *places, uint n) {
    float key = keys[get_global_id(0)];
    ulong first = 0, left = n;
    while (left > 0) {
        ulong middle = left / 2, at = first + middle;
        float x = sorted[at];
        if (!isnan(x) && (isnan(key) || x < key)) {
            left -= middle + 1;
            first = at + 1;
        } else {
            left = middle;
        }
    }
    places[get_global_id(0)] = first;
}

#ifdef cl_khr_fp64
/* What reactions' rates add up to by Arrhenius' law, in doubles: a straight line of logarithms and exponentials. */
kernel void reaction_rates(global const float *temperature, global float *total) {
    double t = temperature[get_global_id(0)], l = log(t), inverse = 1 / t, sum = 0;
#pragma unroll
    for (int i = 0; i < 24; i++)
        sum += exp((20 + 0.37 * i) + (0.5 - 0.11 * i) * l - (150 + 700 * i) * inverse);
    total[get_global_id(0)] = (float)log10(sum);
}
#endif
