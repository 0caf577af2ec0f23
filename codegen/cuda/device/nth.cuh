// The key with so many others before it, of up to SELECTED keys of one word.
constexpr int SELECTED = 4096, HELD = SELECTED / T;

// join_bits is what the bits of all threads of the block come to by or.
DEVICE u64 join_bits(u64 bits, u64* scratch) {
    for (int d = 16; d > 0; d /= 2) bits |= __shfl_xor_sync(~0u, bits, d);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x / 32] = bits;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) bits |= scratch[w];
    return bits;
}

// nth_key finds it digit by digit, from the highest bit in which keys differ on: those with
// another digit than it are left out. One block does it; keys of ones alone stand for none.
extern "C" __global__ __launch_bounds__(T) void nth_key(const Params p) {
    __shared__ u32 counts[DIGITS];
    __shared__ u32 scratch[WARPS];
    __shared__ u64 bits[WARPS];
    __shared__ u32 found, before, left;
    if (blockIdx.x > 0) return;
    u64 key[HELD], ones = 0, zeros = 0;
    u32 held = 0;
    _Pragma("unroll") for (int k = 0; k < HELD; k++) {
        const u64 i = (u64)k * T + threadIdx.x;
        key[k] = i < p.rows ? p.keys[i] : ~0ull;
    }
    _Pragma("unroll") for (int k = 0; k < HELD; k++) {
        if (key[k] == ~0ull) continue;
        held |= 1u << k;
        ones |= key[k];
        zeros |= ~key[k];
    }
    u64 differing = join_bits(ones, bits) & join_bits(zeros, bits);
    u32 nth = (u32)p.nth, total;
    block_scan<u32>(__popc(held), scratch, total);
    if (threadIdx.x == 0 && nth >= total) *p.out_keys = ~0ull;
    while (differing != 0 && nth < total) {
        const int top = 63 - __clzll((i64)differing), shift = top > 7 ? top - 7 : 0;
        __syncthreads();
        counts[threadIdx.x] = 0;
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < HELD; k++) {
            if (held >> k & 1) atomicAdd(counts + digit_of(key[k], shift), 1u);
        }
        __syncthreads();
        const u32 mine = counts[threadIdx.x], less = block_scan<u32>(mine, scratch, total);
        if (less <= nth && nth < less + mine) found = threadIdx.x, before = less, left = mine;
        __syncthreads();
        _Pragma("unroll") for (int k = 0; k < HELD; k++) {
            if (digit_of(key[k], shift) != found) held &= ~(1u << k);
        }
        nth -= before;
        total = left;
        differing = total == 1 ? 0 : differing & (1ull << shift) - 1;
    }
    // Those that are left are equal.
    _Pragma("unroll") for (int k = 0; k < HELD; k++) {
        if (nth < total && held >> k & 1) *p.out_keys = key[k];
    }
}
