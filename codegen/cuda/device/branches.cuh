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
// each result, and decide together whether there is room, although once would do, and a warp by itself could:
// NVRTC 12.4 crashes on the loops of several results otherwise.
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

// The rows of a result of which few are left are listed by warp, by their place in the tile, and shared out
// to the lanes again, so that what follows is done for no others.

// list_of_warp is the warp's part of a list of the tile's rows.
DEVICE u16* list_of_warp(u16* listed) { return listed + threadIdx.x / 32 * (32 * R); }

// list_branch lists the rows of the warp, and counts them; first is the thread's first row of the tile.
DEVICE void list_branch(u32* scratch, u16* list, u32 first, u32 rows) {
    const u32 up_to = warp_scan((u32)__popc(rows));
    if ((threadIdx.x & 31) == 31) scratch[threadIdx.x / 32] = up_to;
    u32 at = up_to - __popc(rows);
    ROWS if (bit(rows, r)) list[at++] = (u16)row_of(first, r);
}

// place_listed returns where the listed rows of a warp go; rows is how many of them have a place below capacity.
DEVICE u64 place_listed(const u32* scratch, const u64& first, u32& rows, u64 capacity) {
    __syncthreads();
    u64 place = first;
    for (int w = 0; w < WARPS; w++) place += w < threadIdx.x / 32 ? scratch[w] : 0;
    rows = (u32)min((u64)scratch[threadIdx.x / 32], capacity - min(place, capacity));
    return place;
}
