// Dates are days since 1970-01-01 and timestamps microseconds since its midnight,
// in the proleptic Gregorian calendar.
constexpr i64 MICROS_PER_DAY = 86400000000ll;

DEVICE i64 floor_div(i64 a, i64 b) { return a / b - (a % b < 0); }

struct Civil {
    i64 year;
    i32 month, day;
};

// civil takes eras of 400 years, which begin on the first of March.
DEVICE Civil civil(i64 days) {
    days += 719468;
    const i64 era = floor_div(days, 146097);
    const u32 of_era = (u32)(days - era * 146097);
    const u32 year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const u32 of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const u32 shifted = (5 * of_year + 2) / 153;
    Civil c;
    c.day = (i32)(of_year - (153 * shifted + 2) / 5) + 1;
    c.month = (i32)shifted + (shifted >= 10 ? -9 : 3);
    c.year = (i64)year_of_era + era * 400 + (shifted >= 10);
    return c;
}

// days_of is the day of a date, whose month may be any number from 1 to 12.
DEVICE i64 days_of(i64 year, i32 month, i32 day) {
    if (month <= 2) year--;
    const i64 era = floor_div(year, 400);
    const i64 year_of_era = year - era * 400;
    const i64 of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719468;
}

// Fields of a date.
DEVICE i32 year_of(i64 days) {
    const i64 y = civil(days).year;
    return (i32)(y > 0 ? y : y - 1);
}
DEVICE i32 quarter_of(i64 days) { return (civil(days).month - 1) / 3 + 1; }
DEVICE i32 month_of(i64 days) { return civil(days).month; }
DEVICE i32 day_of(i64 days) { return civil(days).day; }
DEVICE i32 dow_of(i64 days) { return (i32)(days + 4 - 7 * floor_div(days + 4, 7)); }
DEVICE i32 isodow_of(i64 days) { return (dow_of(days) + 6) % 7 + 1; }
DEVICE i32 doy_of(i64 days) { return (i32)(days - days_of(civil(days).year, 1, 1)) + 1; }

// day_of_micros is the day of a timestamp.
DEVICE i64 day_of_micros(i64 micros) { return floor_div(micros, MICROS_PER_DAY); }

DEVICE i64 micros_of_day(i64 micros) { return sub(micros, mul(day_of_micros(micros), MICROS_PER_DAY)); }

// midnight is the timestamp of a day that has one: not before the first day of the
// calendar, and not beyond 64 bits.
DEVICE bool has_midnight(i64 days) { return days >= -2440588 && days <= 106751991; }
DEVICE i64 midnight(i64 days) { return has_midnight(days) ? days * MICROS_PER_DAY : 0; }

// Beginnings of units of time.
DEVICE i64 year_begin(i64 days) { return days_of(civil(days).year, 1, 1); }
DEVICE i64 quarter_begin(i64 days) {
    const Civil c = civil(days);
    return days_of(c.year, (c.month - 1) / 3 * 3 + 1, 1);
}
DEVICE i64 month_begin(i64 days) { return days - civil(days).day + 1; }
DEVICE i64 week_begin(i64 days) { return days - isodow_of(days) + 1; }
DEVICE i64 day_begin(i64 days) { return days; }
