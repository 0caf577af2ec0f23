// The first rows of an order. A bound of their keys is found in a sample: each thread
// that reads rows of it offers the least key of each of its quads to one of LEAST places, of
// which one with enough others before it bounds the rows that are kept. One tile in STRIDE is in
// the sample: a quad of rows in order, with that of the lane beside it, then stands for as many
// rows as one of the sample does of rows at random.
constexpr u32 LEAST = 4096;
constexpr i64 STRIDE = 8;

// offer_least offers the least keys of a thread's quads, ~0 for none, those of two lanes together.
// Blocks that follow each other offer to places of their own, so that of rows in order, few of
// which have the first keys, each place has one.
DEVICE void offer_least(u64* least, u64* keys) {
    QUADS {
        const u64 other = __shfl_xor_sync(~0u, keys[q], 1);
        keys[q] = other < keys[q] ? other : keys[q];
    }
    constexpr int OFFERS = (R / 4 + 1) / 2;
    _Pragma("unroll") for (int i = 0; i < OFFERS; i++) {
        const u64 odd = 2 * i + 1 < R / 4 ? keys[(2 * i + 1) % (R / 4)] : ~0ull, key = threadIdx.x & 1 ? odd : keys[2 * i];
        u64* const place = least + (((u64)blockIdx.x * OFFERS + i) * T + threadIdx.x) % LEAST;
        if (key < *(volatile u64*)place) atomicMin(place, key);
    }
}

// sampled_tile is the first row of one of so many tiles of the sample: those at the end are
// counted from there, so that both ends are in it.
DEVICE i64 sampled_tile(i64 sample, i64 samples, i64 tiles) {
    return (2 * sample < samples ? sample * STRIDE : tiles - 1 - (samples - 1 - sample) * STRIDE) * TILE;
}

// FoundBound is what a bound is found by: digit by digit, from the highest bit in which keys differ on.
struct FoundBound {
    u64 bits[WARPS];
    u32 counts[DIGITS], scratch[WARPS];
    u32 digit, before, left;
};

// places_of is how many of so many places have one of some rows, each of which is in any, at least:
// the share of them is 1 - e^-x, of which these are the first terms.
DEVICE u32 places_of(u32 rows, u32 places) {
    const float x = (float)rows / (float)places;
    return (u32)((float)places * x * (1 - x * (0.5f - x / 6)));
}

// find_bound sets the bound: that one of the least keys which so many rows of the sample come
// before, where they are at random, and so many of the least keys, where rows are in order; ~0 where
// that may be too few. One block does it.
DEVICE void find_bound(FoundBound& found, const u64* least, u32 sampled, u32 ordered, u64* bound) {
    constexpr int HELD = LEAST / T;
    u64 key[HELD], ones = 0, zeros = 0;
    u32 held = 0, total;
    _Pragma("unroll") for (int k = 0; k < HELD; k++) key[k] = least[k * T + threadIdx.x];
    _Pragma("unroll") for (int k = 0; k < HELD; k++) {
        if (key[k] == ~0ull) continue;
        held |= 1u << k;
        ones |= key[k];
        zeros |= ~key[k];
    }
    u64 differing = join_bits(ones, found.bits) & join_bits(zeros, found.bits);
    block_scan<u32>(__popc(held), found.scratch, total);
    u32 nth = total < sampled ? total : max(places_of(sampled, total), ordered);
    if (threadIdx.x == 0 && nth >= total) *bound = ~0ull;
    while (differing != 0 && nth < total) {
        const int top = 63 - __clzll((i64)differing), shift = top > 7 ? top - 7 : 0;
        __syncthreads();
        if (threadIdx.x < DIGITS) found.counts[threadIdx.x] = 0;
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < HELD; k++) {
            if (held >> k & 1) atomicAdd(found.counts + digit_of(key[k], shift), 1u);
        }
        __syncthreads();
        const u32 mine = threadIdx.x < DIGITS ? found.counts[threadIdx.x] : 0, less = block_scan<u32>(mine, found.scratch, total);
        if (less <= nth && nth < less + mine) found.digit = threadIdx.x, found.before = less, found.left = mine;
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < HELD; k++) {
            if (digit_of(key[k], shift) != found.digit) held &= ~(1u << k);
        }
        nth -= found.before;
        total = found.left;
        differing = total == 1 ? 0 : differing & (1ull << shift) - 1;
    }
    // Those that are left are equal.
    _Pragma("unroll") for (int k = 0; k < HELD; k++) {
        if (nth < total && held >> k & 1) *bound = key[k];
    }
}

// first_equal returns those of a warp's rows with the key that is the bound which are among the
// first so many of all warps. enough becomes true when none is any more.
DEVICE u32 first_equal(u32 equal, bool& enough, u64* count, u64 wanted) {
    if (enough || !__any_sync(~0u, equal)) return 0;
    const u32 mine = __popc(equal), up_to = warp_scan(mine);
    u64 last = 0;
    if ((threadIdx.x & 31) == 31) last = atomicAdd(count, (u64)up_to) + up_to;
    last = __shfl_sync(~0u, last, 31);
    enough = last >= wanted;
    u64 place = last - __shfl_sync(~0u, up_to, 31) + up_to - mine;
    ROWS if (bit(equal, r) && place++ >= wanted) equal &= ~(1u << r);
    return equal;
}

// saturated is v, or the nearest 64-bit integer.
DEVICE i64 saturated(i128 v) {
    const i64 max = (i64)(~0ull >> 1);
    return v > max ? max : v < -max - 1 ? -max - 1 : (i64)v;
}
