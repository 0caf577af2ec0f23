// The slots of a block belong to the keys that it meets first. A row whose key has one
// is accumulated without a look at the table. A key may have one of WINDOW slots, and
// takes the first that is free; none is given back.
constexpr u32 WINDOW = 4;

// FILLING is for how many tiles slots are given to keys, at the most, and TAKING how
// many of them one counts for in which a row finds a slot to take. Then the slots do
// not change any more, and no thread waits for others in order to look at them.
constexpr i32 FILLING = 64, TAKING = 8;

// find_slots returns those of some rows whose keys have slots, and the slots. Those of
// the others are such as they may take, or NOWHERE.
template <int W, typename K> DEVICE u32 find_slots(const Slots& h, u32 rows, const u64 (&key)[R][W], const u64 (&hash)[R], u32 (&slot)[R]) {
    u32 found = 0;
    ROWS {
        slot[r] = NOWHERE;
        bool same = false;
        if (bit(rows, r)) {
            u32 at = (u32)(hash[r] >> 32) & (h.count - 1);
            for (u32 i = 0; i < WINDOW; i++, at = (at + 1) & (h.count - 1)) {
                same = h.owners[at] != 0;
                _Pragma("unroll") for (int w = 0; w < W; w++) same = same && K::same(w, key[r][w], h.keys[at * W + w]);
                if (same || h.owners[at] == 0) {
                    slot[r] = at;
                    break;
                }
            }
        }
        set(found, r, same);
    }
    return found;
}

// take_slots gives the slots of rows to their keys, where no other is quicker. The
// owner is NOWHERE, which no cell plus one is, until the cell is known, and 0 again where
// the table has none: then another may take the slot, and the key is not written, lest
// it gets in the way of the other's.
template <int W, typename K> DEVICE void take_slots(const Slots& h, const Table& t, u32 rows, const u64 (&key)[R][W], const u64 (&hash)[R], const u32 (&slot)[R], u32& new_groups, u32& full) {
    ROWS if (bit(rows, r) && slot[r] != NOWHERE && atomicCAS(h.owners + slot[r], 0u, NOWHERE) == 0) {
        u32 cell = find_group<W, K>(t, key[r], hash[r], new_groups);
        full |= cell == NOWHERE;
        if (cell != NOWHERE) {
            _Pragma("unroll") for (int w = 0; w < W; w++) h.keys[slot[r] * W + w] = key[r][w];
        }
        atomicExch(h.owners + slot[r], cell + 1);
    }
}

// locate finds the cells of some rows and where they go, as that of dense cells does:
// it returns the rows that go to the planes. Rows for which the table has no room are
// taken out and set full. filling starts as FILLING; all threads of the block take
// part.
template <int W, typename K = WordKey> DEVICE u32 locate(const Slots& h, const Table& t, u32& rows, const u64 (&key)[R][W], u32 (&cell)[R], u32 (&at)[R], i32& filling, u32& new_groups, u32& full) {
    u64 hash[R];
    ROWS hash[r] = bit(rows, r) ? hash_key<W, K>(key[r]) : 0;
    u32 slot[R];
    u32 found = find_slots<W, K>(h, rows, key, hash, slot);
    if (filling > 0) {
        bool wants = false;
        ROWS wants |= bit(rows & ~found, r) && slot[r] != NOWHERE;
        if (__syncthreads_or(wants)) {
            take_slots<W, K>(h, t, rows & ~found, key, hash, slot, new_groups, full);
            __syncthreads();
            found = find_slots<W, K>(h, rows, key, hash, slot);
            filling -= TAKING - 1;
        }
        filling--;
    }
    ROWS if (bit(rows, r)) {
        if (bit(found, r)) {
            cell[r] = h.owners[slot[r]] - 1;
            at[r] = replica_of(h, slot[r]);
            continue;
        }
        cell[r] = at[r] = find_group<W, K>(t, key[r], hash[r], new_groups);
        if (cell[r] == NOWHERE) {
            full = 1;
            rows &= ~(1u << r);
        }
    }
    return found;
}
