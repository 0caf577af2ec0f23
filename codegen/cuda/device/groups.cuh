// A table of groups: open addressing over keys of W words. One in global memory is two thirds
// full at most, but for what estimates miss. A slot is a group's cell.
//
// Keys of one word lie APART words from each other. Where that is not 1, what is accumulated of a
// group lies beside its key, in one sector of the memory, and all of it is zeros at first: what is
// kept of a key is its complement.
template <u32 N> struct TableOf {
    static constexpr u32 APART = N;
    u64* keys;
    u32* state;  // of each slot, where W is not 1: see find_group
    u64 mask;    // slots less one
    static DEVICE u64 kept(u64 key) { return N == 1 ? key : ~key; }
};
typedef TableOf<1> Table;
constexpr u32 NOWHERE = ~0u;
constexpr u64 FREE = ~0ull;

// A table in global memory has LONGEST slots looked at before it counts as full, and one in
// the shared memory of a block WINDOW.
constexpr u32 LONGEST = 1024, WINDOW = 8;

// Determined is K of keys all words of which depend on those of MASK.
template <u64 MASK, typename K> struct Determined : K {
    static DEVICE bool counts(int w) { return MASK >> w & 1; }
};

template <int W, typename K = WordKey> DEVICE u64 hash_key(const u64 (&key)[W]) {
    if (W == 1) return spread(K::bits(0, key[0]));
    u64 hash = 0;
    _Pragma("unroll") for (int w = 0; w < W; w++)
        if (K::counts(w)) hash = mix(hash ^ K::bits(w, key[w]));
    return hash;
}

// SIDE is how many slots lie side by side in a sector of the memory, and are read together. The
// search for a key of one word begins with the first of them in global memory, and of
// WINDOW slots in shared memory with any.
template <typename G> constexpr u32 SIDE = 4 / G::APART;
template <bool OF_BLOCK, typename G> DEVICE u64 begin_of(const G& t, u64 hash) { return OF_BLOCK ? hash & t.mask : hash & t.mask & ~(u64)(SIDE<G> - 1); }

// find_word returns the slot of a key of one word, which is not FREE, taking one
// where there is none and counting it in new_groups; NOWHERE where the table is full. The search
// begins with a slot.
template <typename K, bool OF_BLOCK, typename G> DEVICE u32 find_word(const G& t, u64 key, u64 slot, u32& new_groups) {
    _Pragma("unroll 1") for (u32 i = 0; i < (OF_BLOCK ? WINDOW : LONGEST); i++, slot = (slot + 1) & t.mask) {
        u64* const at = t.keys + slot * G::APART;
        u64 had = t.kept(*(volatile u64*)at);
        if (had == FREE) {
            had = t.kept(atomicCAS(at, t.kept(FREE), t.kept(key)));
            new_groups += had == FREE;
            if (had == FREE) return (u32)slot;
        }
        if (K::same(0, key, had)) return (u32)slot;
    }
    return NOWHERE;
}

// load_side loads the keys that lie side by side from a slot on.
DEVICE void load_side(const Table& t, u64 begin, u64 (&side)[4]) {
    const ulonglong2* const at = (const ulonglong2*)(t.keys + begin);
    const ulonglong2 a = __ldcg(at), b = __ldcg(at + 1);
    side[0] = a.x, side[1] = a.y, side[2] = b.x, side[3] = b.y;
}
template <u32 N> DEVICE void load_side(const TableOf<N>& t, u64 begin, u64 (&side)[SIDE<TableOf<N>>]) {
    _Pragma("unroll") for (int i = 0; i < SIDE<TableOf<N>>; i++) side[i] = t.kept(__ldcg(t.keys + (begin + i) * N));
}

// find_words finds the slots of the keys of some of a thread's rows in global memory, and
// returns the rows that have one. All of them look at slots side by side at the same time, and take those that
// are free where no other one has their key.
template <int W, typename K = WordKey, u32 N> DEVICE u32 find_words(const TableOf<N>& t, u32 rows, const u64 (&key)[R][W], u32 (&cell)[R], u32& new_groups) {
    constexpr u32 S = SIDE<TableOf<N>>, TURNS = K::WORDS ? LONGEST / S : 1;
    u32 sought = rows;
    ROWS if (bit(rows, r)) cell[r] = (u32)begin_of<false>(t, hash_key<W, K>(key[r]));
    for (u32 turn = 0; sought != 0 && turn < TURNS; turn++) {
        u64 side[R][S], had[R];
        ROWS if (bit(sought, r)) load_side(t, cell[r], side[r]);
        u32 taking = 0;
        ROWS if (bit(sought, r)) {
            u32 at = S, free = S;
            _Pragma("unroll") for (u32 i = S; i-- > 0;) {
                if (side[r][i] == key[r][0]) at = i;
                if (side[r][i] == FREE) free = i;
            }
            if (at < S) {
                cell[r] += at;
                sought &= ~(1u << r);
            } else if (K::WORDS && free < S) {
                cell[r] += free;
                taking |= 1u << r;
            } else if (K::WORDS) {
                cell[r] = (u32)((cell[r] + S) & t.mask);
            }
        }
        ROWS if (bit(taking, r)) had[r] = t.kept(atomicCAS(t.keys + (u64)cell[r] * N, t.kept(FREE), t.kept(key[r][0])));
        ROWS if (bit(taking, r)) {
            new_groups += had[r] == FREE;
            if (had[r] == FREE || had[r] == key[r][0]) {
                sought &= ~(1u << r);
            } else {
                cell[r] &= ~(S - 1);
            }
        }
    }
    ROWS if (!K::WORDS && bit(sought, r)) {
        cell[r] = find_word<K, false>(t, key[r][0], cell[r], new_groups);
        if (cell[r] != NOWHERE) sought &= ~(1u << r);
    }
    return rows & ~sought;
}

// find_group is the same for keys of any number of words, in a table in global memory or in
// that of a block. state says of each slot whether it is free (0), being written (1) or in
// use (2).
template <int W, typename K = WordKey, bool OF_BLOCK = false, typename G> DEVICE u32 find_group(const G& t, const u64 (&key)[W], u64 hash, u32& new_groups) {
    if (W == 1) return find_word<K, OF_BLOCK>(t, key[0], begin_of<OF_BLOCK>(t, hash), new_groups);
    u64 slot = hash & t.mask;
    for (u32 i = 0; i < (OF_BLOCK ? WINDOW : LONGEST);) {
        u32 had = *(volatile u32*)(t.state + slot);
        if (had == 0) had = atomicCAS(t.state + slot, 0u, 1u);
        if (had == 0) {
            _Pragma("unroll") for (int w = 0; w < W; w++) atomicExch(t.keys + slot * W + w, key[w]);  // others may read them
            OF_BLOCK ? __threadfence_block() : __threadfence();
            atomicExch(t.state + slot, 2u);
            new_groups++;
            return (u32)slot;
        }
        if (had == 1) continue;
        OF_BLOCK ? __threadfence_block() : __threadfence();
        bool same = true;
        _Pragma("unroll") for (int w = 0; w < W; w++)
            if (K::counts(w)) same &= K::same(w, key[w], *(volatile u64*)(t.keys + slot * W + w));
        if (same) return (u32)slot;
        slot = (slot + 1) & t.mask;
        i++;
    }
    return NOWHERE;
}

// has_room reports whether the table has had room for all rows of the warp, and with block_wide of the block; the
// threads of either agree. It counts the tiles before which that holds.
DEVICE bool has_room(u32 lost, bool block_wide, u32& tiles) {
    const bool stop = some_thread(lost != 0, block_wide);
    tiles += !stop;
    return !stop;
}

// key_bits of a double precision number are equal where the numbers are.
DEVICE u64 key_bits(f64 v) { return v == 0 ? 0 : v != v ? 0x7ff8000000000001ull : (u64)__double_as_longlong(v); }
