// Rows are divided by the part of the table that has the slots of their keys: by the high bits of a key's
// hash, the low ones of which say where in the part.
DEVICE u32 part_of(u64 hash, u32 parts) { return (u32)((hash >> 32) * parts >> 32); }

// place_parts replaces the numbers of the rows of parts by where each begins, and lists what blocks
// take at a time: up to so many rows of a part, whose number is the high half of a word and that of the piece
// the low one. One block does it.
DEVICE void place_parts(u64* scratch, u32 parts, u64 piece_rows, u64* places, u64* pieces) {
    u64 rows = 0, listed = 0;
    for (u32 first = 0; first < parts; first += T) {
        const u32 part = first + threadIdx.x;
        const u64 n = part < parts ? places[part] : 0, mine = (n + piece_rows - 1) / piece_rows;
        u64 all_rows, all_pieces;
        const u64 place = rows + block_scan<u64>(n, scratch, all_rows);
        const u64 list = listed + block_scan<u64>(mine, scratch, all_pieces);
        if (part < parts) places[part] = place;
        for (u64 i = 0; i < mine; i++) pieces[1 + list + i] = (u64)part << 32 | i;
        rows += all_rows, listed += all_pieces;
    }
    if (threadIdx.x == 0) pieces[0] = listed;
}

// Dealing is where rows of a block wait, in shared memory, until there are about as many as there is room for. Then
// those of a part are written side by side.
template <typename Row> struct Dealing {
    Row* rows;
    u16* order;  // the numbers of the rows by part
    u32* counts; // by part: rows
    u32* to;     // by part: where its rows go, less the place of the first of them in order
    u32 room, parts;
};
template <typename Row> DEVICE Dealing<Row> dealing_of(u32* words, u32 room, u32 parts) {
    Row* const rows = (Row*)words;
    u32* const counts = (u32*)(rows + room);
    for (u32 i = threadIdx.x; i < parts; i += T) counts[i] = 0;
    __syncthreads();
    return {rows, (u16*)(counts + 2 * parts), counts, counts + parts, room, parts};
}

// deal_rows writes the rows that wait, and takes their places from those of the parts.
template <typename Row> DEVICE void deal_rows(const Dealing<Row>& d, u32* scratch, u64& waiting, u64* places, Row* out) {
    __syncthreads();
    const u32 n = (u32)waiting;
    for (u32 part = threadIdx.x; part < d.parts; part += T) {
        const u32 rows = d.counts[part];
        d.to[part] = rows ? (u32)atomicAdd(places + part, (u64)rows) : 0;
    }
    __syncthreads();
    const u32 each = (d.parts + T - 1) / T, first = threadIdx.x * each, end = first + each < d.parts ? first + each : d.parts;
    u32 rows = 0, all;
    for (u32 part = first; part < end; part++) rows += d.counts[part];
    u32 before = block_scan<u32>(rows, scratch, all);
    for (u32 part = first; part < end; part++) {
        rows = d.counts[part];
        d.counts[part] = before;
        d.to[part] -= before;
        before += rows;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < n; i += T) d.order[atomicAdd(d.counts + part_of(spread(d.rows[i].key), d.parts), 1u)] = (u16)i;
    __syncthreads();
    for (u32 i = threadIdx.x; i < n; i += T) {
        const Row row = d.rows[d.order[i]];
        out[d.to[part_of(spread(row.key), d.parts)] + i] = row;
    }
    __syncthreads();
    for (u32 part = threadIdx.x; part < d.parts; part += T) d.counts[part] = 0;
    if (threadIdx.x == 0) waiting = 0;
    __syncthreads();
}

// find_in_part finds the slots of the keys of some rows in a part, which lies in shared memory: the first
// slots of all are read together. It returns the rows that have one.
template <typename Row> DEVICE u32 find_in_part(const Table& own, u32 rows, const Row (&row)[R], u32 (&slot)[R]) {
    u64 had[R];
    u32 taken = 0;
    ROWS slot[r] = (u32)(spread(row[r].key) & own.mask);
    ROWS had[r] = *(volatile u64*)(own.keys + slot[r]);
    u32 found = 0;
    ROWS if (bit(rows, r)) {
        if (had[r] != row[r].key) slot[r] = find_word<WordKey, false>(own, row[r].key, slot[r], taken);
        set(found, r, slot[r] != NOWHERE);
    }
    return found;
}

// part_table is a part of a table in global memory, that begins with a slot.
template <typename G> DEVICE G part_table(const G& t, u64 first, u64 slots) { return {t.keys + first * G::APART, nullptr, slots - 1}; }

// put_key stores the key of a slot.
template <typename G> DEVICE void put_key(const G& t, u64 slot, u64 key) { t.keys[slot * G::APART] = t.kept(key); }

// put_slot stores the number of a term of a slot of the block in a cell, whose arrays these are.
template <typename X, typename... A> DEVICE void put_slot(const Slots& h, int plane, u32 slot, u64 cell, A... arrays) { put(InSlots<X>::of(h, plane, slot), cell, arrays...); }
