// Decoupled look-back (Merrill and Garland 2016): what the tiles before one come to, in one
// pass over all. X is what is scanned: an array word of X::WORDS words, the first of them below
// 2^62, zeros for nothing, and join of an older and a newer part. Tiles are given out by ticket, so
// that those before a tile are at work whatever number of blocks runs.
//
// A tile has a record, and one more lies before the first: what the tile comes to, and what all up
// to it do. The two lowest bits of the first word of each are 1 when it is known. The record
// before the first is of zeros, but that its first word counts tickets.
template <typename X> constexpr int RECORD = 2 * X::WORDS;
template <typename X> DEVICE u64* own_record(u64* records, i64 tile) { return records + (tile + 1) * RECORD<X>; }
template <typename X> DEVICE u64* up_to_record(u64* records, i64 tile) { return own_record<X>(records, tile) + X::WORDS; }

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

// read_record is what a part of a record says, which is known where known holds. Of more than two
// words the first is written last.
template <typename X> DEVICE X read_record(const u64* record, bool& known) {
    X x;
    if constexpr (X::WORDS == 2) {
        get_pair(record, x.word[0], x.word[1]);
    } else {
        x.word[0] = *(const volatile u64*)record;
        if (X::WORDS > 2) __threadfence();
        _Pragma("unroll") for (int i = 1; i < X::WORDS; i++) x.word[i] = ((const volatile u64*)record)[i];
    }
    known = x.word[0] & 1;
    x.word[0] >>= 2;
    return x;
}
template <typename X> DEVICE void write_record(u64* record, const X& x) {
    const u64 first = x.word[0] << 2 | 1;
    if constexpr (X::WORDS == 2) {
        put_pair(record, first, x.word[1]);
    } else {
        _Pragma("unroll") for (int i = 1; i < X::WORDS; i++) ((volatile u64*)record)[i] = x.word[i];
        if (X::WORDS > 2) __threadfence();
        *(volatile u64*)record = first;
    }
}

// own_of is what a tile comes to, and up_to what all up to it do, where these are known.
template <typename X> DEVICE X own_of(u64* records, i64 tile) {
    bool known;
    return read_record<X>(own_record<X>(records, tile), known);
}
template <typename X> DEVICE X up_to(u64* records, i64 tile) {
    bool known;
    return read_record<X>(up_to_record<X>(records, tile), known);
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

// Looking is shared memory of a block that looks back: what the tiles come to at which each warp
// looks, and whether one of them knows of all before.
template <typename X> struct Looking {
    X parts[WARPS];
    u32 whole[WARPS];
};

// look_back is what all tiles before one come to, which comes to own. The threads of the block
// look at a tile each.
template <typename X> DEVICE X look_back(Looking<X>& s, u64* records, i64 tile, const X& own) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) write_record(own_record<X>(records, tile), own);
    X before = {};
    for (i64 last = tile - 1; last >= 0; last -= T) {
        const i64 at = last - threadIdx.x;
        X part = {};
        bool known = at < 0, whole = false;
        while (!known) {
            const X all = read_record<X>(up_to_record<X>(records, at), whole);
            part = read_record<X>(own_record<X>(records, at), known);
            known |= whole;
            if (whole) part = all;
        }
        const u32 wholes = __ballot_sync(~0u, whole);
        if (wholes && lane >= __ffs((int)wholes)) part = X{};
        part = join_lanes(part);
        if (lane == 0) s.parts[warp] = part, s.whole[warp] = wholes != 0;
        __syncthreads();
        bool found = false;
        for (int w = 0; w < WARPS && !found; w++) {
            before = X::join(s.parts[w], before);
            found = s.whole[w];
        }
        __syncthreads();
        if (found) break;
    }
    if (threadIdx.x == 0) write_record(up_to_record<X>(records, tile), X::join(before, own));
    return before;
}
