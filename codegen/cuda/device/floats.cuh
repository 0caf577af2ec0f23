// Double precision, by PostgreSQL's rules: not a number equals itself and is
// greater than all others; infinities come from infinities alone.
DEVICE bool is_nan(f64 a) { return a != a; }
DEVICE bool is_inf(f64 a) { return a - a != 0 && !is_nan(a); }
DEVICE i32 compare_f64(f64 a, f64 b) {
    if (is_nan(a) || is_nan(b)) return (i32)is_nan(a) - (i32)is_nan(b);
    return (i32)(a > b) - (i32)(a < b);
}
DEVICE f64 choose(bool condition, f64 a, f64 b) { return condition ? a : b; }
DEVICE f64 sign_f64(f64 a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; }

// overflowed and underflowed tell what became of the operands of a result.
DEVICE bool overflowed(f64 result, f64 a, f64 b) { return is_inf(result) && !is_inf(a) && !is_inf(b); }

// deviations returns a, a sum of products of deviations of two states, for which those of each alone are x and y:
// NaN where a value was not finite, and infinite where finite values have overflowed.
DEVICE f64 deviations(f64 a, f64 x, f64 y) {
    const f64 infinite = __longlong_as_double(0x7ff0000000000000ll);
    if (is_inf(x) || is_inf(y)) return infinite;
    if (is_nan(x) || is_nan(y)) return x + y;
    return a - a == 0 ? a : infinite;
}

// round_in reports whether a double rounds to an integer between lo and hi, which
// are integers (hi exclusive).
DEVICE bool round_in(f64 a, f64 lo, f64 hi) {
    f64 x = rint(a);
    return x >= lo && x < hi;
}
