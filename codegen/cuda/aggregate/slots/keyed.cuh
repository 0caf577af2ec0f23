// The slots of a block are a table of the groups whose keys it meets first, and none is given
// back. A row whose key has one is accumulated without a look at the table of all: there
// the key is sought once, at the end of the block.
constexpr u32 OF_SLOT = 1u << 31;  // what is no cell: see find_peers

// home_of is the slot with which the search for a key of one word begins, in as few instructions as
// may be: the high bits of a product depend on all bits of a number.
DEVICE u32 home_of(const Table& own, u64 key) { return ((u32)key * 0x9e3779b9u + (u32)(key >> 32) * 0x85ebca6bu) >> __clz((int)own.mask); }

// TOGETHER is how many slots one after the other are read of four rows together: of the keys of
// a warp's rows some nearly always lie behind others, and each that is sought alone has all lanes wait.
constexpr u32 TOGETHER = 6;

// find_quad finds the slots of the keys of four rows in a table with many slots a key: most searches end at the
// first slot or at the next, which is apart from the loop over the others since it took a quarter longer in it.
#define QUAD _Pragma("unroll") for (int r = 0; r < 4; r++)
template <int W> DEVICE u32 find_quad(const Table& own, u32 rows, const u64 (*key)[W], u32* slot) {
    u64 had[4];
    QUAD slot[r] = home_of(own, key[r][0]);
    QUAD had[r] = *(volatile u64*)(own.keys + slot[r]);
    u32 found = 0;
    QUAD set(found, r, had[r] == key[r][0]);
    found &= rows;
    if (found == rows) return found;
    QUAD if (bit(rows & ~found, r)) had[r] = *(volatile u64*)(own.keys + (slot[r] + 1 & (u32)own.mask));
    QUAD if (bit(rows & ~found, r) && had[r] == key[r][0]) slot[r] = slot[r] + 1 & (u32)own.mask, found |= 1u << r;
    if (found == rows) return found;
    _Pragma("unroll 1") for (u32 i = 2; i < TOGETHER; i++) {
        QUAD if (bit(rows & ~found, r)) had[r] = *(volatile u64*)(own.keys + (slot[r] + i & (u32)own.mask));
        QUAD if (bit(rows & ~found, r) && had[r] == key[r][0]) slot[r] = slot[r] + i & (u32)own.mask, found |= 1u << r;
        if (found == rows) return found;
    }
    u32 taken = 0;
    QUAD if (bit(rows & ~found, r)) {
        slot[r] = find_word<WordKey, true>(own, key[r][0], slot[r], taken);
        set(found, r, slot[r] != NOWHERE);
    }
    return found;
}

// find_slots finds those of all rows of a thread, four at a time: the slots of more take too many registers.
template <int W> DEVICE u32 find_slots(const Table& own, u32 rows, const u64 (&key)[R][W], u32 (&slot)[R]) {
    u32 found = 0;
    QUADS found |= find_quad<W>(own, rows >> 4 * q & 15, key + 4 * q, slot + 4 * q) << 4 * q;
    return found;
}

// find_far is the cell of a key in the table of all. Where few rows have none of the sparse slots it is
// no part of the code of all, and takes none of its registers; out_of_line counts a new group above the
// cell.
template <int W> struct KeyWords {
    u64 word[W];
};
template <int W, typename K, typename G> DEVICE_CALL u64 out_of_line(G t, KeyWords<W> key) {
    u32 added = 0;
    const u32 cell = find_group<W, K>(t, key.word, hash_key<W, K>(key.word), added);
    return (u64)added << 32 | cell;
}
template <bool SPARSE, int W, typename K, typename G> DEVICE u32 find_far(const G& t, const u64 (&key)[W], u32& new_groups) {
    if (!SPARSE) return find_group<W, K>(t, key, hash_key<W, K>(key), new_groups);
    KeyWords<W> words;
    _Pragma("unroll") for (int w = 0; w < W; w++) words.word[w] = key[w];
    const u64 far = out_of_line<W, K>(t, words);
    new_groups += (u32)(far >> 32);
    return (u32)far;
}

// locate finds where some rows go, as that of dense cells does: it returns the rows that go
// to the planes. Of the others at is the cell. Rows for which the table has no room
// are taken out and counted. SPARSE says that a key is likely to have many of the block's slots.
template <bool SPARSE, int W, typename K = WordKey, typename G> DEVICE u32 locate(const Slots& h, const Table& own, const G& t, u32& rows, const u64 (&key)[R][W], u32 (&cell)[R], u32 (&at)[R], u32& new_groups, u32& lost) {
    u32 found = 0, taken = 0;
    if constexpr (SPARSE && W == 1 && K::WORDS) {
        found = find_slots(own, rows, key, cell);
    } else {
        ROWS if (bit(rows, r)) {
            cell[r] = find_group<W, K, true>(own, key[r], hash_key<W, K>(key[r]) >> 32, taken);
            set(found, r, cell[r] != NOWHERE);
        }
    }
    ROWS at[r] = replica_of(h, cell[r]);
    ROWS cell[r] |= OF_SLOT;
    if (found == rows) return found;
    ROWS if (bit(rows & ~found, r)) {
        cell[r] = at[r] = find_far<SPARSE, W, K>(t, key[r], new_groups);
        if (cell[r] == NOWHERE) rows &= ~(1u << r), lost++;
    }
    return found;
}
