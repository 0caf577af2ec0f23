// Numerics with a scale for each value: PostgreSQL's rules for the scale and the
// rounding of results. A coefficient has at most 38 digits and a scale is at most
// 255; functions that end in overflows report whether the result would have more.
struct Num {
    i128 coef;
    u32 scale;
};

constexpr int NUM_DIGITS = 38;

constexpr u128 NUM_LIMIT = (u128)1000000000000000000 * 10000000000 * 10000000000;  // 10^38

// power10 is 10^k, for k up to 38. Most fit in 64 bits, which are far quicker.
DEVICE_CALL u128 power10(int k) {
    if (k < 20) {
        u64 p = 1;
        for (u64 b = 10; k > 0; k /= 2, b *= b) {
            if (k % 2) p *= b;
        }
        return p;
    }
    u128 p = 1, b = 10;
    for (; k > 0; k /= 2, b *= b) {
        if (k % 2) p *= b;
    }
    return p;
}

// U256 is a number of 256 bits.
struct U256 {
    u128 hi, lo;
};
DEVICE bool less(const U256& a, const U256& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
DEVICE U256 minus(const U256& a, const U256& b) { return {a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo}; }

DEVICE_CALL U256 product(u128 a, u128 b) {
    const u64 a0 = (u64)a, a1 = (u64)(a >> 64), b0 = (u64)b, b1 = (u64)(b >> 64);
    const u128 low = (u128)a0 * b0, cross1 = (u128)a1 * b0, cross2 = (u128)a0 * b1, high = (u128)a1 * b1;
    const u128 mid = (low >> 64) + (u64)cross1 + (u64)cross2;
    return {high + (cross1 >> 64) + (cross2 >> 64) + (mid >> 64), mid << 64 | (u64)low};
}

// multiply_overflows makes a product of 256 bits of one.
DEVICE_CALL bool multiply_overflows(U256& a, u128 b) {
    if (a.hi == 0) {
        a = product(a.lo, b);
        return false;
    }
    const U256 high = product(a.hi, b), low = product(a.lo, b);
    a = {high.lo + low.hi, low.lo};
    return high.hi != 0 || a.hi < low.hi;
}

// raise_overflows multiplies by 10^k.
DEVICE_CALL bool raise_overflows(U256& a, int k) {
    if ((a.hi | a.lo) == 0) return false;
    if (k > 2 * NUM_DIGITS) return true;
    if (multiply_overflows(a, power10(min(k, NUM_DIGITS)))) return true;
    return k > NUM_DIGITS && multiply_overflows(a, power10(k - NUM_DIGITS));
}

// divide_word divides a word behind the remainder of those above it.
DEVICE_CALL u64 divide_word(u64 word, u32 divisor, u64& rem) {
    if ((word | rem) == 0) return 0;
    const u64 high = rem << 32 | word >> 32, first = high / divisor;
    const u64 low = (high - first * divisor) << 32 | (u32)word, second = low / divisor;
    rem = low - second * divisor;
    return first << 32 | second;
}

// divide_small is divide by a divisor of 32 bits.
DEVICE_CALL U256 divide_small(const U256& a, u32 divisor, u128& rem) {
    u64 left = 0;
    const u64 w3 = divide_word((u64)(a.hi >> 64), divisor, left), w2 = divide_word((u64)a.hi, divisor, left);
    const u64 w1 = divide_word((u64)(a.lo >> 64), divisor, left), w0 = divide_word((u64)a.lo, divisor, left);
    rem = left;
    return {(u128)w3 << 64 | w2, (u128)w1 << 64 | w0};
}

// divide returns the quotient and the remainder; the divisor is not 0.
DEVICE_CALL U256 divide(U256 a, u128 divisor, u128& rem) {
    if (a.hi == 0 && (a.lo | divisor) >> 64 == 0) {
        rem = (u64)a.lo % (u64)divisor;
        return {0, (u64)a.lo / (u64)divisor};
    }
    if (divisor >> 32 == 0) return divide_small(a, (u32)divisor, rem);
    U256 quo = {a.hi / divisor, 0};
    if (a.hi == 0) {
        quo.lo = a.lo / divisor;
        rem = a.lo - quo.lo * divisor;
        return quo;
    }
    rem = a.hi % divisor;
    for (int i = 127; i >= 0; i--) {
        const bool carry = rem >> 127;
        rem = rem << 1 | (a.lo >> i & 1);
        if (carry || rem >= divisor) {
            rem -= divisor;
            quo.lo |= (u128)1 << i;
        }
    }
    return quo;
}

// divide_half_up rounds the quotient.
DEVICE_CALL U256 divide_half_up(const U256& a, u128 divisor) {
    u128 rem;
    U256 quo = divide(a, divisor, rem);
    if (rem >= divisor - rem) {
        quo.lo++;
        quo.hi += quo.lo == 0;
    }
    return quo;
}

// divide_power10 divides by 10^k, cut or rounded half up.
DEVICE_CALL u128 divide_power10(u128 a, int k, bool round) {
    if (k > NUM_DIGITS) return 0;
    const u128 p = power10(k);
    const u128 rem = a % p;
    return a / p + (round && rem >= p - rem);
}

// root is the integer nearest to the square root.
DEVICE_CALL u128 root(const U256& a) {
    u128 r = 0;
    for (int i = 127; i >= 0; i--) {
        const u128 trial = r | (u128)1 << i;
        if (!less(a, product(trial, trial))) r = trial;
    }
    return r + less({0, r}, minus(a, product(r, r)));
}

DEVICE_CALL int digits_of(U256 a) {
    int n = 0;
    if (a.hi == 0 && a.lo >> 64 == 0) {
        for (u64 p = 1; n < 20 && (u64)a.lo >= p; p *= 10) n++;
        return n;
    }
    for (u128 rem; a.hi != 0; n += NUM_DIGITS) a = divide(a, power10(NUM_DIGITS), rem);
    u128 p = 1;
    for (int i = 0; i <= NUM_DIGITS && a.lo >= p; i++, p *= 10) n++;
    return n;
}

// num_overflows makes a numeric of a sign, a magnitude and a scale.
DEVICE bool num_overflows(bool negative, const U256& u, int scale, Num& result) {
    const bool fits = u.hi == 0 && u.lo < NUM_LIMIT && scale <= 255;
    result = {0, 0};
    if (fits) result = {negative ? -(i128)u.lo : (i128)u.lo, (u32)scale};
    return !fits;
}

// checked_overflows looks at a coefficient that may have 39 digits.
DEVICE bool checked_overflows(bool fails, Num& result) {
    if (!fails && magnitude(result.coef) < NUM_LIMIT && result.scale <= 255) return false;
    result = {0, 0};
    return true;
}

// rescale_overflows returns the coefficient at a scale, rounded half away from zero.
DEVICE_CALL bool rescale_overflows(const Num& v, int scale, i128& coef) {
    const int k = scale - (int)v.scale;
    coef = v.coef;
    if (k == 0 || coef == 0) return false;
    if (k > NUM_DIGITS) return true;
    if (k > 0) return mul_overflows(v.coef, (i128)power10(k), coef);
    coef = (i128)divide_power10(magnitude(v.coef), -k, true);
    if (v.coef < 0) coef = -coef;
    return false;
}

// Arithmetic.
DEVICE Num neg(const Num& v) { return {neg(v.coef), v.scale}; }
DEVICE Num abs_of(const Num& v) { return {abs_of(v.coef), v.scale}; }
DEVICE Num sign_of(const Num& v) { return {sign_of(v.coef), 0}; }

DEVICE_CALL bool add_overflows(const Num& a, const Num& b, Num& sum) {
    i128 x, y;
    const u32 scale = max(a.scale, b.scale);
    bool fails = rescale_overflows(a, (int)scale, x);
    fails |= rescale_overflows(b, (int)scale, y);
    fails |= add_overflows(x, y, x);
    sum = {x, scale};
    return checked_overflows(fails, sum);
}
DEVICE bool sub_overflows(const Num& a, const Num& b, Num& diff) { return add_overflows(a, neg(b), diff); }
DEVICE_CALL bool mul_overflows(const Num& a, const Num& b, Num& result) {
    i128 x;
    const bool fails = mul_overflows(a.coef, b.coef, x);
    result = {x, a.scale + b.scale};
    return checked_overflows(fails, result);
}

// A number's first digit to the base 10000, whose digits are aligned to the point,
// and its weight: what the scale of a quotient depends on.
struct Leading {
    int weight, digit;
};
DEVICE_CALL Leading leading(U256 u, int scale) {
    const int digits = digits_of(u);
    if (digits == 0) return {0, 0};
    const int exponent = digits - 1 - scale, width = (exponent & 3) + 1;
    u128 rem;
    for (int rest = digits - width; rest > 0; rest -= NUM_DIGITS) u = divide(u, power10(min(rest, NUM_DIGITS)), rem);
    if (width > digits) u.lo *= power10(width - digits);
    return {exponent >> 2, (int)u.lo};
}

// quotient_scale is the scale of the quotient of two numbers: at least 16 digits.
DEVICE_CALL int quotient_scale(const U256& a, int a_scale, const U256& b, int b_scale) {
    const Leading x = leading(a, a_scale), y = leading(b, b_scale);
    const int weight = x.weight - y.weight - (x.digit <= y.digit);
    return min(max(max(16 - 4 * weight, 0), max(a_scale, b_scale)), 1000);
}

// div_overflows divides, half away from zero; by zero it returns 0.
DEVICE_CALL bool div_overflows(const Num& a, const Num& b, Num& quo) {
    quo = {0, 0};
    if (b.coef == 0) return false;
    U256 u = {0, magnitude(a.coef)};
    const u128 v = magnitude(b.coef);
    const int scale = quotient_scale(u, (int)a.scale, {0, v}, (int)b.scale);
    if (a.coef == 0) return num_overflows(false, u, scale, quo);
    if (raise_overflows(u, scale + (int)b.scale - (int)a.scale)) return true;
    return num_overflows((a.coef < 0) != (b.coef < 0), divide_half_up(u, v), scale, quo);
}

// mod_overflows returns the remainder of the division toward zero, 0 for that by zero.
DEVICE_CALL bool mod_overflows(const Num& a, const Num& b, Num& result) {
    result = {0, 0};
    if (b.coef == 0) return false;
    const u128 u = magnitude(a.coef), v = magnitude(b.coef);
    const int more = (int)b.scale - (int)a.scale;
    u128 rem = u;
    if (more <= 0) {
        U256 divisor = {0, v};
        if (!raise_overflows(divisor, -more) && divisor.hi == 0) rem = u % divisor.lo;
        return num_overflows(a.coef < 0, {0, rem}, (int)a.scale, result);
    }
    rem = u % v;
    for (int k = more; k > 0; k -= NUM_DIGITS) divide(product(rem, power10(min(k, NUM_DIGITS)) % v), v, rem);
    return num_overflows(a.coef < 0, {0, rem}, (int)b.scale, result);
}

// Rounding to a scale, which may be negative, and to whole numbers.
DEVICE_CALL bool to_scale_overflows(const Num& v, int scale, bool round, Num& result) {
    const int k = scale - (int)v.scale;
    U256 u = {0, magnitude(v.coef)};
    result = {0, 0};
    if (k < 0) u.lo = divide_power10(u.lo, -k, round);
    if (raise_overflows(u, max(k, 0) + max(-scale, 0))) return true;
    return num_overflows(v.coef < 0, u, max(scale, 0), result);
}
DEVICE_CALL bool whole_overflows(const Num& v, bool up, Num& result) {
    u128 u = divide_power10(magnitude(v.coef), (int)v.scale, false);
    i128 back;
    const bool exact = !rescale_overflows({(i128)u, 0}, (int)v.scale, back) && magnitude(v.coef) == (u128)back;
    if (!exact && (v.coef < 0) != up) u++;
    return num_overflows(v.coef < 0, {0, u}, 0, result);
}

// compare_raised compares a·10^k, a not being 0, with b.
DEVICE_CALL int compare_raised(u128 a, int k, u128 b) {
    if (k > NUM_DIGITS) return 1;
    const U256 p = product(a, power10(k));
    if (p.hi != 0 || p.lo > b) return 1;
    return p.lo < b ? -1 : 0;
}

// compare_num compares values and not scales: -1, 0 or 1.
DEVICE_CALL int compare_num(const Num& a, const Num& b) {
    if (a.scale == b.scale) return (a.coef > b.coef) - (a.coef < b.coef);
    const int s = (a.coef > 0) - (a.coef < 0), t = (b.coef > 0) - (b.coef < 0);
    if (s != t || s == 0) return (s > t) - (s < t);
    const u128 x = magnitude(a.coef), y = magnitude(b.coef);
    const int k = (int)b.scale - (int)a.scale;
    return k > 0 ? s * compare_raised(x, k, y) : -s * compare_raised(y, -k, x);
}
DEVICE bool less(const Num& a, const Num& b) { return compare_num(a, b) < 0; }

// average_overflows divides a sum by a count, and returns 0 for that of no rows.
DEVICE bool average_overflows(const Num& sum, i64 count, Num& result) { return div_overflows(sum, {count, 0}, result); }

// moment_overflows returns the variance of count numbers, or with deviation its
// square root, from their sum and that of their squares; 0 where there is none.
DEVICE_CALL bool moment_overflows(i64 count, const Num& sum, const Num& squares, bool sample, bool deviation, Num& result) {
    result = {0, 0};
    if (count <= (sample ? 1 : 0)) return false;
    const int scale = 2 * (int)sum.scale;
    U256 u = product((u128)count, magnitude(squares.coef));
    if (raise_overflows(u, scale - (int)squares.scale)) return true;
    const U256 square = product(magnitude(sum.coef), magnitude(sum.coef));
    if (!less(square, u)) return false;
    u = minus(u, square);
    const u128 v = (u128)count * (u128)(sample ? count - 1 : count);
    const int result_scale = quotient_scale(u, scale, {0, v}, 0);
    if (raise_overflows(u, result_scale - scale)) return true;
    u = divide_half_up(u, v);
    if (!deviation) return num_overflows(false, u, result_scale, result);
    if (raise_overflows(u, result_scale)) return true;
    return num_overflows(false, {0, root(u)}, result_scale, result);
}

// to_f64 is the number of double precision that is nearest. What does not divide
// without rounding is divided as an integer of more than a thousand bits.
DEVICE_CALL f64 to_f64(const Num& v) {
    const u128 u = magnitude(v.coef);
    if (u <= (u128)1 << 53 && v.scale <= 22) {
        f64 p = 1;
        for (u32 i = 0; i < v.scale; i++) p *= 10;
        return v.coef < 0 ? -((f64)(u64)u / p) : (f64)(u64)u / p;
    }
    constexpr int LIMBS = 34;
    u32 limb[LIMBS] = {};  // the most significant one last
    const int shift = 64 + (int)v.scale * 107 / 32;
    for (int i = 0; i < 5; i++) {
        const int at = 32 * i - shift % 32;  // the bit of u that stands first
        limb[shift / 32 + i] = (u32)(at < 0 ? u << -at : at < 128 ? u >> at : 0);
    }
    bool rest = false;
    for (int left = (int)v.scale; left > 0; left -= 9) {
        const u64 divisor = (u64)power10(min(left, 9));
        u64 rem = 0;
        for (int i = LIMBS - 1; i >= 0; i--) {
            const u64 x = rem << 32 | limb[i];
            limb[i] = (u32)(x / divisor);
            rem = x % divisor;
        }
        rest |= rem != 0;
    }
    int top = LIMBS - 1;  // of at least three, since the quotient has more than 64 bits
    while (limb[top] == 0) top--;
    u64 high = (u64)limb[top] << 32 | limb[top - 1];
    const int zeros = __clzll((i64)high);
    if (zeros > 0) high = high << zeros | (u64)limb[top - 2] << 32 >> (64 - zeros);
    for (int i = 0; i < top - 2; i++) rest |= limb[i] != 0;
    rest |= (u32)(limb[top - 2] << zeros) != 0;
    u64 bits = high >> 11;
    const u64 cut = high & 2047;
    bits += cut > 1024 || (cut == 1024 && (rest || bits & 1));
    const int exponent = 32 * (top + 1) - 1 - zeros - shift;
    bits += (u64)(exponent + 1022) << 52;  // what it carries over belongs there too
    return __longlong_as_double((i64)(bits | (v.coef < 0 ? 1ull << 63 : 0)));
}

// A number whose unsigned words, one after the other, have the order of the
// values: the sign and the decimal exponent, and 38 digits.
struct NumOrder {
    u32 exponent;  // 10 bits
    u128 digits;
};
DEVICE_CALL NumOrder order_of(const Num& v) {
    const u128 u = magnitude(v.coef);
    if (u == 0) return {512, 0};
    const int digits = digits_of({0, u});
    NumOrder o = {(u32)(513 + 255 - (int)v.scale + digits - 1), u * power10(NUM_DIGITS - digits)};
    if (v.coef < 0) o = {1023 - o.exponent + 1, ~o.digits};
    return o;
}

// normal is the same value at the least scale.
DEVICE_CALL Num normal(Num v) {
    if (v.coef == 0) return {0, 0};
    for (; v.scale > 0 && v.coef % 10 == 0; v.scale--) v.coef /= 10;
    return v;
}

// Numerics in memory: two words of the coefficient and one of the scale.
DEVICE Num get_num(const u64* data, u64 i) { return {wide(data[3 * i], data[3 * i + 1]), (u32)data[3 * i + 2] & 255}; }
DEVICE void put_num(u64* data, u64 i, const Num& v) {
    data[3 * i] = (u64)v.coef;
    data[3 * i + 1] = (u64)((u128)v.coef >> 64);
    data[3 * i + 2] = v.scale;
}
DEVICE void load_quad(Num* v, const u64* data, i64 row) {
    for (int i = 0; i < 4; i++) v[i] = get_num(data, (u64)(row + i));
}

// SumNum is a sum of numerics; fail gets bit 2 where it is out of range.
struct SumNum {
    Num sum;
    u64 n;
    DEVICE void start() { sum = {0, 0}, n = 0; }
    DEVICE void take(const Num& v, u32& fail) { fail |= (u32)add_overflows(sum, v, sum) << 2; }
    DEVICE void take_square(const Num& v, u32& fail) {
        Num square;
        fail |= (u32)mul_overflows(v, v, square) << 2;
        take(square, fail);
    }
    DEVICE void merge(const SumNum& o, u32& fail) {
        if (o.n) take(o.sum, fail);
        n += o.n;
    }
};
