// Digits of keys, and the bits in which keys differ.
constexpr int DIGITS = 256;
DEVICE u32 digit_of(u64 key, u64 shift) { return (u32)(key >> shift) & (DIGITS - 1); }

// same_digit is the lanes that have the same digit.
DEVICE u32 same_digit(u32 digit) {
    u32 same = ~0u;
    _Pragma("unroll") for (int b = 0; b < 8; b++) {
        const bool is = digit >> b & 1;
        const u32 with = __ballot_sync(~0u, is);
        same &= is ? with : ~with;
    }
    return same;
}

// rank_digits counts the digits of a warp's keys, so many of each lane, and sets how many keys of
// the same digit stand before each, turn by turn and lane by lane.
template <int N> DEVICE void rank_digits(const u64 (&key)[N], int turns, u64 shift, u32* counts, u32* rank) {
    for (u32 d = threadIdx.x & 31; d < DIGITS; d += 32) counts[d] = 0;
    __syncwarp();
    _Pragma("unroll") for (int k = 0; k < N; k++) {
        if (k >= turns) break;
        const u32 digit = digit_of(key[k], shift), same = same_digit(digit), lower = lanes_before(same);
        const u32 before = counts[digit];
        __syncwarp();
        if (lower == 0) counts[digit] = before + __popc(same);
        __syncwarp();
        rank[k] = before + lower;
    }
}

// join_bits is what the bits of all threads of the block come to by or.
DEVICE u64 join_bits(u64 bits, u64* scratch) {
    for (int d = 16; d > 0; d /= 2) bits |= __shfl_xor_sync(~0u, bits, d);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x / 32] = bits;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) bits |= scratch[w];
    return bits;
}
