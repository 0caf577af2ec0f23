// Integer arithmetic. Without a check a result wraps: the compiler of the kernel
// has proven that rows that count do not, and others hold anything.
DEVICE i32 add(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }
DEVICE i32 sub(i32 a, i32 b) { return (i32)((u32)a - (u32)b); }
DEVICE i32 mul(i32 a, i32 b) { return (i32)((u32)a * (u32)b); }
DEVICE i64 add(i64 a, i64 b) { return (i64)((u64)a + (u64)b); }
DEVICE i64 sub(i64 a, i64 b) { return (i64)((u64)a - (u64)b); }
DEVICE i64 mul(i64 a, i64 b) { return (i64)((u64)a * (u64)b); }
DEVICE i128 add(i128 a, i128 b) { return (i128)((u128)a + (u128)b); }
DEVICE i128 sub(i128 a, i128 b) { return (i128)((u128)a - (u128)b); }
DEVICE i128 mul(i128 a, i128 b) { return (i128)((u128)a * (u128)b); }
template <typename V> DEVICE V neg(V a) { return sub((V)0, a); }
template <typename V> DEVICE V abs_of(V a) { return a < 0 ? neg(a) : a; }
template <typename V> DEVICE V sign_of(V a) { return (V)((a > 0) - (a < 0)); }
DEVICE i128 mul_wide(i64 a, i64 b) { return (i128)a * b; }

// The checked ones report whether the result did not fit.
template <typename V> DEVICE bool add_overflows(V a, V b, V& sum) {
    sum = add(a, b);
    return ((a ^ sum) & (b ^ sum)) < 0;
}
template <typename V> DEVICE bool sub_overflows(V a, V b, V& diff) {
    diff = sub(a, b);
    return ((a ^ b) & (a ^ diff)) < 0;
}
DEVICE bool mul_overflows(i32 a, i32 b, i32& product) {
    i64 wide = (i64)a * b;
    product = (i32)wide;
    return wide != product;
}
DEVICE bool mul_overflows(i64 a, i64 b, i64& product) {
    product = mul(a, b);
    return __mul64hi(a, b) != product >> 63;
}
DEVICE u128 magnitude(i128 a) { return a < 0 ? (u128)0 - (u128)a : (u128)a; }
DEVICE bool mul_overflows(i128 a, i128 b, i128& product) {
    product = mul(a, b);
    u128 x = magnitude(a), y = magnitude(b);
    u64 xh = (u64)(x >> 64), yh = (u64)(y >> 64);
    if ((xh | yh) == 0) {
        u128 m = x * y;
        return m >> 127 && !(m << 1 == 0 && product < 0);
    }
    if (xh != 0 && yh != 0) return true;
    u128 cross = xh != 0 ? (u128)xh * (u64)y : (u128)yh * (u64)x;
    if (cross >> 64) return true;
    u128 low = (u128)(u64)x * (u64)y, m = low + (cross << 64);
    if (m < low) return true;
    return m >> 127 && !(m << 1 == 0 && product < 0);
}
template <typename V> DEVICE bool neg_overflows(V a, V& result) { return sub_overflows((V)0, a, result); }
template <typename V> DEVICE bool abs_overflows(V a, V& result) {
    if (a < 0) return neg_overflows(a, result);
    result = a;
    return false;
}

// Division is toward zero. That by zero gives 0 here; what can overflow is only
// the division by -1.
template <typename V> DEVICE V quotient(V a, V b) { return b == 0 ? 0 : b == -1 ? neg(a) : a / b; }
template <typename V> DEVICE V remainder_of(V a, V b) { return b == 0 || b == -1 ? 0 : a % b; }
template <typename V> DEVICE bool div_overflows(V a, V b) { return b == -1 && a < 0 && neg(a) == a; }

// Divisor divides by a number that all rows have in common: by a multiplication and a shift
// (Granlund and Montgomery 1994, section 5). The factor is 2^(bits + shift) divided by the number's
// magnitude, plus one, without the bit that does not fit. Division by zero gives anything.
DEVICE i32 mul_high(i32 a, i32 b) { return (i32)((i64)a * b >> 32); }
DEVICE i64 mul_high(i64 a, i64 b) { return __mul64hi(a, b); }
template <typename V> struct Divisor {
    static constexpr int BITS = 8 * (int)sizeof(V);
    V value, factor;
    int shift = 0;
    DEVICE explicit Divisor(V by) : value(by) {
        const u64 size = by < 0 ? (u64)0 - (u64)by : (u64)by;
        if (size > 1) shift = 63 - __clzll((i64)(size - 1));
        factor = size == 0 ? 0 : (V)(power_over(size) + 1);
    }
    // power_over is 2^(BITS + shift) over a magnitude, without what is beyond 64 bits.
    DEVICE u64 power_over(u64 size) const {
        if constexpr (BITS == 32) return (1ull << (32 + shift)) / size;
        if (size >> 32 == 0) {  // in two digits
            const u64 first = (1ull << (32 + shift)) / size, rest = (1ull << (32 + shift)) % size;
            return (first << 32) + (rest << 32) / size;
        }
        u64 quo = 0, rest = 1;
        _Pragma("unroll 1") for (int i = 0; i < BITS + shift; i++) {
            rest <<= 1, quo <<= 1;
            if (rest >= size) rest -= size, quo |= 1;
        }
        return quo;
    }
};
template <typename V> DEVICE V quotient(V a, const Divisor<V>& by) {
    const V negative = by.value >> (Divisor<V>::BITS - 1);
    const V size = sub(add(mul_high(a, by.factor), a) >> by.shift, a >> (Divisor<V>::BITS - 1));
    return sub(size ^ negative, negative);
}
template <typename V> DEVICE V remainder_of(V a, const Divisor<V>& by) { return sub(a, mul(quotient(a, by), by.value)); }

// pow10 is a power of ten that fits.
template <typename V> DEVICE constexpr V pow10(int k) {
    V p = 1;
    for (int i = 0; i < k; i++) p *= 10;
    return p;
}

// divide_round divides by a positive number and rounds half away from zero.
template <typename V> DEVICE V divide_round(V a, V p) {
    V quo = a / p, rem = a % p;
    if (rem >= p - rem) return quo + 1;
    if (-rem >= p + rem) return quo - 1;
    return quo;
}
