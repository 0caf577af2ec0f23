// Decoupled look-back (Merrill and Garland 2016): what the tiles before one come to, in one
// pass over all. X is what is scanned: an array word of X::WORDS words, the first of them below
// 2^62, zeros for nothing, and join of an older and a newer part. Tiles are given out by ticket, so
// that those before a tile are at work whatever number of blocks runs.
//
// A tile has a record, and one more lies before the first: what the tile comes to, and what is known of it last,
// which is that, and then what all up to it come to. The two lowest bits of the first word of each say
// which, OWN or UP_TO, and are 0 as long as nothing is known. The record before the first is of zeros, but that its
// first word counts tickets.
constexpr u32 OWN = 1, UP_TO = 2;
template <typename X> constexpr int RECORD = 2 * X::WORDS;
template <typename X> DEVICE u64* own_record(u64* records, i64 tile) { return records + (tile + 1) * RECORD<X>; }
template <typename X> DEVICE u64* last_record(u64* records, i64 tile) { return own_record<X>(records, tile) + X::WORDS; }

// Two words that are read and written at once. Emulated, the one with the mark is written last.
#ifdef CUBELOOM_EMULATED
DEVICE void get_pair(const u64* from, u64& a, u64& b) { a = ((const volatile u64*)from)[0], b = ((const volatile u64*)from)[1]; }
DEVICE void put_pair(u64* to, u64 a, u64 b) { ((volatile u64*)to)[1] = b, ((volatile u64*)to)[0] = a; }
#else
DEVICE void get_pair(const u64* from, u64& a, u64& b) {
    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(from) : "memory");
}
DEVICE void put_pair(u64* to, u64 a, u64 b) {
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" : : "l"(to), "l"(a), "l"(b) : "memory");
}
#endif

// read_record is what a part of a record says, and known which. Of more than two words the first is
// written last.
template <typename X> DEVICE X read_record(const u64* record, u32& known) {
    X x;
    if constexpr (X::WORDS == 2) {
        get_pair(record, x.word[0], x.word[1]);
    } else {
        x.word[0] = *(const volatile u64*)record;
        if (X::WORDS > 2) __threadfence();
        _Pragma("unroll") for (int i = 1; i < X::WORDS; i++) x.word[i] = ((const volatile u64*)record)[i];
    }
    known = (u32)x.word[0] & 3;
    x.word[0] >>= 2;
    return x;
}
template <typename X> DEVICE void write_record(u64* record, const X& x, u32 known) {
    const u64 first = x.word[0] << 2 | known;
    if constexpr (X::WORDS == 2) {
        put_pair(record, first, x.word[1]);
    } else {
        _Pragma("unroll") for (int i = 1; i < X::WORDS; i++) ((volatile u64*)record)[i] = x.word[i];
        if (X::WORDS > 2) __threadfence();
        *(volatile u64*)record = first;
    }
}

// tell says what a tile comes to. More than two words are not read at once: what all up to it come to does not
// take their place.
template <typename X> DEVICE void tell(u64* records, i64 tile, const X& own) {
    if (X::WORDS <= 2) write_record(last_record<X>(records, tile), own, OWN);
    write_record(own_record<X>(records, tile), own, OWN);
}

// tell_up_to says what all tiles up to one come to.
template <typename X> DEVICE void tell_up_to(u64* records, i64 tile, const X& all) { write_record(last_record<X>(records, tile), all, UP_TO); }

// read_last is what is known last of a tile.
template <typename X> DEVICE X read_last(u64* records, i64 tile, u32& known) {
    const X last = read_record<X>(last_record<X>(records, tile), known);
    if (X::WORDS <= 2 || known != 0) return last;
    return read_record<X>(own_record<X>(records, tile), known);
}

// own_of is what a tile comes to, and up_to what all up to it do, where these are known.
template <typename X> DEVICE X own_of(u64* records, i64 tile) {
    u32 known;
    return read_record<X>(own_record<X>(records, tile), known);
}
template <typename X> DEVICE X up_to(u64* records, i64 tile) {
    u32 known;
    return read_record<X>(last_record<X>(records, tile), known);
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

// LOOKS is at how many tiles before one a lane looks at once.
template <typename X> constexpr int LOOKS = X::WORDS > 2 ? 1 : 4;

// look_back is what all tiles before one come to, which comes to own and has told so. One warp of a block
// does it.
template <typename X> DEVICE X look_back(u64* records, i64 tile, const X& own) {
    const int lane = threadIdx.x & 31;
    X before = {};
    bool found = false;
    for (i64 last = tile - 1; last >= 0 && !found; last -= 32 * LOOKS<X>) {
        X parts[LOOKS<X>];
        u32 known[LOOKS<X>];
        bool all;
        do {
            all = true;
            _Pragma("unroll") for (int i = 0; i < LOOKS<X>; i++) {
                const i64 at = last - lane - 32 * i;
                parts[i] = {}, known[i] = OWN;
                if (at >= 0) parts[i] = read_last<X>(records, at, known[i]);
                all &= known[i] != 0;
            }
        } while (!__all_sync(~0u, all));
        _Pragma("unroll") for (int i = 0; i < LOOKS<X>; i++) {
            if (found) break;
            const u32 whole = __ballot_sync(~0u, known[i] == UP_TO);
            if (whole && lane >= __ffs((int)whole)) parts[i] = X{};
            before = X::join(join_lanes(parts[i]), before);
            found = whole != 0;
        }
    }
    if (lane == 0) tell_up_to(records, tile, X::join(before, own));
    return before;
}
