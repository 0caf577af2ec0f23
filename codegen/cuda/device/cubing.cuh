// Groups of several sets of keys by refinement (Zhou 2010). The rows of a group lie side by
// side in an order of rows, and groups are numbered in that order. A finer group has a cell:
// cells of a group lie side by side too, one for each code of the key that refines it.
//
// A block takes so many rows or cells at a time, T after T. The cells of its rows lie in a
// window: where that fits shared memory the block counts there and takes places for all of its
// rows of a cell at once, so that few cells, whole device to a group, cost no more than many.
constexpr u64 REFINED_TILE = 8 * T;
constexpr u64 WINDOW = 4096;
constexpr u32 PRUNED = ~0u;
#define EACH_REFINED(n) for (u64 step = 0; step < REFINED_TILE; step += T) \
    if (const u64 i = tile * REFINED_TILE + step + threadIdx.x; i < (n))

// Coarse are the rows of groups that are refined. With one code there are no codes.
struct Coarse {
    const u32* rows;    // where they lie, in order
    const u32* groups;  // of each
    const u32* codes;   // by where rows lie
    u64 n, card;
    DEVICE u64 first_cell(u64 i) const { return groups[i] * card; }
    DEVICE u64 cell(u64 i) const { return first_cell(i) + (card > 1 ? codes[rows[i]] : 0); }
};

// Window are the cells of the rows of a tile.
struct Window {
    u64 first, count;
    DEVICE bool fits() const { return count <= WINDOW; }
};
DEVICE Window window_of(const Coarse& c, u64 tile) {
    const u64 lo = tile * REFINED_TILE, hi = min(lo + REFINED_TILE, c.n), first = c.first_cell(lo);
    return {first, c.first_cell(hi - 1) + c.card - first};
}
DEVICE void empty_window(u32* counts, const Window& w) {
    __syncthreads();
    for (u64 k = threadIdx.x; k < w.count; k += T) counts[k] = 0;
    __syncthreads();
}

// count_cells adds the rows of a tile to the counts of their cells.
DEVICE void count_cells(u32* window, const Coarse& c, u64 tile, u32* counts) {
    const Window w = window_of(c, tile);
    if (!w.fits()) {
        EACH_REFINED(c.n) atomicAdd(&counts[c.cell(i)], 1u);
        return;
    }
    empty_window(window, w);
    EACH_REFINED(c.n) atomicAdd(&window[c.cell(i) - w.first], 1u);
    __syncthreads();
    for (u64 k = threadIdx.x; k < w.count; k += T) {
        if (window[k]) atomicAdd(&counts[w.first + k], window[k]);
    }
}

// survivor is a group in the high half and its rows in the low one, where a cell has at least
// so many.
DEVICE u64 survivor(u32 rows, u64 least) { return rows && rows >= least ? 1ull << 32 | rows : 0; }

// count_survivors sums the survivors of a tile of cells, and adds up how many cells have rows.
DEVICE void count_survivors(u64* scratch, const u32* counts, u64 cells, u64 least, u64 tile, u64* tiles, u64* seen) {
    u64 mine = 0, there = 0, total;
    EACH_REFINED(cells) {
        mine += survivor(counts[i], least);
        there += counts[i] > 0;
    }
    block_scan<u64>(mine, scratch, total);
    if (threadIdx.x == 0) tiles[tile] = total;
    add_count(scratch, there, seen);
}

// Level are the groups of a level, and their rows.
struct Level {
    u64 groups, rows;
};

// start_survivors replaces the sums of the tiles by those before each, and says what they come
// to; one block does it. Without rows there is a group even so where one is asked for.
DEVICE void start_survivors(u64* scratch, i64 tiles, u64* sums, Level* level, u64* kept, bool one) {
    start_tiles(scratch, tiles, sums);
    if (threadIdx.x != 0) return;
    const u64 all = sums[tiles];
    *level = {all == 0 && one ? 1 : all >> 32, (u32)all};
    *kept += level->groups;
}

// place_survivors numbers the survivors of a tile of cells, replaces counts by where the rows
// of each begin, and marks these.
DEVICE void place_survivors(u64* scratch, u32* counts, u64 cells, u64 least, u64 tile, const u64* tiles, u32* numbers, u32* starts, u8* marks) {
    u64 before = tiles[tile];
    for (u64 step = 0; step < REFINED_TILE; step += T) {
        const u64 i = tile * REFINED_TILE + step + threadIdx.x, mine = i < cells ? survivor(counts[i], least) : 0;
        u64 total;
        const u64 at = before + block_scan<u64>(mine, scratch, total);
        before += total;
        if (i >= cells) continue;
        counts[i] = (u32)at;
        numbers[i] = mine ? (u32)(at >> 32) : PRUNED;
        if (mine) {
            starts[at >> 32] = (u32)at;
            marks[(u32)at] = NEW_PARTITION;
        }
        if (i == cells - 1) starts[(at + mine) >> 32] = (u32)(at + mine);
    }
}

// move_rows moves the rows of a tile to their groups, in any order within these; next is where
// the next row of each cell goes.
DEVICE void move_rows(u32* window, const Coarse& c, u64 tile, u32* next, const u32* numbers, u32* rows, u32* groups) {
    const Window w = window_of(c, tile);
    if (!w.fits()) {
        EACH_REFINED(c.n) {
            const u64 cell = c.cell(i);
            const u32 number = numbers[cell];
            if (number == PRUNED) continue;
            const u32 to = atomicAdd(&next[cell], 1u);
            rows[to] = c.rows[i];
            groups[to] = number;
        }
        return;
    }
    empty_window(window, w);
    u32 cells[REFINED_TILE / T], ranks[REFINED_TILE / T];
    EACH_REFINED(c.n) {
        const u32 cell = cells[step / T] = (u32)(c.cell(i) - w.first);
        if (numbers[w.first + cell] != PRUNED) ranks[step / T] = atomicAdd(&window[cell], 1u);
    }
    __syncthreads();
    for (u64 k = threadIdx.x; k < w.count; k += T) {
        if (window[k]) window[k] = atomicAdd(&next[w.first + k], window[k]);
    }
    __syncthreads();
    EACH_REFINED(c.n) {
        const u32 cell = cells[step / T], number = numbers[w.first + cell];
        if (number == PRUNED) continue;
        const u32 to = window[cell] + ranks[step / T];
        rows[to] = c.rows[i];
        groups[to] = number;
    }
}

// Where cells are many more than rows, or values are to become codes, words of the rows are
// sorted, and runs of equal ones numbered: word w of row i stands in place w * capacity + i.
struct Runs {
    const u64* words;
    u64 capacity, count;
    const u32* order;  // rows in the order of their words
    u64 n;
    DEVICE bool begins(u64 i) const {
        if (i == 0) return true;
        const u32 a = order[i - 1], b = order[i];
        for (u64 w = 0; w < count; w++) {
            if (words[w * capacity + a] != words[w * capacity + b]) return true;
        }
        return false;
    }
};

// count_runs counts the runs that begin in a tile.
DEVICE void count_runs(u64* scratch, const Runs& r, u64 tile, u64* tiles) {
    u64 mine = 0, total;
    EACH_REFINED(r.n) mine += r.begins(i);
    block_scan<u64>(mine, scratch, total);
    if (threadIdx.x == 0) tiles[tile] = total;
}

// number_runs sets the row of each place of a tile, and the number of its run.
DEVICE void number_runs(u64* scratch, const Runs& r, u64 tile, const u64* tiles, const Coarse& c, u32* rows, u32* groups) {
    u64 before = tiles[tile];
    for (u64 step = 0; step < REFINED_TILE; step += T) {
        const u64 i = tile * REFINED_TILE + step + threadIdx.x, mine = i < r.n && r.begins(i);
        u64 total;
        const u64 up_to = before + block_scan<u64>(mine, scratch, total) + mine;
        before += total;
        if (i >= r.n) continue;
        rows[i] = c.rows[r.order[i]];
        groups[i] = (u32)(up_to - 1);
    }
}
