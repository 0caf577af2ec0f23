// Decoupled look-back (Merrill and Garland 2016): what the tiles before one come to, in one
// pass over all. X is what is scanned: an array word of X::WORDS words, zeros for nothing. The first is a
// number below 2^62 that is added up. Where X::LINKED holds, parts that are not nothing have a first() and a
// last() key, and one is taken off where the last key of a part is the first of the next that is not nothing.
// X::of makes one of these three, and join one of an older and a newer part. Tiles are given out by ticket, so
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

// tell says what a tile comes to.
template <typename X> DEVICE void tell(u64* records, i64 tile, const X& own) {
    write_record(last_record<X>(records, tile), own, OWN);
    write_record(own_record<X>(records, tile), own, OWN);
}

// tell_up_to says what all tiles up to one come to. Its words but the first stay what they are where the tile comes to
// something, so that who reads them then has those of either.
template <typename X> DEVICE void tell_up_to(u64* records, i64 tile, const X& before, const X& own) {
    X all = own.word[0] ? own : before;
    all.word[0] = X::join(before, own).word[0];
    write_record(last_record<X>(records, tile), all, UP_TO);
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

// look_back is what all tiles before one come to, which comes to own and has told so. One warp of a block
// does it: its lanes look at 32 tiles side by side, and then at those before them. To look at more at once takes
// longer than it spares, since who waits looks again and again.
template <typename X> DEVICE X look_back(u64* records, i64 tile, const X& own) {
    typedef typename X::Key Key;
    const u32 lane = threadIdx.x & 31, lower = (1u << lane) - 1;
    u64 sum = 0;
    Key last = 0, next = 0;  // of the newest part, and of the oldest so far
    bool some = false;
    for (i64 at = tile - 1 - lane;; at -= 32) {
        X part;
        u32 known;
        do {
            part = {}, known = UP_TO;  // before the first
            if (at >= 0) part = read_record<X>(last_record<X>(records, at), known);
        } while (!__all_sync(~0u, known != 0));
        const u32 ends = __ballot_sync(~0u, known == UP_TO), up_to = ends ? __ffs((int)ends) - 1 : 32;
        u32 counts = lane < up_to ? (u32)part.word[0] : 0;
        if constexpr (X::LINKED) {
            const u32 lanes = __ballot_sync(~0u, part.word[0] != 0), newer = lanes & lower;
            const Key first = __shfl_sync(~0u, part.first(), 31 - __clz((int)(newer | 1)));
            const bool linked = part.last() == (newer ? first : next) && (newer || some);
            if (lane <= up_to && bit(lanes, lane) && linked) counts--;
            const Key oldest = __shfl_sync(~0u, part.first(), 31 - __clz((int)(lanes | 1)));
            if (!some) last = __shfl_sync(~0u, part.last(), lanes ? __ffs((int)lanes) - 1 : 0);
            if (lanes) next = oldest, some = true;
        }
        sum += (u64)(i64)(i32)warp_sum(counts);
        if (ends == 0) continue;
        const X before = X::of(sum + __shfl_sync(~0u, part.word[0], up_to), last, last);
        if (lane == 0) tell_up_to(records, tile, before, own);
        return before;
    }
}
