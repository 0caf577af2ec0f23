// Accumulators of many groups. A group has a cell, a number that leads to its words in
// arrays of global memory; zeros are an empty group.

// Wide is a sum of 192 bits, which no sum of 128-bit integers leaves.
struct Wide {
    u64 word[3];
};
DEVICE Wide widen(i128 v) { return {{(u64)v, (u64)((u128)v >> 64), v < 0 ? ~0ull : 0ull}}; }
DEVICE bool fits_i128(const Wide& v) { return v.word[2] == ((i64)v.word[1] < 0 ? ~0ull : 0ull); }
DEVICE i128 narrow(const Wide& v) { return (i128)((u128)v.word[1] << 64 | v.word[0]); }

// global_add adds to a number whose words lie in three arrays.
DEVICE void global_add(u64* low, u64* mid, u64* high, u64 cell, const Wide& v) {
    u64* const words[3] = {low, mid, high};
    u64 carry = 0;
    _Pragma("unroll") for (int i = 0; i < 3; i++) {
        u64 x = v.word[i] + carry;
        carry = carry != 0 && x == 0;
        if (x == 0) continue;
        u64 had = atomicAdd(words[i] + cell, x);
        carry += had > ~x;
    }
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
