// Hash tables: finding rows by key and inserting them.

// Cell is the number of a row's cell while its keys are taken in, the last of which varies
// fastest. It stays in range as long as each key lies in the range of the table's.
template <typename W> struct Cell {
    bool in_range;
    W number = 0;
    DEVICE Cell& key(W v, i64 lo, i64 extent) {
        const W part = v - (W)lo;
        in_range &= part < (W)extent;
        number = number * (W)extent + part;
        return *this;
    }
    // key_or_null takes in a key of which NULL is a value, behind the others.
    DEVICE Cell& key_or_null(W v, bool null, i64 lo, i64 extent) {
        const W part = null ? (W)extent : v - (W)lo;
        in_range &= null || part < (W)extent;
        number = number * (W)(extent + 1) + part;
        return *this;
    }
    // among returns the cell of row r, which it takes out of rows where it is out of range.
    DEVICE u32 among(u32& rows, int r) const {
        if (!in_range) rows &= ~(1u << r);
        return (u32)number;
    }
};

// present returns those of some rows whose cells are set in a bitmap.
DEVICE u32 present(u32 rows, const u32* bits, const u32* cell) {
    u32 word[R], hit = 0;
    ROWS word[r] = bit(rows, r) ? bits[cell[r] >> 5] : 0;
    ROWS set(hit, r, word[r] >> (cell[r] & 31) & 1);
    return hit;
}

// claim sets the cells of rows in a bitmap, and returns how many were set before: all of them
// are on their way before the first is looked at.
DEVICE u32 claim(u32 rows, const u32* cell, u32* bits) {
    u32 had[R], before = 0;
    ROWS had[r] = bit(rows, r) ? atomicOr(bits + (cell[r] >> 5), 1u << (cell[r] & 31)) : 0;
    ROWS before += had[r] >> (cell[r] & 31) & 1;
    return before;
}

// find_dense replaces cells by the first row of each plus one, and the row behind its
// last one. It returns the rows that have one.
DEVICE u32 find_dense(u32 rows, const u64* runs, u32* at, u32* end) {
    u64 run[R];
    ROWS run[r] = bit(rows, r) ? runs[at[r]] : 0;
    ROWS {
        at[r] = (u32)run[r];
        end[r] = (u32)(run[r] >> 32);
    }
    return nonzero(at);
}

// find_narrow replaces keys by the first row of each plus one, and returns the rows that have
// one.
DEVICE u32 find_narrow(u32 rows, const u64* slots, u64 mask, u32* at) {
    u64 slot[R];
    ROWS slot[r] = bit(rows, r) ? slots[mix(at[r]) & mask] : 0;
    ROWS {
        u64 h = mix(at[r]) & mask;
        while (slot[r] != 0 && slot[r] >> 32 != at[r]) {
            h = (h + 1) & mask;
            slot[r] = slots[h];
        }
        at[r] = (u32)slot[r];
    }
    return nonzero(at);
}

template <int W, typename K> DEVICE u64 hash_words(const u64* words) {
    u64 h = 0;
    for (int w = 0; w < W; w++) h = mix(h + K::bits(w, words[w]));
    return h;
}

template <int W, typename K> DEVICE bool same_words(const u64* a, const volatile u64* b) {
    for (int w = 0; w < W; w++) {
        if (!K::same(w, a[w], b[w])) return false;
    }
    return true;
}

// first_slot returns the slot at which the search for a key of W words begins.
template <int W, typename K = WordKey> DEVICE u64 first_slot(const u64* key, u64 mask) { return hash_words<W, K>(key) & mask; }

// find_wide returns the first row of a key of W words plus one, or 0, where the first slot h holds a row, at.
template <int W, typename K = WordKey> DEVICE u32 find_wide(const u64* key, u64 h, u32 at, const u32* slots, u64 mask, const u64* keys) {
    while (at != 0 && !same_words<W, K>(key, keys + (u64)(at - 1) * W)) {
        h = (h + 1) & mask;
        at = slots[h];
    }
    return at;
}

// NO_RUN is the slot of a row that has no key.
constexpr u32 NO_RUN = ~0u;

// The insertions find the slot of a key, which row, a number plus one, takes where it is
// the first. Its rank is how many rows of the key came before; length counts them by slot.
DEVICE u32 insert_narrow(u64* slots, u64 mask, u32 key, u32 row, u32* length, u32& rank) {
    const u64 word = (u64)key << 32 | row;
    u64 h = mix(key) & mask;
    u64 old = atomicCAS(slots + h, 0ull, word);
    while (old != 0 && old >> 32 != key) {
        h = (h + 1) & mask;
        old = atomicCAS(slots + h, 0ull, word);
    }
    rank = old == 0 ? 0 : atomicAdd(length + h, 1u) + 1;
    return (u32)h;
}

template <int W, typename K = WordKey> DEVICE u32 insert_wide(u32* slots, u64 mask, const u64* keys, const u64* key, u32 row, u32* length, u32& rank) {
    __threadfence();
    u64 h = hash_words<W, K>(key) & mask;
    u32 old = atomicCAS(slots + h, 0u, row);
    while (old != 0 && !same_words<W, K>(key, (const volatile u64*)keys + (u64)(old - 1) * W)) {
        h = (h + 1) & mask;
        old = atomicCAS(slots + h, 0u, row);
    }
    rank = old == 0 ? 0 : atomicAdd(length + h, 1u) + 1;
    return (u32)h;
}

// word_of is the word of a key of double precision: equal values have equal words.
DEVICE u64 word_of(f64 v) {
    return is_nan(v) ? ~0ull : v == 0 ? 0ull : (u64)__double_as_longlong(v);
}

// KeyBounds are the least and the greatest of the keys that a thread has taken in. Both grow
// from 0 on, which is no key: the greatest is kept with its sign turned, the least as the
// complement of that.
struct KeyBounds {
    u64 min = 0, max = 0;
    DEVICE void take(i64 key) {
        const u64 at = (u64)key ^ 1ull << 63;
        max = at > max ? at : max;
        min = ~at > min ? ~at : min;
    }
    // add adds those of the block, of whose threads each takes part, to those of all: changes of one word wait
    // for each other, and where keys ascend nearly every block has greater ones than those before.
    DEVICE void add(u64* warps, u64* bounds) {
        min = warp_max(min);
        max = warp_max(max);
        __syncthreads();
        if ((threadIdx.x & 31) == 0) {
            warps[threadIdx.x / 32] = min;
            warps[WARPS + threadIdx.x / 32] = max;
        }
        __syncthreads();
        if (threadIdx.x >= 2) return;
        u64 most = 0;
        for (int w = 0; w < WARPS; w++) {
            const u64 other = warps[threadIdx.x * WARPS + w];
            most = other > most ? other : most;
        }
        if (most > *(volatile u64*)(bounds + threadIdx.x)) atomicMax(bounds + threadIdx.x, most);
    }
};

// add_spread adds what the thread has seen of the runs of keys: how many, the rows of the
// longest, and the squares of their rows. All threads of the block take part.
DEVICE void add_spread(u64* spread, u64 keys, u64 longest, u64 squares) {
    keys = warp_sum(keys);
    squares = warp_sum(squares);
    longest = warp_max(longest);
    if ((threadIdx.x & 31) == 0 && keys > 0) {
        atomicAdd(spread, keys);
        atomicMax(spread + 1, longest);
        atomicAdd(spread + 2, squares);
    }
}

// The runs of a table of cells, and those of a hash table, while they are given places: rows
// is the length of that of a slot, and lead has the slot lead to its place.
struct DenseRuns {
    u64* slots;
    DEVICE u32 rows(u64 slot, const u32* length) { return length[slot]; }
    DEVICE void lead(u64 slot, u64 from, u32 n) { slots[slot] = from + n << 32 | from + 1; }
};
template <typename E> struct HashedRuns {
    E* slots;
    u32* ends;
    DEVICE u32 rows(u64 slot, const u32* length) { return slots[slot] ? length[slot] + 1 : 0; }
    DEVICE void lead(u64 slot, u64 from, u32 n) {
        ends[from] = (u32)from + n;
        slots[slot] = (E)((u64)slots[slot] >> 32 << 32 | from + 1);
    }
};

// assign_runs gives the runs of the slots up to the last one places, a block its own at once.
// length becomes where each begins, and spread how the rows spread over the keys.
template <typename Runs> DEVICE void assign_runs(u64* scratch, u64& first, Runs runs, u64 last, u32* length, u64* next, u64* spread) {
    u64 keys = 0, longest = 0, squares = 0;
    for (u64 tile = (u64)blockIdx.x * TILE; tile <= last; tile += (u64)gridDim.x * TILE) {
        const u64 slot = tile + threadIdx.x * R;
        u32 rows[R];
        u64 all = 0;
        ROWS {
            rows[r] = slot + r <= last ? runs.rows(slot + r, length) : 0;
            all += rows[r];
        }
        u64 from = take_places<u64>(scratch, first, all, next);
        ROWS if (rows[r] != 0) {
            length[slot + r] = (u32)from;
            runs.lead(slot + r, from, rows[r]);
            from += rows[r];
            keys++;
            longest = rows[r] > longest ? rows[r] : longest;
            squares += (u64)rows[r] * rows[r];
        }
    }
    add_spread(spread, keys, longest, squares);
}

// place_of_row is where a row of a run goes, or one without a key.
DEVICE u64 place_of_row(u32 run, const u32* rank, const u32* start, u64* next) {
    return run == NO_RUN ? atomicAdd(next, 1ull) : (u64)start[run] + *rank;
}
