package function

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

var times = []Function{
	{Name: "now", Aliases: []string{"transaction_timestamp"}, Volatility: Stable, Text: "When the transaction began.", Example: "now() = current_timestamp", Answer: "t",
		Signatures: of("", 'z', Code("transaction timestamp"))},
	{Name: "statement_timestamp", Volatility: Stable, Text: "When the statement began.", Example: "statement_timestamp() >= now()", Answer: "t", Signatures: of("", 'z', Code("statement timestamp"))},
	{Name: "clock_timestamp", Volatility: Volatile, Text: "When the statement was planned.", Example: "clock_timestamp() >= now()", Answer: "t", Signatures: of("", 'z', Code("clock timestamp"))},
	{Name: "current_timestamp", Form: "clock", Volatility: Stable, Text: "When the transaction began, with so many digits of a second at most.", Usage: []string{"current_timestamp(integer) → timestamp with time zone"}, Example: "current_timestamp(0) = now()::timestamptz(0)", Answer: "t",
		Signatures: of("", 'z', Code("transaction timestamp"))},
	{Name: "localtimestamp", Form: "clock", Usage: []string{"localtimestamp(integer) → timestamp"}, Volatility: Stable, Text: "When the transaction began, as clocks of the session show it.", Example: "localtimestamp = now()::timestamp", Answer: "t",
		Signatures: of("", 't', Code("local timestamp"))},
	{Name: "localtime", Form: "clock", Usage: []string{"localtime(integer) → time"}, Volatility: Stable, Text: "The time of day of localtimestamp.", Example: "localtime = localtimestamp::time", Answer: "t", Signatures: of("", 'k', Code("local time"))},
	{Name: "current_date", Volatility: Stable, Text: "The day on which the transaction began.", Example: "current_date = now()::date", Answer: "t", Signatures: of("", 'd', Code("current date"))},
	{Name: "extract", Text: "A field of a date, a timestamp, a time or an interval; SQL writes extract(field FROM value).", Example: "extract(hour FROM timestamp '2001-02-16 20:38:40')", Answer: "20",
		Volatility: Stable, Signatures: fields(algebra.Extract, 'n')},
	{Name: "date_part", Text: "A field of a date, a timestamp, a time or an interval, as a floating number.", Example: "date_part('month', interval '2 years 3 months')", Answer: "3",
		Volatility: Stable, Signatures: fields(algebra.Extract, 'f')},
	{Name: "date_trunc", Text: "A timestamp or interval with the fields below one cut off, in the session's zone or another.", Example: "date_trunc('hour', timestamp '2001-02-16 20:38:40')", Answer: "2001-02-16 20:00:00", Volatility: Stable,
		Signatures: list(of("st", 't', Operation{Func: algebra.DateTrunc, Result: OfField}), of("si", 'i', Operation{Func: algebra.DateTrunc, Result: OfField}),
			of("sz", 'z', Operation{Func: algebra.DateTrunc, Result: OfField}), of("szs", 'z', op(value.TZTruncIn)))},
	{Name: "date_bin", Text: "The start of the interval that a timestamp is in, of intervals of one length counted from an origin.", Example: "date_bin('15 minutes', timestamp '2001-02-16 20:38:40', timestamp '2001-02-16 20:05:00')", Answer: "2001-02-16 20:35:00",
		Signatures: routine("date_bin")},
	{Name: "last_day", Text: "The last day of the month.", Example: "last_day(date '2024-02-10')", Answer: "2024-02-29", Volatility: Stable,
		Signatures: list(of("d", 'd', SQL(lastDay)), of("t", 'd', SQL(lastDay)), of("z", 'd', SQL(lastDay)))},
	{Name: "age", Text: "The time from the second timestamp to the first, or from one to today, in years, months and days.", Example: "age(timestamp '2001-04-10', timestamp '1957-06-13')", Answer: "43 years 9 mons 27 days", Volatility: Stable,
		Signatures: list(of("tt", 'i', op(algebra.Age)), of("t", 'i', Code("age today")), of("zz", 'i', Code("age of moments")), of("z", 'i', Code("age today of a moment")))},
	{Name: "overlaps", Text: "Whether two periods, each of a start and an end or a length, overlap; SQL writes (start, end) OVERLAPS (start, end).", Example: "(date '2001-02-16', date '2001-12-21') OVERLAPS (date '2001-10-30', interval '3 days')", Answer: "t",
		Volatility: Stable, Nulls: NullCounts, Signatures: overlaps()},
	{Name: "make_date", Text: "The date of a year, a month and a day.", Example: "make_date(2013, 7, 15)", Answer: "2013-07-15", Params: params("year month day"), Signatures: routine("make_date")},
	{Name: "make_time", Text: "The time of day of an hour, a minute and seconds.", Example: "make_time(8, 15, 23.5)", Answer: "08:15:23.5", Params: params("hour min sec"), Signatures: routine("make_time")},
	{Name: "make_timestamp", Text: "The timestamp of a year, a month, a day, an hour, a minute and seconds.", Example: "make_timestamp(2013, 7, 15, 8, 15, 23.5)", Answer: "2013-07-15 08:15:23.5", Params: params("year month mday hour min sec"), Signatures: routine("make_timestamp")},
	{Name: "make_timestamptz", Text: "The same, in the session's time zone or another.", Example: "make_timestamptz(2013, 7, 15, 8, 15, 23.5, 'Europe/Rome') = '2013-07-15 06:15:23.5+00'", Answer: "t", Volatility: Stable,
		Params: params("year month mday hour min sec timezone"), Signatures: list(of("wwwwwf", 'z', Code("make_timestamptz")), routine("make_timestamptz"))},
	{Name: "make_interval", Text: "The interval of years, months, weeks, days, hours, minutes and seconds, which can be named and left out.", Example: "make_interval(days => 10, hours => 2)", Answer: "10 days 02:00:00",
		Params: params("years=0 months=0 weeks=0 days=0 hours=0 mins=0 secs=0"), Form: "make_interval", Usage: []string{"make_interval(years integer, months integer, weeks integer, days integer, hours integer, mins integer, secs double precision) → interval"}},
	{Name: "justify_days", Text: "The interval with 30 days made a month.", Example: "justify_days(interval '1 year 65 days')", Answer: "1 year 2 mons 5 days", Signatures: routine("justify_days")},
	{Name: "justify_hours", Text: "The interval with 24 hours made a day.", Example: "justify_hours(interval '50 hours 10 minutes')", Answer: "2 days 02:10:00", Signatures: routine("justify_hours")},
	{Name: "justify_interval", Text: "Both, and all fields with one sign.", Example: "justify_interval(interval '1 month -1 hour')", Answer: "29 days 23:00:00", Signatures: routine("justify_interval")},
	{Name: "isfinite", Text: "Whether a date, a timestamp or an interval is finite, which all intervals are.", Example: "isfinite(date '2001-02-16')", Answer: "t",
		Signatures: list(of("d", 'b', SQL(finite)), of("t", 'b', SQL(finite)), of("z", 'b', SQL(finite)), routine("isfinite"))},
	{Name: "timezone", Text: "A timestamp in a zone as a moment, or what clocks of a zone show at a moment; SQL writes value AT TIME ZONE zone.", Example: "timestamp '2001-02-16 20:38:40' AT TIME ZONE 'UTC' = '2001-02-16 20:38:40+00'", Answer: "t",
		Signatures: routine("timezone")},
	{Name: "to_char", Text: "A number, a timestamp or an interval by a pattern.", Example: "to_char(timestamp '2002-04-20 17:31:12', 'HH12:MI:SS')", Answer: "05:31:12", Volatility: Stable,
		Signatures: list(of("ts", 's', Code("to_char of timestamp")), of("zs", 's', Code("to_char of moment")), routine(value.NumberToChar))},
	{Name: "to_date", Text: "The date that a text is by a pattern.", Example: "to_date('05 Dec 2000', 'DD Mon YYYY')", Answer: "2000-12-05", Volatility: Stable, Signatures: of("ss", 'd', op(algebra.ToDate))},
	{Name: "to_number", Text: "The number that a text is by a pattern.", Example: "to_number('12,454.8-', '99G999D9S')", Answer: "-12454.8", Volatility: Stable, Signatures: routine("to_number")},
	{Name: "to_timestamp", Text: "The moment that a text is by a pattern, or that lies so many seconds behind 1970-01-01.", Example: "to_timestamp(1284352323) = '2010-09-13 04:32:03+00'", Answer: "t", Volatility: Stable,
		Signatures: list(of("ss", 'z', Code("to_timestamp")), routine("to_timestamp"))},
}

// lastDay is the day before the first one of the next month.
const lastDay = "(date_trunc('month', $1::timestamp) + interval '1 month' - interval '1 day')::date"

// finite excludes the two dates or timestamps that are infinite.
const finite = "$1 NOT IN ('infinity', '-infinity')"

// overlaps are the signatures of periods, of which each has an end or a length.
func overlaps() []Signature {
	var all []Signature
	for _, t := range []byte{'t', 'z', 'k'} {
		ends, lengths := string([]byte{t, t}), string([]byte{t, 'i'})
		all = append(all, of(ends+ends, 'b', SQL(overlap))...)
		all = append(all, of(ends+lengths, 'b', SQL("($1, $2) OVERLAPS ($3, $3 + $4)"))...)
		all = append(all, of(lengths+ends, 'b', SQL("($1, $1 + $2) OVERLAPS ($3, $4)"))...)
		all = append(all, of(lengths+lengths, 'b', SQL("($1, $1 + $2) OVERLAPS ($3, $3 + $4)"))...)
	}
	return all
}

// overlap compares the start of the later period with the end of the other one. A bound that is
// NULL makes the answer NULL where the others do not decide it.
const (
	overlap = "CASE WHEN least($1, $2) > least($3, $4) THEN least($1, $2) < " + end2 + " OR " + end1 + " < " + end2 +
		" WHEN least($1, $2) < least($3, $4) THEN least($3, $4) < " + end1 + " OR " + end2 + " < " + end1 +
		" WHEN least($1, $2) = least($3, $4) THEN " + end1 + " = " + end1 + " AND " + end2 + " = " + end2 + " END"
	end1 = "CASE WHEN $1 > $2 THEN $1 WHEN $1 <= $2 THEN $2 END"
	end2 = "CASE WHEN $3 > $4 THEN $3 WHEN $3 <= $4 THEN $4 END"
)

// fields are the signatures of what takes the name of a field.
func fields(f algebra.Func, result byte) []Signature {
	var all []Signature
	for _, params := range []string{"sd", "st", "si", "sz", "sk"} {
		all = append(all, of(params, result, Operation{Func: f, Result: OfField})...)
	}
	return all
}
