// The slots of a block are a table of the groups whose keys it meets first, and none is given
// back. A row whose key has one is accumulated without a look at the table of all: there
// the key is sought once, at the end of the block.
constexpr u32 OF_SLOT = 1u << 31;  // what is no cell: see find_peers

// locate finds where some rows go, as that of dense cells does: it returns the rows that go
// to the planes. Of the others at is the cell. Rows for which the table has no room
// are taken out and set full.
template <int W, typename K = WordKey> DEVICE u32 locate(const Slots& h, const Table& own, const Table& t, u32& rows, const u64 (&key)[R][W], u32 (&cell)[R], u32 (&at)[R], u32& new_groups, u32& full) {
    u32 found = 0, taken = 0;
    ROWS {
        u32 slot = NOWHERE;
        if (bit(rows, r)) slot = find_group<W, K, true>(own, key[r], hash_key<W, K>(key[r]) >> 32, taken);
        set(found, r, slot != NOWHERE);
        cell[r] = slot | OF_SLOT;
        at[r] = replica_of(h, slot);
    }
    if ((rows & ~found) == 0) return found;
    ROWS if (bit(rows & ~found, r)) {
        cell[r] = at[r] = find_group<W, K>(t, key[r], hash_key<W, K>(key[r]), new_groups);
        full |= cell[r] == NOWHERE;
        if (cell[r] == NOWHERE) rows &= ~(1u << r);
    }
    return found;
}
