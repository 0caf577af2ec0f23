// Accumulators of many groups. A group has a cell, a number that leads to its words in
// arrays of global memory; zeros are an empty group.

// Wide is a sum of 192 bits, which no sum of 128-bit integers leaves.
struct Wide {
    u64 word[3];
};
DEVICE Wide widen(i128 v) { return {{(u64)v, (u64)((u128)v >> 64), v < 0 ? ~0ull : 0ull}}; }
DEVICE bool fits_i128(const Wide& v) { return v.word[2] == ((i64)v.word[1] < 0 ? ~0ull : 0ull); }
DEVICE i128 narrow(const Wide& v) { return (i128)((u128)v.word[1] << 64 | v.word[0]); }

// Strided is an array whose elements lie N of them apart.
template <typename V, u32 N> struct Strided {
    V* first;
    DEVICE V* operator+(u64 i) const { return first + i * N; }
    DEVICE V& operator[](u64 i) const { return first[i * N]; }
};
template <u32 N, typename V> DEVICE Strided<V, N> strided(V* first) { return {first}; }

// in_order is which of a key's values, of which NULL is the last, comes at a place in an order. Codes by rank,
// the least of which is lo, are those of texts.
template <bool NULLABLE, bool NULLS_FIRST, bool DESC> DEVICE u32 in_order(u32 place, u32 values, const u32* codes, u32 lo) {
    if (NULLABLE) {
        values--;
        if (place == (NULLS_FIRST ? 0 : values)) return values;
        place -= NULLS_FIRST;
    }
    if (DESC) place = values - 1 - place;
    return codes ? codes[place] - lo : place;
}

// Terms. A term is a number that an accumulator keeps of a group: V is its type, of its
// cell in one array or in several, with zeros for no rows. join puts two together, add
// one and that of a cell, and of is that of a cell. A is an array.
struct Sum {
    typedef u64 V;
    static DEVICE V join(V a, V b) { return a + b; }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { atomicAdd(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};
struct NarrowSum : Sum {};  // to which a row gives 32 bits
struct FloatSum {
    typedef f64 V;
    static DEVICE V join(V a, V b) { return a + b; }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { atomicAdd(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};
struct WideSum {
    typedef Wide V;
    static DEVICE V join(V a, const V& b) {
        u64 carry = 0;
        _Pragma("unroll") for (int i = 0; i < 3; i++) {
            const u64 x = b.word[i] + carry;
            carry = carry != 0 && x == 0;
            a.word[i] += x;
            carry += a.word[i] < x;
        }
        return a;
    }
    template <typename A> static DEVICE void add(const V& v, u64 cell, A low, A mid, A high) {
        const A words[3] = {low, mid, high};
        u64 carry = 0;
        _Pragma("unroll") for (int i = 0; i < 3; i++) {
            u64 x = v.word[i] + carry;
            carry = carry != 0 && x == 0;
            if (x == 0) continue;
            u64 had = atomicAdd(words[i] + cell, x);
            carry += had > ~x;
        }
    }
    template <typename A> static DEVICE V of(u64 cell, A low, A mid, A high) { return {{low[cell], mid[cell], high[cell]}}; }
};
template <typename U> struct MaxRank {
    typedef U V;
    static DEVICE V join(V a, V b) { return a > b ? a : b; }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { atomicMax(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};
struct Flag {
    typedef u32 V;
    static DEVICE V join(V a, V b) { return a | b; }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { atomicOr(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};
struct OrBits {
    typedef u64 V;
    static DEVICE V join(V a, V b) { return a | b; }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { atomicOr(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};
struct XorBits {
    typedef u64 V;
    static DEVICE V join(V a, V b) { return a ^ b; }
    template <typename A> static DEVICE void add(V v, u64 cell, A a) { atomicXor(a + cell, v); }
    template <typename A> static DEVICE V of(u64 cell, A a) { return a[cell]; }
};

// some reports whether the number of a term is of any row that changes it.
DEVICE bool some(u32 v) { return v != 0; }
DEVICE bool some(u64 v) { return v != 0; }
DEVICE bool some(f64 v) { return v != 0; }
DEVICE bool some(const Wide& v) { return (v.word[0] | v.word[1] | v.word[2]) != 0; }

// merge adds what a term has in a copy of a cell to the cell.
template <typename X, typename... A> DEVICE void merge(u64 from, u64 cell, A... arrays) {
    const typename X::V v = X::of(from, arrays...);
    if (some(v)) X::add(v, cell, arrays...);
}

// put sets what a term has in a cell, which nobody else adds to.
template <typename V, typename A> DEVICE void put(V v, u64 cell, A a) { a[cell] = v; }
template <typename A> DEVICE void put(const Wide& v, u64 cell, A low, A mid, A high) {
    low[cell] = v.word[0], mid[cell] = v.word[1], high[cell] = v.word[2];
}

// rank maps the order of values to that of unsigned integers, and value back.
DEVICE u32 rank(i32 v) { return (u32)v ^ 1u << 31; }
DEVICE u32 rank(u32 v) { return v; }
DEVICE u64 rank(i64 v) { return (u64)v ^ 1ull << 63; }
DEVICE u64 rank(f64 v) {
    i64 bits = __double_as_longlong(v);
    return v != v ? ~0ull : (u64)bits ^ ((u64)(bits >> 63) | 1ull << 63);
}
DEVICE void unrank(u32 k, i32& v) { v = (i32)(k ^ 1u << 31); }
DEVICE void unrank(u32 k, u32& v) { v = k; }
DEVICE void unrank(u64 k, i64& v) { v = (i64)(k ^ 1ull << 63); }
DEVICE void unrank(u64 k, f64& v) {
    v = __longlong_as_double((i64)(k >> 63 ? k ^ 1ull << 63 : ~k));
}
