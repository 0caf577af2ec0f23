// Hash tables: finding rows by key and inserting them.

// present returns those of some rows whose cells are set in a bitmap.
DEVICE u32 present(u32 rows, const u32* bits, const u32* cell) {
    u32 word[R], hit = 0;
    ROWS word[r] = bit(rows, r) ? bits[cell[r] >> 5] : 0;
    ROWS set(hit, r, word[r] >> (cell[r] & 31) & 1);
    return hit;
}

// find_dense turns cells into the first row of each plus one, and the row behind its
// last one.
DEVICE void find_dense(u32 rows, const u64* runs, u32* at, u32* end) {
    u64 run[R];
    ROWS run[r] = bit(rows, r) ? runs[at[r]] : 0;
    ROWS {
        at[r] = (u32)run[r];
        end[r] = (u32)(run[r] >> 32);
    }
}

// find_narrow turns keys into the first row of each plus one.
DEVICE void find_narrow(u32 rows, const u64* slots, u64 mask, u32* at) {
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

// find_wide returns the first row of a key of W words plus one, or 0.
template <int W, typename K = WordKey> DEVICE u32 find_wide(const u64* key, const u32* slots, u64 mask, const u64* keys) {
    u64 h = hash_words<W, K>(key) & mask;
    for (;;) {
        u32 at = slots[h];
        if (at == 0 || same_words<W, K>(key, keys + (u64)(at - 1) * W)) return at;
        h = (h + 1) & mask;
    }
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

// add_spread adds what the thread has seen of the runs of keys: how many, the rows of the
// longest, and the squares of their rows. All threads of the block take part.
DEVICE void add_spread(u64* spread, u64 keys, u64 most, u64 squares) {
    keys = warp_sum(keys);
    squares = warp_sum(squares);
    for (int d = 16; d > 0; d /= 2) {
        const u64 other = __shfl_xor_sync(~0u, most, d);
        most = other > most ? other : most;
    }
    if ((threadIdx.x & 31) == 0 && keys > 0) {
        atomicAdd(spread, keys);
        atomicMax(spread + 1, most);
        atomicAdd(spread + 2, squares);
    }
}
