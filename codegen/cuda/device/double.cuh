// Logarithms, exponentials and powers of double precision, by the arithmetic of package value
// (float_double.go), step by step, so that they have its last digit: sums hi + lo of two
// doubles, with |lo| at most half a unit in the last place of hi.
struct Double { f64 hi, lo; };

// Beyond these e^x is infinite or 0.
constexpr f64 MAX_EXP = 709.79, MIN_EXP = -745.2;

// two_sum is a + b, and two_product a * b, without rounding.
DEVICE Double two_sum(f64 a, f64 b) {
    const f64 hi = a + b, t = hi - a;
    return {hi, (a - (hi - t)) + (b - t)};
}
DEVICE Double two_product(f64 a, f64 b) {
    const f64 hi = a * b;
    return {hi, fma(a, b, -hi)};
}
DEVICE Double add_double(Double x, Double y) {
    const Double s = two_sum(x.hi, y.hi);
    return two_sum(s.hi, s.lo + x.lo + y.lo);
}
DEVICE Double mul_double(Double x, Double y) {
    const Double p = two_product(x.hi, y.hi);
    return two_sum(p.hi, p.lo + x.hi * y.lo + x.lo * y.hi);
}
DEVICE Double div_double(Double x, Double y) {
    const f64 q = x.hi / y.hi;
    const Double p = two_product(q, y.hi);
    return two_sum(q, ((x.hi - p.hi) - p.lo + x.lo - q * y.lo) / y.hi);
}

DEVICE f64 infinite() { return ldexp(1.0, 2000); }
DEVICE Double ln2() { return {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}; }

// log_double is the natural logarithm of a finite x > 0: with x = m * 2^e, and
// s = (m - 1) / (m + 1), it is e * ln 2 + 2s * (1 + s^2/3 + s^4/5 + ...).
DEVICE Double log_double(f64 x) {
    int e;
    f64 m = frexp(x, &e);
    if (m < 0.70710678118654752440) m = 2 * m, e--;
    const Double s = div_double(two_sum(m, -1), two_sum(m, 1)), square = mul_double(s, s);
    f64 tail = 0; // of terms so small that they need no second double
    for (int k = 21; k >= 8; k--) tail = tail * square.hi + 1 / (f64)(2 * k + 1);
    Double sum = {tail, 0};
    for (int k = 7; k >= 0; k--) sum = add_double(mul_double(sum, square), div_double({1, 0}, {(f64)(2 * k + 1), 0}));
    sum = mul_double(sum, s);
    return add_double(mul_double(ln2(), {(f64)e, 0}), {2 * sum.hi, 2 * sum.lo});
}

// exp_double is e to the power of x: 2^k * e^r, and e^r = 1 + r + r^2 * (1/2 + r/6 + ...).
DEVICE f64 exp_double(Double x) {
    if (x.hi > MAX_EXP) return infinite();
    if (x.hi < MIN_EXP) return 0;
    const f64 k = round(x.hi / 0.69314718055994530942);
    const Double r = add_double(x, mul_double(ln2(), {-k, 0}));
    f64 tail = 1;
    for (int i = 18; i > 2; i--) tail = tail * r.hi / (f64)i + 1;
    tail *= r.hi * r.hi / 2;
    const Double sum = two_sum(1, r.hi);
    return ldexp(sum.hi + (sum.lo + (r.lo + r.lo * r.hi + tail)), (int)k);
}

// ln_f64, log10_f64 and exp_f64 take and return what is not finite, too.
DEVICE f64 ln_f64(f64 x) {
    if (!(x > 0) || is_inf(x)) return x; // what is not above 0 raises an error
    const Double log = log_double(x);
    return log.hi + log.lo;
}
DEVICE f64 log10_f64(f64 x) {
    if (!(x > 0) || is_inf(x)) return x;
    const Double log = mul_double(log_double(x), {0.4342944819032518, 1.098319650216765e-17});
    return log.hi + log.lo;
}
DEVICE f64 exp_f64(f64 x) {
    if (is_nan(x)) return x;
    if (is_inf(x)) return x > 0 ? x : 0;
    return exp_double({x, 0});
}

// power_f64 is x to the power of y, for arguments for which it is defined.
DEVICE f64 power_f64(f64 x, f64 y) {
    if (is_inf(x) || is_inf(y) || is_nan(x) || is_nan(y) || x == 0) return pow(x, y);
    const Double log = log_double(fabs(x));
    const f64 rough = log.hi * y;
    f64 f = rough > 0 ? infinite() : 0;
    if (fabs(rough) < -2 * MIN_EXP) f = exp_double(mul_double(log, {y, 0}));
    return x < 0 && fmod(y, 2) != 0 ? -f : f;
}
