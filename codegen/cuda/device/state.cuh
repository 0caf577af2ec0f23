// Accumulators of one group: what a thread keeps of an accumulator, what it does
// with a value, and how two of them come together. fail collects errors: bit 0 for
// a sum of integers out of range, bit 1 for one of floats.
struct Count {
    u64 n;
    DEVICE void start() { n = 0; }
    DEVICE void merge(const Count& o, u32&) { n += o.n; }
};

// SumNarrow is a sum that is proven to fit in 64 bits; SumWide has 128.
struct SumNarrow {
    i64 sum;
    u64 n;
    DEVICE void start() { sum = 0, n = 0; }
    DEVICE void take(i64 v) { sum = add(sum, v); }
    DEVICE void merge(const SumNarrow& o, u32&) { take(o.sum), n += o.n; }
};
struct SumWide {
    i128 sum;
    u64 n;
    DEVICE void start() { sum = 0, n = 0; }
    DEVICE void take(i128 v, u32& fail) { fail |= add_overflows(sum, v, sum); }
    DEVICE void take_square(i128 v, u32& fail) {
        i128 square;
        fail |= mul_overflows(v, v, square);
        take(square, fail);
    }
    DEVICE void merge(const SumWide& o, u32& fail) { take(o.sum, fail), n += o.n; }
};
struct SumFloat {
    f64 sum;
    u64 n;
    DEVICE void start() { sum = 0, n = 0; }
    DEVICE void take(f64 v, u32& fail) {
        f64 next = sum + v;
        fail |= (u32)overflowed(next, sum, v) << 1;
        sum = next;
    }
    DEVICE void merge(const SumFloat& o, u32& fail) { take(o.sum, fail), n += o.n; }
};

// Min and Max keep an extreme value.
template <typename V> DEVICE bool less(V a, V b) { return a < b; }
DEVICE bool less(f64 a, f64 b) { return compare_f64(a, b) < 0; }
template <typename V> struct Min {
    V v;
    u64 n;
    DEVICE void start() { v = V(), n = 0; }
    DEVICE void take(V x) {
        if (n == 0 || less(x, v)) v = x;
        n = 1;
    }
    DEVICE void merge(const Min& o, u32&) {
        if (o.n) take(o.v);
    }
};
template <typename V> struct Max {
    V v;
    u64 n;
    DEVICE void start() { v = V(), n = 0; }
    DEVICE void take(V x) {
        if (n == 0 || less(v, x)) v = x;
        n = 1;
    }
    DEVICE void merge(const Max& o, u32&) {
        if (o.n) take(o.v);
    }
};

// Any keeps one of the values.
template <typename V> struct Any {
    V v;
    u64 n;
    DEVICE void start() { v = V(), n = 0; }
    DEVICE void take(V x) {
        if (n == 0) v = x;
        n = 1;
    }
    DEVICE void merge(const Any& o, u32&) {
        if (o.n) take(o.v);
    }
};

// Bits combines the bits of integers by an operation that has an identity.
struct And {
    static constexpr i64 NONE = ~0ll;
    template <typename V> static DEVICE V of(V a, V b) { return a & b; }
};
struct Or {
    static constexpr i64 NONE = 0;
    template <typename V> static DEVICE V of(V a, V b) { return a | b; }
};
struct Xor {
    static constexpr i64 NONE = 0;
    template <typename V> static DEVICE V of(V a, V b) { return a ^ b; }
};
template <typename Op, typename V> struct Bits {
    V v;
    u64 n;
    DEVICE void start() { v = (V)Op::NONE, n = 0; }
    DEVICE void take(V x) { v = Op::of(v, x), n = 1; }
    DEVICE void merge(const Bits& o, u32&) { v = Op::of(v, o.v), n |= o.n; }
};

// merge_block merges the states of a block's threads into that of thread 0. Unrolled, it would take more registers
// than going over the rows.
template <typename S> DEVICE void merge_block(S& state, S* scratch, u32& fail) {
    _Pragma("unroll 1") for (int half = T / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x >= half && (int)threadIdx.x < 2 * half) scratch[threadIdx.x - half] = state;
        __syncthreads();
        if ((int)threadIdx.x < half) state.merge(scratch[threadIdx.x], fail);
    }
}
