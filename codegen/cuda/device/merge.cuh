// Merges: finding rows in a relation in ascending order of a key. The rows of a warp
// have few keys beside each other where they are in that order too: the warp finds the
// part of the relation that has them, and then each row its own. No warp waits for another.

// NEAR is how far apart the first keys are that a warp looks at, and within how many
// it finds an end of the part.
constexpr u32 NEAR = 32;

// part_end returns, to all lanes of a warp, a place of the relation that has less than
// NEAR rows between it and the first that is not less than key, or with UPPER the first
// that is greater: at or before that, with UPPER at or after it. The first look is where
// key would be if all keys were as far apart.
template <bool UPPER, typename E, typename K> DEVICE u32 part_end(const E* keys, u32 rows, K key) {
    const u32 lane = threadIdx.x & 31;
    const f64 first = (f64)keys[0], width = (f64)keys[rows - 1] - first;
    const f64 share = width > 0 ? ((f64)key - first) / width : 0;
    const i64 guess = share <= 0 ? 0 : share >= 1 ? (i64)rows : (i64)(share * rows);
    i64 at = guess + ((i64)lane - 16) * NEAR;
    bool valid = at >= 0 && at < (i64)rows;
    u32 lo = 0, hi = rows;  // what lies before lo is less, what lies from hi on is not
    for (;;) {
        bool less = false;
        if (valid) less = UPPER ? (K)keys[at] <= key : (K)keys[at] < key;
        const u32 below = __ballot_sync(~0u, less), above = __ballot_sync(~0u, valid && !less);
        const u32 last = (u32)__shfl_sync(~0u, at, below ? 31 - __clz(below) : 0);
        const u32 next = (u32)__shfl_sync(~0u, at, above ? __ffs(above) - 1 : 0);
        if (below) lo = last + 1;
        if (above) hi = next;
        if (hi - lo <= NEAR) return UPPER ? hi : lo;
        const u32 step = (hi - lo) / 33 + 1;
        at = lo + (i64)(lane + 1) * step - 1;
        valid = at < (i64)hi;
    }
}

// run_end returns the place behind the last key that is equal to that before at, a place
// plus one. The step doubles as long as keys are equal.
template <typename E> DEVICE u32 run_end(const E* keys, u32 rows, u32 at) {
    const E key = keys[at - 1];
    u32 lo = at, step = 1;  // what lies before lo is equal
    while (step < rows - lo && keys[lo + step - 1] == key) {
        lo += step;
        step *= 2;
    }
    u32 hi = step < rows - lo ? lo + step - 1 : rows;  // what lies from hi on is not
    while (lo < hi) {
        const u32 mid = lo + (hi - lo) / 2;
        if (keys[mid] == key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

// first_not_less returns the first place of lo to hi whose key is not less than key; hi
// where there is none.
template <typename P, typename K> DEVICE u32 first_not_less(const P* keys, u32 lo, u32 hi, K key) {
    while (lo < hi) {
        const u32 mid = lo + (hi - lo) / 2;
        if ((K)keys[mid] < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

// go_on is first_not_less where the place is likely to be near lo.
template <typename P, typename K> DEVICE u32 go_on(const P* keys, u32 lo, u32 hi, K key) {
    u32 step = 1;
    while (step <= hi - lo && (K)keys[lo + step - 1] < key) {
        lo += step;
        step *= 2;
    }
    return first_not_less(keys, lo, step <= hi - lo ? lo + step - 1 : hi, key);
}

// merge_rows sets, for each of some rows, the place of the first of n keys that is its
// own plus one, counted from begin on; 0 where there is none.
template <typename P, typename K> DEVICE void merge_rows(const P* keys, u32 begin, u32 n, const K* key, u32 rows, u32* at) {
    QUADS {
        u32 place = 0;
        K before = 0;
        bool started = false;
        _Pragma("unroll") for (int i = 0; i < 4; i++) {
            const int r = 4 * q + i;
            at[r] = 0;
            if (!bit(rows, r)) continue;
            place = started && key[r] >= before ? go_on(keys, place, n, key[r]) : first_not_less(keys, 0, n, key[r]);
            before = key[r];
            started = true;
            if (place < n && (K)keys[place] == key[r]) at[r] = begin + place + 1;
        }
    }
}

// near_part finds the part of n keys that lo to hi are in, by where they would be if all keys were as
// far apart, and from there again by what is found. It returns false, to all lanes of a
// warp, where keys are too uneven for that. Even lanes look for the begin, odd ones for the end.
template <typename E, typename K> DEVICE bool near_part(const E* keys, u32 n, K lo, K hi, u32& begin, u32& end) {
    const bool upper = threadIdx.x & 1;
    const K key = upper ? hi : lo;
    const f64 first = (f64)keys[0], width = (f64)keys[n - 1] - first, rows = width > 0 ? n / width : 0;
    f64 off = ((f64)key - first) * rows;
    i64 at = 0;
    for (int look = 0; look < 5; look++) {
        const f64 to = at + off;
        at = to <= 0 ? 0 : to >= n ? (i64)n - 1 : (i64)to;
        off = ((f64)key - (f64)keys[at]) * rows;
        if (__all_sync(~0u, off > -(f64)NEAR / 2 && off < (f64)NEAR / 2)) break;
    }
    at += upper ? NEAR : -(i64)NEAR;
    const bool outside = at < 0 || at >= (i64)n;
    const u32 place = at < 0 ? 0 : outside ? n : (u32)at;
    begin = __shfl_sync(~0u, place, 0);
    end = __shfl_sync(~0u, place, 1);
    return __all_sync(~0u, outside || (upper ? (K)keys[at] > key : (K)keys[at] < key));
}

// merge sets, for each of some rows, the first row of the relation that has its key plus
// one, or 0. All lanes of the warp take part.
template <typename E, typename K> DEVICE void merge(const E* keys, u32 rows_of_relation, const K* key, u32 rows, u32* at) {
    K lo = 0, hi = 0;
    bool any = false;
    ROWS {
        at[r] = 0;
        if (bit(rows, r)) {
            lo = any && lo < key[r] ? lo : key[r];
            hi = any && hi > key[r] ? hi : key[r];
            any = true;
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        const K low = __shfl_xor_sync(~0u, lo, d), high = __shfl_xor_sync(~0u, hi, d);
        const bool there = __shfl_xor_sync(~0u, (u32)any, d);
        lo = there && (!any || low < lo) ? low : lo;
        hi = there && (!any || high > hi) ? high : hi;
        any |= there;
    }
    if (!any || rows_of_relation == 0) return;
    u32 begin, end;
    if (!near_part(keys, rows_of_relation, lo, hi, begin, end)) {
        begin = part_end<false>(keys, rows_of_relation, lo);
        end = part_end<true>(keys, rows_of_relation, hi);
    }
    merge_rows(keys + begin, begin, end - begin, key, rows, at);
}
