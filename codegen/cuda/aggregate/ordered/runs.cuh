// Runs of rows with equal keys. The rows of a tile come in the order of the key; some of
// them are left out.
struct Runs {  // of neighbouring rows: their number, and the keys of the first and the last
    static constexpr int WORDS = 3;
    u64 word[WORDS];
    static DEVICE Runs join(const Runs& a, const Runs& b) {
        if (b.word[0] == 0) return a;
        if (a.word[0] == 0) return b;
        return {{a.word[0] + b.word[0] - (a.word[2] == b.word[1]), a.word[1], b.word[2]}};
    }
};

// RunScratch is shared memory of a block.
struct RunScratch {
    u64 first[WARPS], last[WARPS];  // keys of each warp's first row and its last
    u32 some[WARPS];                // whether it has any
    u32 counts[WARPS];
    Runs before;
};

// begin_runs is the mask of a thread's rows that begin a run of the tile. The tile's first
// row does, too.
DEVICE u32 begin_runs(RunScratch& s, u32 active, const i64* keys) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    u64 first = 0, before = 0;
    ROWS if (bit(active, R - 1 - r)) first = (u64)keys[R - 1 - r];
    ROWS if (bit(active, r)) before = (u64)keys[r];
    const u32 lanes = __ballot_sync(~0u, active != 0);
    const u32 earlier = lanes & ((1u << lane) - 1);
    __syncthreads();
    if (lane == 0) s.some[warp] = lanes != 0;
    if (lanes && lane == __ffs((int)lanes) - 1) s.first[warp] = first;
    if (lanes && lane == 31 - __clz((int)lanes)) s.last[warp] = before;
    before = __shfl_sync(~0u, before, earlier ? 31 - __clz((int)earlier) : lane);
    __syncthreads();
    bool some = earlier != 0;
    for (int w = warp; !some && w-- > 0;) {
        if (s.some[w]) some = true, before = s.last[w];
    }
    u32 begins = 0;
    ROWS if (bit(active, r)) {
        const u64 key = (u64)keys[r];
        set(begins, r, !some || key != before);
        some = true, before = key;
    }
    return begins;
}

// rank_runs sets to which run of the tile each of a thread's rows belongs, from 0 on, and
// returns how many there are; the rank of rows that are left out means nothing.
DEVICE u32 rank_runs(RunScratch& s, u32 begins, u32* ranks) {
    u32 total;
    u32 before = block_scan<u32>(__popc(begins), s.counts, total);
    ROWS {
        before += bit(begins, r);
        ranks[r] = before - 1;
    }
    return total;
}

// border_keys are the keys of a tile's first row and its last, after begin_runs.
DEVICE Runs border_keys(const RunScratch& s) {
    Runs own = {};
    for (int w = WARPS; w-- > 0;) {
        if (s.some[w]) own.word[1] = s.first[w];
    }
    for (int w = 0; w < WARPS; w++) {
        if (s.some[w]) own.word[2] = s.last[w];
    }
    return own;
}

// runs_before is the run to which a tile's rank 0 belongs, of all tiles, the others' coming
// to before.
DEVICE u64 runs_before(const Runs& before, u64 first) {
    return before.word[0] - (before.word[0] != 0 && before.word[2] == first);
}

// place_tile looks back, and returns the number of the tile's first run.
DEVICE u64 place_tile(RunScratch& s, u64* records, i64 tile, const Runs& own) {
    if (threadIdx.x < 32) {
        const Runs before = look_back(records, tile, own);
        if (threadIdx.x == 0) s.before = before;
    }
    __syncthreads();
    return runs_before(s.before, own.word[1]);
}

// placed_tile is the same of a tile that has been placed before.
DEVICE u64 placed_tile(u64* records, i64 tile) {
    return runs_before(up_to<Runs>(records, tile - 1), record_of<Runs>(records, tile)[2]);
}

// scan_tiles sets what all tiles up to each come to, from a tile on; one block does it, and
// each of its threads takes tiles that lie side by side.
DEVICE void scan_tiles(Runs* parts, u64* records, i64 from, i64 tiles) {
    const i64 each = (tiles + T - 1) / T, lo = threadIdx.x * each, hi = lo + each < tiles ? lo + each : tiles;
    Runs sum = {};
    for (i64 i = lo; i < hi; i++) sum = Runs::join(sum, read_words<Runs>(record_of<Runs>(records, from + i) + 1));
    parts[threadIdx.x] = sum;
    __syncthreads();
    sum = up_to<Runs>(records, from - 1);
    for (u32 t = 0; t < threadIdx.x; t++) sum = Runs::join(sum, parts[t]);
    for (i64 i = lo; i < hi; i++) {
        u64* const record = record_of<Runs>(records, from + i);
        sum = Runs::join(sum, read_words<Runs>(record + 1));
        publish(record, 2, sum);
    }
}

// Arrays over the rows of a tile, which are whole tiles long.
template <typename V> DEVICE void load_rows(const V* from, i64 first, u32* rows) {
    ROWS rows[r] = from[first + r];
}
template <typename V> DEVICE void store_rows(V* to, i64 first, const u32* rows) {
    ROWS to[first + r] = (V)rows[r];
}

// put sets what a term has in a cell, which nobody else adds to.
template <typename V> DEVICE void put(V v, u64 cell, V* a) { a[cell] = v; }
DEVICE void put(const Wide& v, u64 cell, u64* low, u64* mid, u64* high) {
    low[cell] = v.word[0], mid[cell] = v.word[1], high[cell] = v.word[2];
}
