// Intervals: months, days and microseconds, none of which is turned into another.
struct Interval {
    i32 months, days;
    i64 micros;
};

// length is an interval's microseconds for comparisons: a month is 30 days.
DEVICE i128 length(const Interval& v) { return (i128)((i64)v.months * 30 + v.days) * MICROS_PER_DAY + v.micros; }
DEVICE i32 compare_interval(const Interval& a, const Interval& b) {
    const i128 x = length(a), y = length(b);
    return (x > y) - (x < y);
}
DEVICE bool less(const Interval& a, const Interval& b) { return compare_interval(a, b) < 0; }

DEVICE i32 days_in_month(i64 year, i32 month) {
    return (i32)(days_of(year + (month == 12), month % 12 + 1, 1) - days_of(year, month, 1));
}
DEVICE i64 add_months(i64 days, i32 months) {
    const Civil c = civil(days);
    const i64 total = c.year * 12 + (c.month - 1) + months, year = floor_div(total, 12);
    const i32 month = (i32)(total - year * 12) + 1;
    return days_of(year, month, min(c.day, days_in_month(year, month)));
}

// is_infinity is true of the greatest number, which no finite timestamp is.
DEVICE bool is_infinity(i64 micros) { return micros == 9223372036854775807ll; }

// timestamp_overflows puts a day and the microseconds of it together.
DEVICE bool timestamp_overflows(i64 days, i128 of_day, i64& micros) {
    const i128 sum = (i128)days * MICROS_PER_DAY + of_day;
    micros = (i64)sum;
    return days < -2440588 || days > 106751992 || sum != micros || is_infinity(micros);
}

// moved_overflows adds an interval to a timestamp, the months first.
DEVICE_CALL bool moved_overflows(i64 moment, const Interval& by, i64& result) {
    i64 days = day_of_micros(moment);
    const i64 of_day = micros_of_day(moment);
    if (by.months != 0) {
        days = add_months(days, by.months);
        if (timestamp_overflows(days, of_day, result)) return true;
    }
    days += by.days;
    if (timestamp_overflows(days, of_day, result)) return true;
    const i128 sum = (i128)result + by.micros;
    result = (i64)sum;
    return sum != result || is_infinity(result) || day_of_micros(result) < -2440588;
}

// Arithmetic is field by field.
DEVICE bool add_overflows(const Interval& a, const Interval& b, Interval& sum) {
    const bool months = add_overflows(a.months, b.months, sum.months), days = add_overflows(a.days, b.days, sum.days);
    return add_overflows(a.micros, b.micros, sum.micros) || months || days;
}
DEVICE bool sub_overflows(const Interval& a, const Interval& b, Interval& diff) {
    const bool months = sub_overflows(a.months, b.months, diff.months), days = sub_overflows(a.days, b.days, diff.days);
    return sub_overflows(a.micros, b.micros, diff.micros) || months || days;
}

// between_overflows is the time from b to a in days and what is left over.
DEVICE bool between_overflows(i64 a, i64 b, Interval& result) {
    i64 diff;
    const bool fails = sub_overflows(a, b, diff);
    result = {0, (i32)(diff / MICROS_PER_DAY), diff % MICROS_PER_DAY};
    return fails;
}

// scale_overflows multiplies an interval, or divides it, field by field: fractions of a month become days, of 30 to the
// month, and those of a day time.
DEVICE f64 scaled(f64 x, f64 by, bool divides) { return divides ? x / by : x * by; }
DEVICE f64 round_micros(f64 seconds) { return rint(seconds * 1e6) / 1e6; }
DEVICE_CALL bool scale_overflows(const Interval& v, f64 by, bool divides, Interval& result) {
    const f64 months = scaled(v.months, by, divides), days = scaled(v.days, by, divides);
    const f64 least = -2147483648.0, most = 2147483647.0, seconds_per_day = 86400;
    if (!(months >= least && months <= most && days >= least && days <= most)) return true;
    const f64 more = round_micros((months - trunc(months)) * 30);
    f64 seconds = round_micros((days - trunc(days) + more - trunc(more)) * seconds_per_day);
    i64 whole = (i64)trunc(days) + (i64)more;
    if (fabs(seconds) >= seconds_per_day) {
        const f64 over = trunc(seconds / seconds_per_day);
        whole += (i64)over;
        seconds -= over * seconds_per_day;
    }
    const f64 micros = rint(scaled((f64)v.micros, by, divides) + seconds * 1e6);
    if (!(micros >= -9223372036854775808.0 && micros < 9223372036854775808.0)) return true;
    result = {(i32)months, (i32)whole, (i64)micros};
    return result.days != whole;
}

// Intervals in memory: a word for each part.
DEVICE Interval get_interval(const u64* data, u64 i) { return {(i32)data[3 * i], (i32)data[3 * i + 1], (i64)data[3 * i + 2]}; }
DEVICE void put_interval(u64* data, u64 i, const Interval& v) {
    data[3 * i] = (u64)(i64)v.months;
    data[3 * i + 1] = (u64)(i64)v.days;
    data[3 * i + 2] = (u64)v.micros;
}
DEVICE void load_quad(Interval* v, const u64* data, i64 row) {
    for (int i = 0; i < 4; i++) v[i] = get_interval(data, (u64)(row + i));
}

// SumInterval is as the sums of state.cuh: bit 3 of fail is for one out of range.
struct SumInterval {
    Interval sum;
    u64 n;
    DEVICE void start() { sum = {0, 0, 0}, n = 0; }
    DEVICE void take(const Interval& v, u32& fail) { fail |= (u32)add_overflows(sum, v, sum) << 3; }
    DEVICE void merge(const SumInterval& o, u32& fail) { take(o.sum, fail), n += o.n; }
};
