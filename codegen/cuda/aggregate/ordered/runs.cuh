// Runs of rows with equal keys, of type RunKey. The rows of a tile come in the order of the key;
// some of them are left out.
struct Runs {  // of neighbouring rows: their number, and the keys of the first and the last
    typedef RunKey Key;
    static constexpr bool NARROW = sizeof(Key) == 4, LINKED = true;
    static constexpr int WORDS = NARROW ? 2 : 3;
    u64 word[WORDS];
    DEVICE Key first() const { return (Key)(NARROW ? word[1] >> 32 : word[1]); }
    DEVICE Key last() const { return (Key)word[WORDS - 1]; }
    static DEVICE Runs of(u64 runs, Key first, Key last) {
        Runs made;
        made.word[0] = runs;
        made.word[WORDS - 1] = last;
        made.word[1] = NARROW ? (u64)first << 32 | last : first;
        return made;
    }
    static DEVICE Runs join(const Runs& a, const Runs& b) {
        if (b.word[0] == 0) return a;
        if (a.word[0] == 0) return b;
        return of(a.word[0] + b.word[0] - (a.last() == b.first()), a.first(), b.last());
    }
};

// TileRuns are the runs of a tile: the number of the first among all, how many there are, and
// whether the first has rows in tiles before.
struct TileRuns {
    u64 first;
    u32 count;
    bool continues;
    // within is how many of them have numbers below capacity.
    DEVICE u32 within(u64 capacity) const { return capacity >= first + count ? count : capacity > first ? (u32)(capacity - first) : 0; }
};

// RunScratch is shared memory of a block.
struct RunScratch {
    RunKey first[WARPS], last[WARPS];  // keys of each warp's first row and its last
    u32 counts[WARPS];                 // rows, and runs that begin behind the first row; none: ~0
    u32 scan[WARPS];
    TileRuns placed;
};

// Begun is what a thread knows of the runs of its tile: which of its rows begin one, and how many runs and
// rows there are, before it and in all.
struct Begun {
    u32 begins, runs, rows, all_runs, all_rows;
};

// Two numbers up to TILE in one word.
DEVICE constexpr u32 both(u32 low, u32 high) { return low | high << 16; }
DEVICE constexpr u32 low_of(u32 v) { return v & 0xffff; }
DEVICE constexpr u32 high_of(u32 v) { return v >> 16; }

// begin_runs finds which rows begin a run of the tile. The tile's first row does, too. The next call waits
// for all threads.
DEVICE Begun begin_runs(RunScratch& s, u32 active, const RunKey* keys) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    const u32 lower = (1u << lane) - 1;
    RunKey first = keys[0], last = keys[R - 1];
    u32 begins = 0;
    if (active == ALL) {
        _Pragma("unroll") for (int r = 1; r < R; r++) set(begins, r, keys[r] != keys[r - 1]);
    } else {
        ROWS if (bit(active, R - 1 - r)) first = keys[R - 1 - r];
        last = first;
        ROWS if (bit(active, r)) {
            set(begins, r, keys[r] != last);
            last = keys[r];
        }
    }
    const u32 lanes = __ballot_sync(~0u, active != 0), earlier = lanes & lower;
    const RunKey before = __shfl_sync(~0u, last, earlier ? 31 - __clz((int)earlier) : lane);
    const bool leads = active != 0 && earlier == 0;  // has the warp's first row
    if (active != 0 && !leads && first != before) begins |= active & -active;
    const u32 own = both(__popc(begins), __popc(active)), up_to = warp_scan<u32>(own);
    if (leads) s.first[warp] = first;
    if (lanes >> lane == 1) s.last[warp] = last;
    if (lane == 31) s.counts[warp] = lanes ? up_to : ~0u;
    __syncthreads();
    // Lane w looks at warp w.
    const u32 count = lane < WARPS ? s.counts[lane % WARPS] : ~0u;
    const bool some = count != ~0u;
    const u32 older = __ballot_sync(~0u, some) & lower;
    const RunKey ahead = __shfl_sync(~0u, s.last[lane % WARPS], older ? 31 - __clz((int)older) : lane);
    const bool begin = some && (older == 0 || s.first[lane % WARPS] != ahead);
    const u32 heads = __ballot_sync(~0u, begin), with_head = some ? count + begin : 0, sums = warp_scan<u32>(with_head, WARPS);
    const u32 all = __shfl_sync(~0u, sums, WARPS - 1), start = __shfl_sync(~0u, sums - with_head, warp) + up_to - own;
    if (leads && bit(heads, warp)) begins |= active & -active;
    return {begins, low_of(start) + (bit(heads, warp) && earlier), high_of(start), low_of(all), high_of(all)};
}

// count_runs is the same of rows of which it is known.
DEVICE Begun count_runs(RunScratch& s, u32 active, u32 begins) {
    u32 all;
    const u32 before = block_scan<u32>(both(__popc(begins), __popc(active)), s.scan, all);
    return {begins, low_of(before), high_of(before), low_of(all), high_of(all)};
}

// rank_runs sets to which run of the tile each of a thread's rows belongs, from 0 on; the rank of rows that
// are left out means nothing.
DEVICE void rank_runs(const Begun& begun, u32* ranks) {
    u32 before = begun.runs;
    ROWS {
        before += bit(begun.begins, r);
        ranks[r] = before - 1;
    }
}

// tile_of is what a tile comes to that has so many runs, after begin_runs. Whole warps ask.
DEVICE Runs tile_of(const RunScratch& s, u32 runs) {
    const u32 lane = threadIdx.x & 31, some = __ballot_sync(~0u, lane < WARPS && s.counts[lane % WARPS] != ~0u);
    if (some == 0) return Runs{};
    return Runs::of(runs, s.first[__ffs((int)some) - 1], s.last[31 - __clz((int)some)]);
}

// tell_tile says what a tile comes to.
DEVICE void tell_tile(const RunScratch& s, u64* records, i64 tile, u32 runs) {
    if (threadIdx.x >= 32) return;
    const Runs own = tile_of(s, runs);
    if (threadIdx.x == 0) tell(records, tile, own);
}

// placed is where a tile's runs stand behind those of the tiles before.
DEVICE TileRuns placed(const Runs& before, const Runs& own) {
    const bool continues = own.word[0] != 0 && before.word[0] != 0 && before.last() == own.first();
    return {before.word[0] - continues, (u32)own.word[0], continues};
}

// place_tile looks back at the tiles before one that has been told of, and places it; the threads wait for each
// other before they read where.
DEVICE void place_tile(RunScratch& s, u64* records, i64 tile, u32 runs) {
    if (threadIdx.x >= 32) return;
    const Runs own = tile_of(s, runs), before = look_back(records, tile, own);
    if (threadIdx.x == 0) s.placed = placed(before, own);
}

// placed_tile is the same of a tile that has been placed before.
DEVICE TileRuns placed_tile(u64* records, i64 tile) { return placed(up_to<Runs>(records, tile - 1), own_of<Runs>(records, tile)); }

// count_tile says how many runs a tile has whose keys are known.
DEVICE void count_tile(u64* records, i64 tile, u32 runs) {
    Runs own = own_of<Runs>(records, tile);
    own.word[0] = runs;
    tell(records, tile, own);
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
        const Runs own = own_of<Runs>(records, from + i);
        tell_up_to(records, from + i, sum, own);
        sum = Runs::join(sum, own);
    }
}

// Arrays over the rows of a tile, which are whole tiles long.
template <typename V> DEVICE void load_rows(const V* from, i64 first, u32* rows) {
    ROWS rows[r] = from[first + r];
}
template <typename V> DEVICE void store_rows(V* to, i64 first, const u32* rows) {
    ROWS to[first + r] = (V)rows[r];
}

// add_to adds to a number of a column.
DEVICE void add_to(i64* to, u64 v) { atomicAdd((u64*)to, v); }
DEVICE void add_to(u32* to, u64 v) { atomicAdd(to, (u32)v); }

// padded is where what belongs to a run of the tile stands in shared memory: threads whose rows
// all begin runs find banks of their own.
DEVICE constexpr u32 padded(u32 run) { return run + run / 32; }

// Rows of a tile in shared memory, 16 bytes at a time: an odd number of these for a thread, the last of which may stay
// free, so that threads that store theirs find banks of their own.
template <typename V> constexpr u32 CHUNK = 16 / sizeof(V);
template <typename V> constexpr u32 STAGED = (R / CHUNK<V> | 1) * CHUNK<V>;  // from a thread's rows to the next one's
template <typename V> struct alignas(16) Chunk { V v[CHUNK<V>]; };
template <typename V> DEVICE void stage_rows(void* staged, const V* rows) {
    Chunk<V>* const to = (Chunk<V>*)staged + threadIdx.x * (STAGED<V> / CHUNK<V>);
    _Pragma("unroll") for (u32 c = 0; c < R / CHUNK<V>; c++) {
        _Pragma("unroll") for (u32 i = 0; i < CHUNK<V>; i++) to[c].v[i] = rows[c * CHUNK<V> + i];
    }
}

// staged_row is a row that is so many steps of T rows behind one.
template <typename V> DEVICE V staged_row(const void* staged, u32 row, u32 steps) {
    const V* const rows = (const V*)staged;
    if constexpr (STAGED<V> == R) return rows[row + steps * T];
    if constexpr (T % R == 0) return rows[row / R * STAGED<V> + row % R + steps * (T / R * STAGED<V>)];
    row += steps * T;
    return rows[row / R * STAGED<V> + row % R];
}

// prefetch has what a place lies in brought into the cache that all blocks share.
DEVICE void prefetch(const void* at) {
#ifndef CUBELOOM_EMULATED
    asm volatile("prefetch.global.L2 [%0];" : : "l"(at));
#endif
}

// fetch_by_warp is fetch where all rows are wanted and those of a thread follow each other: the lanes of a warp load
// quads that lie side by side, which are those of others, and have what blocks take next brought into the cache.
// stage_quads is stage_rows of what has been fetched so, and gives each thread its own rows.
DEVICE u32 quad_of_warp(int q) { return q * 32 + (threadIdx.x & 31); }
template <typename Q, typename E> DEVICE void fetch_by_warp(i64 tile, i64 rows, Q* raw, const E* data) {
    const i64 first = tile + (threadIdx.x & ~31u) * R, ahead = tile + threadIdx.x * R + gridDim.x * TILE;
    QUADS {
        const i64 row = first + 4 * quad_of_warp(q);
        if (row < rows) fetch_quad(raw[q], data, row);
    }
    if (ahead < rows) prefetch((const u8*)data + ahead * (i64)(sizeof(Q) / 4));
}
template <typename V> DEVICE void stage_quads(void* staged, V* rows) {
    constexpr u32 OF_QUAD = 4 / CHUNK<V>;  // chunks
    Chunk<V>* const warp = (Chunk<V>*)staged + (threadIdx.x & ~31u) * (STAGED<V> / CHUNK<V>);
    const Chunk<V>* const own = (Chunk<V>*)staged + threadIdx.x * (STAGED<V> / CHUNK<V>);
    _Pragma("unroll") for (u32 c = 0; c < R / CHUNK<V>; c++) {
        const u32 at = quad_of_warp(c / OF_QUAD) * OF_QUAD + c % OF_QUAD, thread = at / (R / CHUNK<V>);
        Chunk<V>& to = warp[at + thread * (STAGED<V> - R) / CHUNK<V>];
        _Pragma("unroll") for (u32 i = 0; i < CHUNK<V>; i++) to.v[i] = rows[c * CHUNK<V> + i];
    }
    __syncwarp();
    _Pragma("unroll") for (u32 c = 0; c < R / CHUNK<V>; c++) {
        _Pragma("unroll") for (u32 i = 0; i < CHUNK<V>; i++) rows[c * CHUNK<V> + i] = own[c].v[i];
    }
}

// Of a start in 16 bits the row and the number of rows before it are the same, or the latter is not asked for.
DEVICE u32 row_of(u32 start) { return low_of(start); }
DEVICE u32 row_of(u16 start) { return start; }
DEVICE u32 before(u32 start) { return high_of(start); }
DEVICE u32 before(u16 start) { return start; }

// stage_starts keeps which row of the tile each run begins with that begins in this thread, and how many rows
// come before: of a tile of runs of one row each this is known.
template <typename S> DEVICE void stage_starts(S* starts, const Begun& begun, u32 active) {
    if (begun.all_runs == TILE) return;
    u32 run = begun.runs;
    for (u32 left = begun.begins; left != 0; left &= left - 1) {
        const u32 bit = left & -left;
        starts[run++] = (S)both(threadIdx.x * R + __ffs((int)bit) - 1, begun.rows + __popc(active & bit - 1));
    }
    if (threadIdx.x == 0) starts[begun.all_runs] = (S)both(begun.all_rows, begun.all_rows);
}

// rows_of is how many rows a run of the tile has.
template <typename S> DEVICE u64 rows_of(const S* starts, const Begun& begun, u32 run) {
    return begun.all_runs == TILE ? 1 : before(starts[run + 1]) - before(starts[run]);
}

// over_runs goes over those runs of a tile that begin in it and are within capacity: their numbers, the rows of
// the tile that they begin with, and how many rows they have.
template <typename S, typename F> DEVICE void over_runs(const S* starts, const Begun& begun, const TileRuns& tile, u64 capacity, F f) {
    const u32 within = tile.within(capacity), from = threadIdx.x + tile.continues;
    if (begun.all_runs != TILE) {
        _Pragma("unroll 1") for (u32 i = from; i < within; i += T) {
            const S start = starts[i], next = starts[i + 1];
            f(tile.first + i, row_of(start), 0, before(next) - before(start));
        }
    } else if (within == TILE && !tile.continues) {
        const u64 place = tile.first + threadIdx.x;
        ROWS f(place + r * T, threadIdx.x, r, 1);
    } else {
        _Pragma("unroll 1") for (u32 i = from; i < within; i += T) f(tile.first + i, i, 0, 1);
    }
}

// SmallSum is a sum of a tile's rows that fits 32 bits.
struct SmallSum {
    typedef u32 V;
    static DEVICE V join(V a, V b) { return a + b; }
};

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
