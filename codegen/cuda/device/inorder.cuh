// Rows that keep the order of the source, in one pass: see lookback.cuh.
struct Placed {
    static constexpr int WORDS = 1;
    static constexpr bool LINKED = false;
    typedef u32 Key;
    u64 word[WORDS];  // rows
    static DEVICE Placed of(u64 rows, Key, Key) { return {{rows}}; }
    static DEVICE Placed join(const Placed& older, const Placed& newer) { return {{older.word[0] + newer.word[0]}}; }
};

// place_in_order sets where the rows of each of a thread's quads go, behind those of the tiles
// before. count is the rows of chunks before; the last tile, and each up to which there are
// enough, sets it to all up to its own.
DEVICE void place_in_order(u64* scratch, Placed& looked, u32 rows, u64* records, i64 tile, bool last, u64 enough, u64* count, u64* places) {
    const u64 earlier = tile == 0 ? *(volatile u64*)count : 0;  // before a thread passes: tiles behind change it then
    const u64 own = places_in_order(scratch, rows, places);
    if (threadIdx.x == 0) tell(records, tile, Placed{{earlier + own}});
    if (threadIdx.x < 32) {
        const Placed before = look_back(records, tile, Placed{{earlier + own}});
        if (threadIdx.x == 0) looked = before;
    }
    __syncthreads();
    const u64 before = earlier + looked.word[0];
    if (threadIdx.x == 0 && (last || before + own >= enough)) atomicMax(count, before + own);
    QUADS places[q] += before;
}
