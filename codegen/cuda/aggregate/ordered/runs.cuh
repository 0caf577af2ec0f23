// Runs of rows with equal keys, of type RunKey. The rows of a tile come in the order of the key;
// some of them are left out.
struct Runs {  // of neighbouring rows: their number, and the keys of the first and the last
    static constexpr bool NARROW = sizeof(RunKey) == 4;
    static constexpr int WORDS = NARROW ? 2 : 3;
    u64 word[WORDS];
    DEVICE u64 first() const { return NARROW ? word[1] >> 32 : word[1]; }
    DEVICE u64 last() const { return NARROW ? (u64)(u32)word[1] : word[WORDS - 1]; }
    static DEVICE Runs of(u64 runs, u64 first, u64 last) {
        Runs made;
        made.word[0] = runs;
        made.word[WORDS - 1] = last;
        made.word[1] = NARROW ? first << 32 | last : first;
        return made;
    }
    static DEVICE Runs join(const Runs& a, const Runs& b) {
        if (b.word[0] == 0) return a;
        if (a.word[0] == 0) return b;
        return of(a.word[0] + b.word[0] - (a.last() == b.first()), a.first(), b.last());
    }
};

// join_lanes is the general one in fewer steps: only what the oldest lane knows may be of many tiles.
template <> DEVICE Runs join_lanes<Runs>(Runs part) {
    const u32 some = __ballot_sync(~0u, part.word[0] != 0);
    if (some == 0) return Runs{};
    const int lane = threadIdx.x & 31, newest = __ffs((int)some) - 1, oldest = 31 - __clz((int)some);
    const u32 older = some & ~((2u << lane) - 1);
    const RunKey first = (RunKey)part.first(), last = (RunKey)part.last();
    const RunKey before = __shfl_sync(~0u, last, older ? __ffs((int)older) - 1 : lane);
    const u32 across = __ballot_sync(~0u, bit(some, lane) && older && first == before);  // runs of two lanes
    const u32 newer = warp_sum<u32>(lane < oldest ? (u32)part.word[0] : 0);
    const u64 runs = __shfl_sync(~0u, part.word[0], oldest) + newer - __popc(across);
    return Runs::of(runs, __shfl_sync(~0u, first, oldest), __shfl_sync(~0u, last, newest));
}

// TileRuns are the runs of a tile: the number of the first among all, how many there are, and
// whether the first has rows in tiles before.
struct TileRuns {
    u64 first;
    u32 count;
    bool continues;
};

// RunScratch is shared memory of a block.
struct RunScratch {
    RunKey first[WARPS], last[WARPS];  // keys of each warp's first row and its last
    u32 some[WARPS];                   // whether it has any
    u32 counts[WARPS];
    Looking<Runs> looking;
};

// begin_runs is the mask of a thread's rows that begin a run of the tile. The tile's first
// row does, too.
DEVICE u32 begin_runs(RunScratch& s, u32 active, const RunKey* keys) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    RunKey first = keys[0], before = keys[R - 1];
    if (active != ALL) {
        ROWS if (bit(active, R - 1 - r)) first = keys[R - 1 - r];
        ROWS if (bit(active, r)) before = keys[r];
    }
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
    if (active == ALL) {
        ROWS set(begins, r, keys[r] != (r == 0 ? before : keys[r - 1]));
        return begins | !some;
    }
    ROWS if (bit(active, r)) {
        set(begins, r, !some || keys[r] != before);
        some = true, before = keys[r];
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

// tile_of is what a tile comes to that has so many runs, after begin_runs.
DEVICE Runs tile_of(const RunScratch& s, u32 runs) {
    u64 first = 0, last = 0;
    for (int w = WARPS; w-- > 0;) {
        if (s.some[w]) first = s.first[w];
    }
    for (int w = 0; w < WARPS; w++) {
        if (s.some[w]) last = s.last[w];
    }
    return Runs::of(runs, first, last);
}

// placed is where a tile's runs stand behind those of the tiles before.
DEVICE TileRuns placed(const Runs& before, const Runs& own) {
    const bool continues = own.word[0] != 0 && before.word[0] != 0 && before.last() == own.first();
    return {before.word[0] - continues, (u32)own.word[0], continues};
}

// place_tile looks back, and places the tile.
DEVICE TileRuns place_tile(RunScratch& s, u64* records, i64 tile, const Runs& own) {
    const Runs before = look_back(s.looking, records, tile, own);
    __syncthreads();  // the first tile looks at none: what its runs were counted in is read to the end
    return placed(before, own);
}

// placed_tile is the same of a tile that has been placed before.
DEVICE TileRuns placed_tile(u64* records, i64 tile) { return placed(up_to<Runs>(records, tile - 1), own_of<Runs>(records, tile)); }

// count_tile says how many runs a tile has whose keys are known.
DEVICE void count_tile(u64* records, i64 tile, u32 runs) {
    Runs own = own_of<Runs>(records, tile);
    own.word[0] = runs;
    write_record(own_record<Runs>(records, tile), own);
}

// scan_tiles sets what all tiles up to each come to, from a tile on; one block does it, and
// each of its threads takes tiles that lie side by side.
DEVICE void scan_tiles(Runs* parts, u64* records, i64 from, i64 tiles) {
    const i64 each = (tiles + T - 1) / T, lo = threadIdx.x * each, hi = lo + each < tiles ? lo + each : tiles;
    Runs sum = {};
    for (i64 i = lo; i < hi; i++) sum = Runs::join(sum, own_of<Runs>(records, from + i));
    parts[threadIdx.x] = sum;
    __syncthreads();
    sum = up_to<Runs>(records, from - 1);
    for (u32 t = 0; t < threadIdx.x; t++) sum = Runs::join(sum, parts[t]);
    for (i64 i = lo; i < hi; i++) {
        sum = Runs::join(sum, own_of<Runs>(records, from + i));
        write_record(up_to_record<Runs>(records, from + i), sum);
    }
}

// Arrays over the rows of a tile, which are whole tiles long.
template <typename V> DEVICE void load_rows(const V* from, i64 first, u32* rows) {
    ROWS rows[r] = from[first + r];
}
template <typename V> DEVICE void store_rows(V* to, i64 first, const u32* rows) {
    ROWS to[first + r] = (V)rows[r];
}

// first_run is the number, within the tile, of the first run that begins in this thread, if any does.
// That of a row which is left out is known in 16 bits.
DEVICE u32 first_run(const u32* cell, u32 begins, const TileRuns& tile) {
    return (cell[0] - (u32)tile.first + 1 - (begins & 1)) & 0xffff;
}

// add_to adds to a number of a column.
DEVICE void add_to(i64* to, u64 v) { atomicAdd((u64*)to, v); }
DEVICE void add_to(u32* to, u64 v) { atomicAdd(to, (u32)v); }

// padded is where what belongs to a run of the tile stands in shared memory: threads whose rows
// all begin runs find banks of their own.
DEVICE constexpr u32 padded(u32 run) { return run + run / 32; }

// stage_starts keeps which row of the tile each run begins with that begins in this thread, the first of
// which is run; row is how many rows come before those of the thread.
DEVICE void stage_starts(u16* starts, u32 begins, u32 run, u32 active, u32 row) {
    if (begins == ALL) {
        ROWS starts[padded(run + r)] = (u16)(row + r);
        return;
    }
    for (u32 left = begins; left != 0; left &= left - 1) starts[padded(run++)] = (u16)(row + __popc(active & (left & -left) - 1));
}

// SmallSum is a sum of a tile's rows that fits 32 bits.
struct SmallSum {
    typedef u32 V;
    static DEVICE V join(V a, V b) { return a + b; }
};

// rows_before is how many of some rows of the tile come before those of this thread; total is how many
// there are.
DEVICE u32 rows_before(u32* scratch, u32 rows, u32& total) {
    total = (u32)TILE;
    if (__syncthreads_and(rows == ALL)) return threadIdx.x * R;
    return block_scan<u32>(__popc(rows), scratch, total);
}

// lower is what a higher lane has of a value.
template <typename V> DEVICE V lower(V v, int lanes) { return __shfl_down_sync(~0u, v, lanes); }
DEVICE Wide lower(Wide v, int lanes) {
    _Pragma("unroll") for (int i = 0; i < 3; i++) v.word[i] = __shfl_down_sync(~0u, v.word[i], lanes);
    return v;
}

// Heads is shared memory of a block for what its warps have of runs that begin in warps before.
struct Heads {
    Wide sums[WARPS];
    u32 open[WARPS];  // whether no run begins in the warp
};

// cell_before is the cell of the thread before this one; ~0 where there is none.
DEVICE u64 cell_before(Heads& s, u64 cell) {
    u64* const cells = (u64*)s.sums;
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (lane == 31) cells[warp] = cell;
    __syncthreads();
    const u64 before = __shfl_up_sync(~0u, cell, 1), last = warp > 0 ? cells[warp - 1] : ~0ull;
    __syncthreads();
    return lane > 0 ? before : last;
}

// rest_of_run is what the rows of the threads behind this one come to that belong to the run that
// is open at its end: head is what a thread has before the first run that begins in it, if any does.
template <typename X> DEVICE typename X::V rest_of_run(Heads& s, typename X::V head, bool begins) {
    typedef typename X::V V;
    V* const sums = (V*)s.sums;
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    const u32 closing = __ballot_sync(~0u, begins), ahead = closing >> lane;
    const int to = ahead ? lane + __ffs((int)ahead) - 1 : 31;  // the lane in which the run ends that is open before this one
    for (int d = 1; d < 32; d *= 2) {
        const V more = lower(head, d);
        if (lane + d <= to) head = X::join(head, more);
    }
    if (lane == 0) sums[warp] = head, s.open[warp] = closing == 0;
    __syncthreads();
    V rest = {};
    for (int w = warp + 1; w < WARPS; w++) {
        rest = X::join(rest, sums[w]);
        if (!s.open[w]) break;
    }
    const V next = lower(ahead ? head : X::join(head, rest), 1);
    return lane == 31 ? rest : next;
}
