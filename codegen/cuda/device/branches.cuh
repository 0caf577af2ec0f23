// Rows of one scan that go into several results. All results take their places at the same time: the rows
// of each are counted, and behind a barrier a thread for each takes the places. scratch and first are
// shared memory of a result.

// count_branch counts the rows of the warps.
DEVICE void count_branch(u32* scratch, u32 rows) {
    const u32 sum = warp_sum((u32)__popc(rows));
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x / 32] = sum;
}

// take_branch has a thread take places for the rows of the block, of those that count counts.
DEVICE void take_branch(int thread, const u32* scratch, u64& first, u64* count) {
    if (threadIdx.x != thread % T) return;
    u64 total = 0;
    for (int w = 0; w < WARPS; w++) total += scratch[w];
    first = atomicAdd(count, total);
}

// place_branch returns where the rows of a warp go: see place_rows. The threads of the block meet in it for
// each result, although once would do: NVRTC 12.4 crashes on the loops of several results with nothing
// between them where one has a filter that no row passes.
DEVICE u64 place_branch(const u32* scratch, const u64& first, u32& rows, u64 capacity) {
    __syncthreads();
    u32 before = 0, total = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == threadIdx.x / 32) before = total;
        total += scratch[w];
    }
    u64 place = first + before;
    if (first + total > capacity) within(rows, place, capacity);
    return place;
}
