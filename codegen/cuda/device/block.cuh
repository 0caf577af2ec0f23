// Reductions and scans over the threads of a block. Every thread of the block must
// take part. scratch is shared memory of T / 32 elements (at least one); a call
// may use it again at once.
constexpr int WARPS = T / 32;

// warp_scan is the sum of v over the lanes up to and with this one.
template <typename V> DEVICE V warp_scan(V v) {
    int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d *= 2) {
        V other = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += other;
    }
    return v;
}

// warp_sum is the sum of v over the lanes of the warp.
template <typename V> DEVICE V warp_sum(V v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    return v;
}

// block_scan is the sum of v over the threads before this one; total is that over
// all.
template <typename V> DEVICE V block_scan(V v, V* scratch, V& total) {
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    V up_to = warp_scan(v);
    __syncthreads();
    if (lane == 31) scratch[warp] = up_to;
    __syncthreads();
    V before = 0;
    total = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == warp) before = total;
        total += scratch[w];
    }
    return before + up_to - v;
}
