// Merges: finding rows in a relation in ascending order of a key. The rows of a block
// have few keys beside each other where they are in that order too: the block finds the
// part of the relation that has them, and copies its keys to shared memory where there
// is room; then each row finds its own.

// MERGE_WINDOW is how many keys of the relation a block keeps.
constexpr u32 MERGE_WINDOW = 1024;

template <typename K> struct Merging {
    K window[MERGE_WINDOW];
    K min_key[WARPS], max_key[WARPS];  // of the keys of each warp's rows
    u32 any[WARPS];               // whether there are such rows
    u32 begin, end;               // of the part
};

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

// merge sets, for each of some rows, the first row of the relation that has its key plus
// one, or 0. All threads of the block take part.
template <typename E, typename K> DEVICE void merge(Merging<K>& m, const E* keys, u32 rows_of_relation, const K* key, u32 rows, u32* at) {
    K lo = 0, hi = 0;
    bool any = false;
    ROWS if (bit(rows, r)) {
        lo = any && lo < key[r] ? lo : key[r];
        hi = any && hi > key[r] ? hi : key[r];
        any = true;
    }
    for (int d = 16; d > 0; d /= 2) {
        const K low = __shfl_xor_sync(~0u, lo, d), high = __shfl_xor_sync(~0u, hi, d);
        const bool there = __shfl_xor_sync(~0u, (u32)any, d);
        lo = there && (!any || low < lo) ? low : lo;
        hi = there && (!any || high > hi) ? high : hi;
        any |= there;
    }
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (lane == 0) {
        m.min_key[warp] = lo;
        m.max_key[warp] = hi;
        m.any[warp] = any;
    }
    __syncthreads();
    for (u32 end = warp; end < 2; end += WARPS) {
        any = false;
        for (int w = 0; w < WARPS; w++) {
            if (!m.any[w]) continue;
            lo = any && lo < m.min_key[w] ? lo : m.min_key[w];
            hi = any && hi > m.max_key[w] ? hi : m.max_key[w];
            any = true;
        }
        u32 place = 0;
        if (any && rows_of_relation > 0) {
            place = end ? part_end<true>(keys, rows_of_relation, hi) : part_end<false>(keys, rows_of_relation, lo);
        }
        if (lane == 0) (end ? m.end : m.begin) = place;
    }
    __syncthreads();
    const u32 begin = m.begin, n = m.end - m.begin;
    if (n > MERGE_WINDOW) {
        merge_rows(keys + begin, begin, n, key, rows, at);
        return;
    }
    for (u32 i = threadIdx.x; i < n; i += T) m.window[i] = keys[begin + i];
    __syncthreads();
    merge_rows(m.window, begin, n, key, rows, at);
}
