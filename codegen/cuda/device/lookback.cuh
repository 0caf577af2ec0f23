// Decoupled look-back (Merrill and Garland 2016): what the tiles before one come to, in one
// pass over all. X is what is scanned: an array word of X::WORDS words, zeros for nothing,
// and join of an older and a newer part. Tiles are given out by ticket, so that those before
// a tile are at work whatever number of blocks runs.
//
// A tile has a record, and one more lies before the first: its state, 1 when it says what the
// tile comes to and 2 when it says what all up to it do, and both of these. The record before
// the first is of zeros but for its state, which counts tickets.
template <typename X> constexpr int RECORD = 1 + 2 * X::WORDS;
template <typename X> DEVICE u64* record_of(u64* records, i64 tile) { return records + (tile + 1) * RECORD<X>; }

template <typename X> DEVICE X read_words(const volatile u64* words) {
    X x;
    _Pragma("unroll") for (int i = 0; i < X::WORDS; i++) x.word[i] = words[i];
    return x;
}
template <typename X> DEVICE void write_words(volatile u64* words, const X& x) {
    _Pragma("unroll") for (int i = 0; i < X::WORDS; i++) words[i] = x.word[i];
}

// publish says what a tile comes to (1), or all up to it (2).
template <typename X> DEVICE void publish(u64* record, u64 state, const X& x) {
    write_words(record + (state == 1 ? 1 : 1 + X::WORDS), x);
    __threadfence();
    *(volatile u64*)record = state;
}

// up_to is what all tiles up to one come to, which is known.
template <typename X> DEVICE X up_to(u64* records, i64 tile) {
    return read_words<X>(record_of<X>(records, tile) + 1 + X::WORDS);
}

// join_lanes is what the parts of all lanes come to; those of higher lanes are older.
template <typename X> DEVICE X join_lanes(X part) {
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d *= 2) {
        X older;
        _Pragma("unroll") for (int i = 0; i < X::WORDS; i++) older.word[i] = __shfl_down_sync(~0u, part.word[i], d);
        if (lane + d < 32) part = X::join(older, part);
    }
    _Pragma("unroll") for (int i = 0; i < X::WORDS; i++) part.word[i] = __shfl_sync(~0u, part.word[i], 0);
    return part;
}

// look_back is what all tiles before one come to, which comes to own. The threads of one
// warp call it.
template <typename X> DEVICE X look_back(u64* records, i64 tile, const X& own) {
    const int lane = threadIdx.x & 31;
    u64* const mine = record_of<X>(records, tile);
    if (lane == 0 && tile > 0) publish(mine, 1, own);
    X before = {};
    for (i64 last = tile - 1; last >= 0; last -= 32) {
        X part = {};
        u64 state = 2;
        if (lane <= last) {
            u64* const record = record_of<X>(records, last - lane);
            while ((state = *(volatile u64*)record) == 0) {}
            __threadfence();
            part = read_words<X>(record + (state == 1 ? 1 : 1 + X::WORDS));
        }
        const u32 whole = __ballot_sync(~0u, state == 2);
        if (whole && lane >= __ffs((int)whole)) part = X{};
        before = X::join(join_lanes(part), before);
        if (whole) break;
    }
    if (lane == 0) publish(mine, 2, X::join(before, own));
    return before;
}
