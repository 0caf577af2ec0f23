package value

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// timeOperations are those of dates, timestamps and intervals.
func timeOperations() []operation {
	date, ts, iv := argument(randomDate), argument(randomTimestamp), argument(randomInterval)
	all := []operation{
		{name: "date_parse", sql: "a::date", args: []argument{randomDateText}, eval: func(a []string) (string, error) { return showDate(ParseDate(a[0])) }, near: namedZone},
		{name: "timestamp_parse", sql: "a::timestamp", args: []argument{randomDateText}, eval: func(a []string) (string, error) { return showTimestamp(ParseTimestamp(a[0])) }, near: namedZone},
		{name: "interval_parse", sql: "a::interval", args: []argument{randomIntervalText}, eval: func(a []string) (string, error) { return showInterval(ParseInterval(a[0], "")) }},
		{name: "date_timestamp", sql: "a::date::timestamp", args: []argument{date}, eval: withDate(func(d int32) (string, error) { return showTimestamp(DateToTimestamp(d)) })},
		{name: "timestamp_date", sql: "a::timestamp::date", args: []argument{ts}, eval: withTimestamp(func(m int64) (string, error) { return FormatDate(TimestampToDate(m)), nil })},
		{name: "date_add", sql: "a::date + b::int", args: []argument{date, randomInt32}, eval: func(a []string) (string, error) {
			n, err := strconv.ParseInt(a[1], 10, 64)
			if err != nil {
				return "", err
			}
			return withDate(func(d int32) (string, error) { return showDate(AddDays(d, n)) })(a)
		}},
		{name: "timestamp_add", sql: "a::timestamp + b::interval", args: []argument{ts, iv}, eval: withMoved(AddInterval), near: beyondTimestamps},
		{name: "timestamp_sub", sql: "a::timestamp - b::interval", args: []argument{ts, iv}, eval: withMoved(SubInterval), near: beyondTimestamps},
		{name: "timestamp_diff", sql: "a::timestamp - b::timestamp", args: []argument{ts, ts}, eval: func(a []string) (string, error) {
			m, err := ParseTimestamp(a[0])
			if err != nil {
				return "", err
			}
			n, err := ParseTimestamp(a[1])
			if err != nil {
				return "", err
			}
			return showInterval(SubTimes(m, n))
		}, near: wrapped},
		{name: "interval_add", sql: "a::interval + b::interval", args: []argument{iv, iv}, eval: withIntervals(Interval.Add)},
		{name: "interval_sub", sql: "a::interval - b::interval", args: []argument{iv, iv}, eval: withIntervals(Interval.Sub)},
		{name: "interval_neg", sql: "-(a::interval)", args: []argument{iv}, eval: func(a []string) (string, error) {
			x, err := ParseInterval(a[0], "")
			if err != nil {
				return "", err
			}
			return showInterval(x.Neg())
		}},
		{name: "interval_cmp", sql: "CASE WHEN a::interval < b::interval THEN -1 WHEN a::interval = b::interval THEN 0 ELSE 1 END", args: []argument{iv, iv}, eval: func(a []string) (string, error) {
			x, err := ParseInterval(a[0], "")
			if err != nil {
				return "", err
			}
			y, err := ParseInterval(a[1], "")
			if (x.Normalize() == y.Normalize()) != (x.Cmp(y) == 0) {
				return "", fmt.Errorf("Normalize and Cmp of %v and %v disagree", x, y)
			}
			return strconv.Itoa(x.Cmp(y)), err
		}},
		{name: "interval_mul", sql: "a::interval * b::float8", args: []argument{iv, randomFactor}, eval: withFactor(Interval.Mul)},
		{name: "interval_div", sql: "a::interval / b::float8", args: []argument{iv, randomFactor}, eval: withFactor(Interval.Div)},
		{name: "date_extract", sql: "pg_temp.extract_from(a, b::date)", args: []argument{randomField, date}, eval: func(a []string) (string, error) {
			f, err := ParseExtractField(a[0], DateType)
			if err != nil {
				return "", err
			}
			return withDate(func(d int32) (string, error) { return strconv.FormatInt(ExtractDate(f, d), 10), nil })(a[1:])
		}},
		{name: "timestamp_extract", sql: "pg_temp.extract_from(a, b::timestamp)", args: []argument{randomField, ts}, eval: func(a []string) (string, error) {
			f, err := ParseExtractField(a[0], TimestampType)
			if err != nil {
				return "", err
			}
			return withTimestamp(func(m int64) (string, error) {
				return ExtractTimestampNum(f, m).String(), nil
			})(a[1:])
		}},
		{name: "interval_extract", sql: "pg_temp.extract_from(a, b::interval)", args: []argument{randomField, iv}, eval: func(a []string) (string, error) {
			f, err := ParseExtractField(a[0], IntervalType)
			if err != nil {
				return "", err
			}
			x, err := ParseInterval(a[1], "")
			return ExtractInterval(f, x).String(), err
		}},
		{name: "timestamp_trunc", sql: "date_trunc(a, b::timestamp)", args: []argument{randomField, ts}, eval: func(a []string) (string, error) {
			f, err := ParseTruncField(a[0], TimestampType)
			if err != nil {
				return "", err
			}
			return withTimestamp(func(m int64) (string, error) { return showTimestamp(TruncTimestamp(f, m)) })(a[1:])
		}},
		{name: "interval_trunc", sql: "date_trunc(a, b::interval)", args: []argument{randomField, iv}, eval: func(a []string) (string, error) {
			f, err := ParseTruncField(a[0], IntervalType)
			if err != nil {
				return "", err
			}
			x, err := ParseInterval(a[1], "")
			return TruncInterval(f, x).String(), err
		}},
	}
	for _, field := range []string{"year", "month", "day", "hour", "minute", "second", "year to month", "day to hour", "day to minute", "day to second", "hour to minute", "hour to second", "minute to second"} {
		all = append(all, operation{
			name: "interval_" + strings.ReplaceAll(field, " ", "_"),
			sql:  "pg_temp.qualified(a, '" + field + "')",
			args: []argument{randomQualifiedText},
			eval: func(a []string) (string, error) { return showInterval(ParseInterval(a[0], field)) },
		})
	}
	return all
}

func showDate(d int32, err error) (string, error)         { return FormatDate(d), err }
func showTimestamp(m int64, err error) (string, error)    { return FormatTimestamp(m), err }
func showInterval(iv Interval, err error) (string, error) { return iv.String(), err }

func withDate(f func(int32) (string, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		d, err := ParseDate(a[0])
		if err != nil {
			return "", err
		}
		return f(d)
	}
}

func withTimestamp(f func(int64) (string, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		m, err := ParseTimestamp(a[0])
		if err != nil {
			return "", err
		}
		return f(m)
	}
}

func withMoved(f func(int64, Interval) (int64, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		iv, err := ParseInterval(a[1], "")
		if err != nil {
			return "", err
		}
		return withTimestamp(func(m int64) (string, error) { return showTimestamp(f(m, iv)) })(a)
	}
}

func withIntervals(f func(x, y Interval) (Interval, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		x, err := ParseInterval(a[0], "")
		if err != nil {
			return "", err
		}
		y, err := ParseInterval(a[1], "")
		if err != nil {
			return "", err
		}
		return showInterval(f(x, y))
	}
}

func withFactor(f func(Interval, float64) (Interval, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		x, err := ParseInterval(a[0], "")
		if err != nil {
			return "", err
		}
		factor, err := strconv.ParseFloat(a[1], 64)
		if err != nil {
			return "", err
		}
		return showInterval(f(x, factor))
	}
}

// beyondTimestamps accepts an error for the years after 294247, which end the
// range of a timestamp here.
func beyondTimestamps(got, want string) bool {
	return strings.HasSuffix(got, "timestamp out of range") && strings.HasPrefix(want, "2942")
}

// wrapped accepts an error where PostgreSQL's subtraction of timestamps more
// than 292271 years apart wraps around.
func wrapped(got, want string) bool { return got == "!22008 interval out of range" }

// namedZone accepts that names of time zones are known in part.
func namedZone(got, want string) bool {
	return strings.Contains(want, "time zone") && strings.HasPrefix(got, "!2200")
}

func randomYear(r *rand.Rand) int {
	switch r.IntN(8) {
	case 0:
		return r.IntN(294000)
	case 1:
		return -r.IntN(4712)
	case 2:
		return []int{1, 0, -1, 100, 1000, 1001, 2000, 2001, 1900, -99, -100}[r.IntN(11)]
	}
	return 1900 + r.IntN(200)
}

func randomDate(r *rand.Rand) string {
	year, month := randomYear(r), 1+r.IntN(12)
	day := 1 + r.IntN(daysInMonth(int64(year), month))
	if r.IntN(4) == 0 {
		day = daysInMonth(int64(year), month)
	}
	return FormatDate(int32(daysOf(int64(year), month, day)))
}

func randomClock(r *rand.Rand) string {
	text := fmt.Sprintf("%02d:%02d:%02d", r.IntN(24), r.IntN(60), r.IntN(60))
	if r.IntN(2) == 0 {
		text += "." + randomDigits(r, 6)
	}
	return text
}

func randomTimestamp(r *rand.Rand) string {
	day, era, _ := strings.Cut(randomDate(r), " ")
	return strings.TrimSpace(day + " " + randomClock(r) + " " + era)
}

func randomInt32(r *rand.Rand) string {
	if r.IntN(10) == 0 {
		return strconv.Itoa(int(int32(r.Uint32())))
	}
	return strconv.Itoa(r.IntN(20001) - 10000)
}

func randomInterval(r *rand.Rand) string {
	iv := Interval{
		Months: int32(r.IntN(1+r.IntN(1200)) - 300),
		Days:   int32(r.IntN(1+r.IntN(1000)) - 300),
		Micros: r.Int64N(1+r.Int64N(100*microsPerDay)) - 30*microsPerDay,
	}
	switch r.IntN(8) {
	case 0:
		iv.Months = 0
	case 1:
		iv.Micros = 0
	case 2:
		iv = Interval{Days: iv.Days}
	case 3:
		iv = Interval{Months: iv.Months}
	case 4:
		iv = Interval{Months: int32(r.Uint32()) / 10000, Days: int32(r.Uint32()) / 10000, Micros: r.Int64() - 1<<62}
	}
	return iv.String()
}

func randomFactor(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return strconv.Itoa(r.IntN(21) - 10)
	case 1:
		return strconv.FormatFloat(float64(r.IntN(2000)-1000)/100, 'g', -1, 64)
	}
	return strconv.FormatFloat(r.NormFloat64()*3, 'g', -1, 64)
}

func randomField(r *rand.Rand) string {
	names := []string{"microseconds", "milliseconds", "second", "minute", "hour", "day", "week", "month", "quarter",
		"year", "decade", "century", "millennium", "dow", "isodow", "doy", "isoyear", "julian", "epoch", "YEAR",
		"years", "mon", "timezone", "fortnight", ""}
	return names[r.IntN(len(names))]
}

func randomDateText(r *rand.Rand) string {
	month, day := 1+r.IntN(13), 1+r.IntN(32)
	year := 1990 + r.IntN(40)
	name := []string{"Jan", "January", "feb", "MAR", "April", "may", "jun", "July", "Aug", "sept", "oct", "Nov", "December"}[month-1]
	forms := []string{
		fmt.Sprintf("%04d-%02d-%02d", year, month, day), fmt.Sprintf("%d-%d-%d", year, month, day),
		fmt.Sprintf("%d/%d/%d", month, day, year), fmt.Sprintf("%d.%d.%d", month, day, year),
		fmt.Sprintf("%s %d, %d", name, day, year), fmt.Sprintf("%d %s %d", day, name, year),
		fmt.Sprintf("%d-%s-%d", day, name, year), fmt.Sprintf("%s-%d-%d", name, day, year),
		fmt.Sprintf("%d-%s-%d", year, name, day), fmt.Sprintf("%04d%02d%02d", year, month, day),
		fmt.Sprintf("%02d%02d%02d", year%100, month, day), fmt.Sprintf("%d.%03d", year, r.IntN(370)),
		fmt.Sprintf("%d-%03d", year, r.IntN(370)), fmt.Sprintf("J%d", 2440000+r.IntN(10000)),
		fmt.Sprintf("%d/%d/%02d", month, day, year%100), fmt.Sprintf("Tue %s %d", name, day),
		fmt.Sprintf("%s %d %d", name, day, year), "epoch", randomDate(r), randomDate(r), randomTimestamp(r),
		fmt.Sprintf("%d-%s-%02d", day, name, year%100), fmt.Sprintf("%d", year),
	}
	text := forms[r.IntN(len(forms))]
	if r.IntN(3) == 0 {
		clocks := []string{randomClock(r), randomClock(r), fmt.Sprintf("%d:%02d", r.IntN(26), r.IntN(62)),
			fmt.Sprintf("%d:%02d PM", r.IntN(14), r.IntN(60)), "T" + randomClock(r), "24:00:00", "23:59:60",
			fmt.Sprintf("%d:%02d AM", r.IntN(14), r.IntN(60)), fmt.Sprintf("T%02d%02d%02d", r.IntN(24), r.IntN(60), r.IntN(60))}
		clock := clocks[r.IntN(len(clocks))]
		if isDigit(clock[0]) && isDigit(text[len(text)-1]) {
			clock = []string{" ", " ", "T"}[r.IntN(3)] + clock
		}
		text += " " + clock
		if r.IntN(2) == 0 {
			text = strings.ReplaceAll(text, " T", "T")
		}
		text += []string{"", "", "", " BC", "Z", "+02", " -08:00", " UTC", " PST", "+0530", " xyz"}[r.IntN(11)]
	}
	return mangled(r, text)
}

// mangled now and then puts a wrong character into text, or blanks around it.
func mangled(r *rand.Rand, text string) string {
	switch r.IntN(12) {
	case 0:
		i := r.IntN(len(text))
		return text[:i] + string("-:/. ,#+"[r.IntN(8)]) + text[i+r.IntN(2):]
	case 1:
		return "  " + text + " "
	}
	return text
}

func randomIntervalText(r *rand.Rand) string {
	number := func() string {
		text := strconv.Itoa(r.IntN(100) - 30)
		switch r.IntN(6) {
		case 0:
			text += "." + randomDigits(r, 7)
		case 1:
			text = "+" + strings.TrimLeft(text, "-")
		case 2:
			text = strconv.Itoa(r.IntN(1_000_000))
		}
		return text
	}
	var parts []string
	switch r.IntN(6) {
	case 0:
		return mangled(r, randomInterval(r))
	case 1:
		return mangled(r, fmt.Sprintf("P%sY%sM%sDT%sH%sM%sS", number(), number(), number(), number(), number(), number()))
	case 2:
		forms := []string{"P0001-02-03T04:05:06", "P00010203T040506", "P1W", "PT36H", "P1Y", "P0.5Y", "PT-3M", "P-1Y-2M3D",
			"1-2", "-1-2", "1-2 3 4:05:06", "3 4:05:06", "4:05", "-4:05:06.7", "1 2:03", "5", "-5.5", "12:30.5", "P", "PT", ""}
		return forms[r.IntN(len(forms))]
	}
	units := []string{"years", "year", "mons", "month", "weeks", "days", "day", "hours", "h", "minutes", "min", "secs", "sec", "ms", "milliseconds",
		"microseconds", "us", "decades", "century", "millennium", "y", "d", "m", "s", "quarter", "fortnight"}
	for range 1 + r.IntN(3) {
		parts = append(parts, number()+" "+units[r.IntN(len(units))])
	}
	if r.IntN(4) == 0 {
		parts = append(parts, []string{"", "-", "+"}[r.IntN(3)]+randomClock(r))
	}
	if r.IntN(8) == 0 {
		parts = append(parts, "ago")
	}
	if r.IntN(8) == 0 {
		parts = append([]string{"@"}, parts...)
	}
	return mangled(r, strings.Join(parts, " "))
}

func randomQualifiedText(r *rand.Rand) string {
	forms := []string{strconv.Itoa(r.IntN(200) - 50), strconv.Itoa(r.IntN(50)) + "." + randomDigits(r, 4),
		fmt.Sprintf("%d-%d", r.IntN(20), r.IntN(13)), fmt.Sprintf("%d %d:%02d", r.IntN(20), r.IntN(30), r.IntN(60)),
		fmt.Sprintf("%d:%02d", r.IntN(80), r.IntN(60)), fmt.Sprintf("%d:%02d:%02d", r.IntN(80), r.IntN(60), r.IntN(60)),
		fmt.Sprintf("%d %d", r.IntN(80), r.IntN(60)), randomInterval(r), "1 day 2 hours", "1 year 2 months 3 days 4:05:06.7"}
	return mangled(r, forms[r.IntN(len(forms))])
}
