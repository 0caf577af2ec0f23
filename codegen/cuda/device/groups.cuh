// A table of groups: open addressing over keys of W words in global memory, never
// more than half full. A slot is a group's cell.
struct Table {
    u64* keys;
    u32* state;  // of each slot, where W is not 1: see find_group
    u64 mask;    // slots less one
};
constexpr u32 NOWHERE = ~0u;
constexpr u64 FREE = ~0ull;

// longest is how many slots are looked at before the table counts as full.
constexpr int LONGEST = 1024;

template <int W, typename K = WordKey> DEVICE u64 hash_key(const u64 (&key)[W]) {
    u64 hash = 0;
    _Pragma("unroll") for (int w = 0; w < W; w++) hash = mix(hash ^ K::bits(w, key[w]));
    return hash;
}

// find_word gives the slot of a key of one word, which is not FREE, taking one
// where there is none and counting it in fresh; NOWHERE where the table is full.
DEVICE u32 find_word(const Table& t, u64 key, u64 hash, u32& fresh) {
    u64 slot = hash & t.mask;
    for (int i = 0; i < LONGEST; i++, slot = (slot + 1) & t.mask) {
        u64 had = *(volatile u64*)(t.keys + slot);
        if (had == FREE) {
            had = atomicCAS(t.keys + slot, FREE, key);
            fresh += had == FREE;
            if (had == FREE) return (u32)slot;
        }
        if (had == key) return (u32)slot;
    }
    return NOWHERE;
}

// find_group is the same for keys of any number of words. state says of each slot
// whether it is free (0), being written (1) or in use (2).
template <int W, typename K = WordKey> DEVICE u32 find_group(const Table& t, const u64 (&key)[W], u64 hash, u32& fresh) {
    if (W == 1) return find_word(t, key[0], hash, fresh);
    u64 slot = hash & t.mask;
    for (int i = 0; i < LONGEST;) {
        u32 had = *(volatile u32*)(t.state + slot);
        if (had == 0) had = atomicCAS(t.state + slot, 0u, 1u);
        if (had == 0) {
            _Pragma("unroll") for (int w = 0; w < W; w++) *(volatile u64*)(t.keys + slot * W + w) = key[w];
            __threadfence();
            atomicExch(t.state + slot, 2u);
            fresh++;
            return (u32)slot;
        }
        if (had == 1) continue;
        __threadfence();
        bool same = true;
        _Pragma("unroll") for (int w = 0; w < W; w++) same &= K::same(w, key[w], *(volatile u64*)(t.keys + slot * W + w));
        if (same) return (u32)slot;
        slot = (slot + 1) & t.mask;
        i++;
    }
    return NOWHERE;
}

// The homes of a block belong to the keys that it meets first. A row whose key has one
// is accumulated without a look at the table. A key may have one of WINDOW homes, and
// takes the first that is free; none is given back.
constexpr u32 WINDOW = 4;

// FILLING is for how many tiles homes are given to keys, at the most, and TAKING how
// many of them one counts for in which a row finds a home to take. Then the homes do
// not change any more, and no thread waits for others in order to look at them.
constexpr i32 FILLING = 64, TAKING = 8;

// find_homes gives those of some rows whose keys have homes, and the homes. Those of
// the others are such as they may take, or NOWHERE.
template <int W, typename K> DEVICE u32 find_homes(const Homes& h, u32 rows, const u64 (&key)[R][W], const u64 (&hash)[R], u32 (&home)[R]) {
    u32 found = 0;
    ROWS {
        home[r] = NOWHERE;
        bool same = false;
        if (bit(rows, r)) {
            u32 at = (u32)(hash[r] >> 32) & (h.count - 1);
            for (u32 i = 0; i < WINDOW; i++, at = (at + 1) & (h.count - 1)) {
                same = h.tags[at] != 0;
                _Pragma("unroll") for (int w = 0; w < W; w++) same = same && K::same(w, key[r][w], h.keys[at * W + w]);
                if (same || h.tags[at] == 0) {
                    home[r] = at;
                    break;
                }
            }
        }
        set(found, r, same);
    }
    return found;
}

// take_homes gives the homes of rows to their keys, where no other is quicker. The
// tag is NOWHERE, which no cell plus one is, until the cell is known, and 0 again where
// the table has none: then another may take the home, and the key is not written, lest
// it gets in the way of the other's.
template <int W, typename K> DEVICE void take_homes(const Homes& h, const Table& t, u32 rows, const u64 (&key)[R][W], const u64 (&hash)[R], const u32 (&home)[R], u32& fresh, u32& full) {
    ROWS if (bit(rows, r) && home[r] != NOWHERE && atomicCAS(h.tags + home[r], 0u, NOWHERE) == 0) {
        u32 cell = find_group<W, K>(t, key[r], hash[r], fresh);
        full |= cell == NOWHERE;
        if (cell != NOWHERE) {
            _Pragma("unroll") for (int w = 0; w < W; w++) h.keys[home[r] * W + w] = key[r][w];
        }
        atomicExch(h.tags + home[r], cell + 1);
    }
}

// locate finds the cells of some rows and where they go, as that of dense cells does:
// it gives the rows that go to the planes. Rows for which the table has no room are
// taken out and set full. filling starts as FILLING; all threads of the block take
// part.
template <int W, typename K = WordKey> DEVICE u32 locate(const Homes& h, const Table& t, u32& rows, const u64 (&key)[R][W], u32 (&cell)[R], u32 (&at)[R], i32& filling, u32& fresh, u32& full) {
    u64 hash[R];
    ROWS hash[r] = bit(rows, r) ? hash_key<W, K>(key[r]) : 0;
    u32 home[R];
    u32 found = find_homes<W, K>(h, rows, key, hash, home);
    if (filling > 0) {
        bool wants = false;
        ROWS wants |= bit(rows & ~found, r) && home[r] != NOWHERE;
        if (__syncthreads_or(wants)) {
            take_homes<W, K>(h, t, rows & ~found, key, hash, home, fresh, full);
            __syncthreads();
            found = find_homes<W, K>(h, rows, key, hash, home);
            filling -= TAKING - 1;
        }
        filling--;
    }
    ROWS if (bit(rows, r)) {
        if (bit(found, r)) {
            cell[r] = h.tags[home[r]] - 1;
            at[r] = copy_of(h, home[r]);
            continue;
        }
        cell[r] = at[r] = find_group<W, K>(t, key[r], hash[r], fresh);
        if (cell[r] == NOWHERE) {
            full = 1;
            rows &= ~(1u << r);
        }
    }
    return found;
}

// gives_up tells whether the table has been found full, by any block, up to the tile
// before, and counts the tiles for which it has not. known is what the memory said
// then: nobody waits for it. The threads of a warp agree, and with together those of the
// block.
DEVICE bool gives_up(const u64* full, u64& known, bool together, u32& tiles) {
    const bool stop = together ? __syncthreads_or(known != 0) : __any_sync(~0u, known != 0);
    tiles += !stop;
    known = *(const volatile u64*)full;
    return stop;
}

// key_bits of a double precision number are equal where the numbers are.
DEVICE u64 key_bits(f64 v) { return v == 0 ? 0 : v != v ? 0x7ff8000000000001ull : (u64)__double_as_longlong(v); }
