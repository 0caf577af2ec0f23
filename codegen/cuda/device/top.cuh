// The first rows of an order. A bound of their keys is found in a sample: each thread
// that reads rows of it offers the least key of each of its quads to one of LEAST places, of
// which one with enough others before it bounds the rows that are kept.
constexpr u32 LEAST = 4096;

// SAMPLING is how many blocks read the sample, at most: offers of more get in each other's way.
constexpr u32 SAMPLING = 256;

// offer_least offers the least keys of a thread's quads, ~0 for none. Quads of blocks that
// follow each other are offered to places of their own, so that of rows in order, few of which
// have the first keys, each place has one.
DEVICE void offer_least(u64* least, const u64* keys) {
    QUADS {
        u64* const place = least + (((u64)blockIdx.x * T + threadIdx.x) * (R / 4) + q) % LEAST;
        if (keys[q] < *(volatile u64*)place) atomicMin(place, keys[q]);
    }
}

// sampled_tile is the first row of one of so many tiles, one in stride of all: those at the end
// are counted from there, so that both ends are in the sample.
DEVICE i64 sampled_tile(i64 sample, i64 samples, i64 stride, i64 tiles) {
    return (2 * sample < samples ? sample * stride : tiles - 1 - (samples - 1 - sample) * stride) * TILE;
}

// first_equal returns those of a thread's rows with the key that is the bound which are
// among the first so many of all threads.
DEVICE u32 first_equal(u32 equal, u32* scratch, u64& first, u64* count, u64 wanted) {
    if (!__syncthreads_or(equal)) return 0;
    if (threadIdx.x == 0) first = *(volatile u64*)count;
    __syncthreads();
    const u64 seen = first;
    __syncthreads();
    if (seen >= wanted) return 0;
    u64 place = take_places<u32>(scratch, first, __popc(equal), count);
    ROWS if (bit(equal, r) && place++ >= wanted) equal &= ~(1u << r);
    return equal;
}

// saturated is v, or the nearest 64-bit integer.
DEVICE i64 saturated(i128 v) {
    const i64 max = (i64)(~0ull >> 1);
    return v > max ? max : v < -max - 1 ? -max - 1 : (i64)v;
}
