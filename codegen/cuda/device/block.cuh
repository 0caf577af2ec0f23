// Reductions and scans over the threads of a block. Every thread of the block must
// take part. scratch is shared memory of WARPS elements; the next call may use it at once.
constexpr int WARPS = T / 32;

// add_lower adds what the lane so many before this one has, if there is one: the outcome of that is one of the shuffle.
template <typename V> DEVICE void add_lower(V& v, int lanes) {
#ifndef CUBELOOM_EMULATED
    if constexpr (sizeof(V) == 4) {
        asm volatile("{.reg .u32 t; .reg .pred p; shfl.sync.up.b32 t|p, %0, %1, 0, -1; @p add.u32 %0, %0, t;}" : "+r"(v) : "r"(lanes));
        return;
    }
#endif
    const V other = __shfl_up_sync(~0u, v, lanes);
    if ((threadIdx.x & 31) >= lanes) v += other;
}

// warp_scan is the sum of v over the lanes up to and with this one; of so many lanes, if others
// have nothing.
template <typename V> DEVICE V warp_scan(V v, int lanes = 32) {
    for (int d = 1; d < lanes; d *= 2) add_lower(v, d);
    return v;
}

// warp_sum is the sum of v over the lanes of the warp.
template <typename V> DEVICE V warp_sum(V v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    return v;
}
#if __CUDA_ARCH__ >= 800
template <> DEVICE u32 warp_sum<u32>(u32 v) { return __reduce_add_sync(~0u, v); }
#endif

// warp_max is the greatest v of the lanes of the warp.
DEVICE u64 warp_max(u64 v) {
    for (int d = 16; d > 0; d /= 2) {
        const u64 other = __shfl_xor_sync(~0u, v, d);
        v = other > v ? other : v;
    }
    return v;
}

// some_thread reports whether something holds for a thread of the warp, or with block_wide of the block; the threads of
// either agree.
DEVICE bool some_thread(bool holds, bool block_wide) { return block_wide ? __syncthreads_or(holds) : __any_sync(~0u, holds); }

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

// take_places returns the first of the n places of a thread among those that count counts,
// of which the block takes its own at once, from first on.
template <typename V> DEVICE u64 take_places(V* scratch, u64& first, V n, u64* count) {
    V total;
    const V before = block_scan<V>(n, scratch, total);
    if (threadIdx.x == 0) first = atomicAdd(count, (u64)total);
    __syncthreads();
    return first + before;
}

// own_places is the same for the only block that takes places, of which it has taken so many.
template <typename V> DEVICE u64 own_places(V* scratch, u64& taken, V n) {
    V total;
    const u64 place = taken + block_scan<V>(n, scratch, total);
    taken += total;
    return place;
}

// lanes_before is how many of some lanes of the warp come before this one.
DEVICE u32 lanes_before(u32 lanes) { return __popc(lanes & ((1u << (threadIdx.x & 31)) - 1)); }

// within leaves out those of a warp's rows that have no place below capacity. They have the places
// from one on, row by row and lane by lane; places before 0 are beyond every capacity.
DEVICE void within(u32& rows, u64& place, u64 capacity) {
    u64 next = place;
    ROWS {
        const u32 lanes = __ballot_sync(~0u, bit(rows, r));
        if (next + lanes_before(lanes) >= capacity) rows &= ~(1u << r);
        next += __popc(lanes);
    }
    if ((i64)place < 0) place = 0;
}

// place_rows returns where the rows of a warp go, row by row and lane by lane, so that lanes write
// side by side. count counts the rows of all; those without a place below capacity, after so many
// that are skipped, are left out.
DEVICE u64 place_rows(u32* scratch, u64& first, u32& rows, u64* count, u64 skip, u64 capacity) {
    u32 total;
    const u32 before = block_scan<u32>(__popc(rows), scratch, total);
    if (threadIdx.x == 0) first = atomicAdd(count, (u64)total);
    __syncthreads();
    const u64 begin = first - skip;
    u64 place = begin + __shfl_sync(~0u, before, 0);
    if ((i64)begin < 0 || begin + total > capacity) within(rows, place, capacity);
    return place;
}

// place_warp_rows is place_rows where the warp takes places for its rows by itself.
DEVICE u64 place_warp_rows(u32& rows, u64* count, u64 skip, u64 capacity) {
    u32 total = 0;
    ROWS total += __popc(__ballot_sync(~0u, bit(rows, r)));
    u64 first = 0;
    if ((threadIdx.x & 31) == 0) first = atomicAdd(count, (u64)total);
    u64 place = __shfl_sync(~0u, first, 0) - skip;
    if ((i64)place < 0 || place + total > capacity) within(rows, place, capacity);
    return place;
}

// add_count adds the numbers of all threads to a counter.
DEVICE void add_count(u64* scratch, u64 n, u64* count) {
    u64 total;
    block_scan<u64>(n, scratch, total);
    if (threadIdx.x == 0) atomicAdd(count, total);
}

// add_warp_count adds the numbers of a warp's threads to a counter, which few threads then wait for.
DEVICE void add_warp_count(u32 n, u64* count) {
    n = warp_sum(n);
    if ((threadIdx.x & 31) == 0 && n > 0) atomicAdd(count, (u64)n);
}

// start_tiles replaces the numbers of the rows of tiles by those before each; one block does it.
DEVICE void start_tiles(u64* scratch, i64 tiles, u64* counts) {
    u64 before = 0;
    for (i64 tile = 0; tile < tiles; tile += T) {
        const i64 at = tile + threadIdx.x;
        u64 total;
        const u64 start = before + block_scan<u64>(at < tiles ? counts[at] : 0, scratch, total);
        if (at < tiles) counts[at] = start;
        before += total;
    }
    if (threadIdx.x == 0) counts[tiles] = before;
}

// places_in_order sets where the rows of each of a thread's quads go among those of the tile:
// those of the quads that lie before it in the source come first. It returns the number of
// all. The counts of up to four quads are summed in one word.
DEVICE u64 places_in_order(u64* scratch, u32 rows, u64* places) {
    u64 counts = 0, sums, start = 0;
    QUADS counts |= (u64)__popc(rows >> 4 * q & 15) << 16 * q;
    const u64 before = block_scan<u64>(counts, scratch, sums);
    QUADS {
        places[q] = start + (before >> 16 * q & 0xffff);
        start += sums >> 16 * q & 0xffff;
    }
    return start;
}
