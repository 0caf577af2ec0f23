// Values that are new to their groups: a set of them with the keys of their groups, BITS of both
// together. The product of such a number and an odd one tells it as well; its first bits are those of a bucket
// of four slots, and a slot has the rest, with how many buckets were full before. So the slots have 32
// bits, and are half as many bytes as keys would be.
constexpr u32 BUCKET = 4, PASSED_BITS = 5;

// scattered is a number of BITS bits, another one for each.
template <int BITS> DEVICE u64 scattered(u64 v) {
    constexpr u64 MASK = ~0ull >> (64 - BITS);
    v = v * 0x9e3779b97f4a7c15ull & MASK;
    v ^= v >> (BITS + 1) / 2;
    return v * 0xd6e8feb86659fd93ull & MASK;
}

// mark_some is mark_new of so many rows of a thread: all of them look at the same time, and
// change what they find at the same time.
template <int BITS, int N> DEVICE u32 mark_some(u32* slots, u64 buckets, u32 sought, const u64* values, u32& fresh) {
    const u32 shift = BITS - __popc((u32)(buckets - 1));
    u32 bucket[N], tag[N];
    _Pragma("unroll") for (int i = 0; i < N; i++) {
        const u64 v = bit(sought, i) ? scattered<BITS>(values[i]) : 0;
        bucket[i] = (u32)(v >> shift);
        tag[i] = ((u32)(v & ((1ull << shift) - 1)) << PASSED_BITS) + 1;
    }
    u32 turns = 1u << PASSED_BITS;
    while (sought != 0 && turns > 0) {
        u32 place[N], had[N], taking = 0;
        ulonglong2 pairs[N];
        _Pragma("unroll") for (int i = 0; i < N; i++) if (bit(sought, i)) pairs[i] = __ldcg((const ulonglong2*)(slots + (u64)bucket[i] * BUCKET));
        bool passes = false;
        _Pragma("unroll") for (int i = 0; i < N; i++) {
            if (!bit(sought, i)) continue;
            const u32 held[BUCKET] = {(u32)pairs[i].x, (u32)(pairs[i].x >> 32), (u32)pairs[i].y, (u32)(pairs[i].y >> 32)};
            bool known = false;
            place[i] = BUCKET;
            _Pragma("unroll") for (u32 k = BUCKET; k-- > 0;) {
                known |= held[k] == tag[i];
                if (held[k] == 0) place[i] = k;
            }
            if (known) {
                sought &= ~(1u << i);
            } else if (place[i] < BUCKET) {
                taking |= 1u << i;
            } else {
                bucket[i] = (u32)((bucket[i] + 1) & (buckets - 1));
                tag[i]++;
                passes = true;
            }
        }
        _Pragma("unroll") for (int i = 0; i < N; i++) if (bit(taking, i)) had[i] = atomicCAS(slots + (u64)bucket[i] * BUCKET + place[i], 0u, tag[i]);
        _Pragma("unroll") for (int i = 0; i < N; i++) {
            if (!bit(taking, i)) continue;
            if (had[i] == 0) fresh |= 1u << i;
            if (had[i] == 0 || had[i] == tag[i]) sought &= ~(1u << i);
        }
        turns -= passes;
    }
    return sought;
}

// mark_new returns those of some rows whose values nobody has marked, and marks them: of equal ones one is new. Rows for
// which a thread finds no slot are left out, and full is set.
template <int BITS> DEVICE u32 mark_new(u32* slots, u64 buckets, u32 rows, const u64 (&values)[R], u64* full, u32& unmarked) {
    u32 fresh = 0;
    _Pragma("unroll") for (int q = 0; q < R; q += 4) {
        u32 now = 0;
        unmarked |= mark_some<BITS, 4>(slots, buckets, rows >> q & 15u, values + q, now);
        fresh |= now << q;
    }
    if (unmarked) atomicMax(full, 1ull);
    return fresh;
}
