// Sample is what a thread, or the first of its warp or block, has seen of how matches
// spread over rows: a turn is one match of each row of a warp, or of a block, that has some
// left; matches are apart whose lane has another key than the one before it.
struct Sample {
    u64 rows, matches, warp_turns, block_turns, heaviest, greatest, apart;
};

// sample_tile adds the rows of a tile, each with so many matches that are left, from at on. All
// threads of the block take part; scratch is for block_scan.
DEVICE void sample_tile(Sample& s, const u32 (&left)[R], const u32 (&at)[R], u64* scratch) {
    u64 matches = 0, all;
    u32 most = 0;
    ROWS {
        s.rows += left[r] > 0;
        matches += left[r];
        most = left[r] > most ? left[r] : most;
        const u32 before = __shfl_up_sync(~0u, at[r], 1);
        s.apart += (threadIdx.x & 31) == 0 || before != at[r] ? left[r] : 0;
    }
    s.matches += matches;
    for (int d = 16; d > 0; d /= 2) {
        const u32 other = __shfl_xor_sync(~0u, most, d);
        most = other > most ? other : most;
    }
    if ((threadIdx.x & 31) == 0) s.warp_turns += most;
    s.greatest = most > s.greatest ? most : s.greatest;
    block_scan<u64>(matches, scratch, all);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x / 32] = most;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 0; w < WARPS; w++) most = scratch[w] > most ? (u32)scratch[w] : most;
    s.block_turns += most;
    s.heaviest = all > s.heaviest ? all : s.heaviest;
}

// add_sample adds what the block has seen to that of all; scratch is for block_scan.
DEVICE void add_sample(const Sample& s, u64* scratch, u64* to) {
    u64 sums[4] = {s.rows, s.matches, s.warp_turns, s.apart}, greatest = s.greatest;
    for (int i = 0; i < 4; i++) block_scan<u64>(sums[i], scratch, sums[i]);
    for (int d = 16; d > 0; d /= 2) {
        const u64 other = __shfl_xor_sync(~0u, greatest, d);
        greatest = other > greatest ? other : greatest;
    }
    if ((threadIdx.x & 31) == 0 && greatest > 0) atomicMax(to + 5, greatest);
    if (threadIdx.x > 0 || sums[0] == 0) return;
    for (int i = 0; i < 3; i++) atomicAdd(to + i, sums[i]);
    atomicAdd(to + 3, s.block_turns);
    atomicMax(to + 4, s.heaviest);
    atomicAdd(to + 6, sums[3]);
}
