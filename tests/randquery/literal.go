package randquery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// wideLiteral is a random constant of one of the types beside kinds.
func wideLiteral(r *rand.Rand, k Kind) string {
	var elements []string
	switch k {
	case Real:
		return fmt.Sprintf("CAST(%s AS real)", quarter(r))
	case Time:
		return "time '" + pick(r, "00:00:00", "12:34:56", "23:59:59.999999", "01:02:03.5", "06:00:00") + "'"
	case UUID:
		return "uuid '" + pick(r, "00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "ffffffff-ffff-4fff-bfff-ffffffffffff", "90015098-3cd2-4fb0-d696-3f7d28e17f72") + "'"
	case JSONB:
		return "jsonb '" + pick(r, "null", "true", "1", "2", "10", `"a"`, `"b"`, `""`, "[]", "[1, 2]", `[1, "a", null]`, "{}", `{"a": 1}`, `{"a": {"b": null}, "b": [2]}`, `{"b": "a"}`) + "'"
	case Moment:
		return "timestamptz '" + moment(r) + pick(r, "+00", "+02", "-05:30") + "'"
	case Numbers:
		for range r.IntN(4) {
			elements = append(elements, pick(r, "NULL", number(r.IntN(9)-4), number(r.IntN(9)-4), number(r.IntN(100))))
		}
	case Words:
		for range r.IntN(4) {
			elements = append(elements, pick(r, "NULL", literal(r, Text), literal(r, Text)))
		}
	}
	return "CAST(ARRAY[" + strings.Join(elements, ", ") + "] AS " + string(k) + ")"
}

// isType reports whether a kind is an SQL type.
func isType(k Kind) bool { return slices.Contains(wideKinds, k) }

// literal is a random constant of an SQL type, never NULL.
func literal(r *rand.Rand, k Kind) string {
	switch k {
	case Bool:
		return pick(r, "true", "false")
	case Small:
		return fmt.Sprintf("CAST(%d AS smallint)", r.IntN(21)-10)
	case Int:
		return number(r.IntN(21) - 10)
	case Big:
		return fmt.Sprintf("CAST(%d AS bigint)", r.Int64N(2_000_000_000_000)-1_000_000_000_000)
	case Numeric:
		return pick(r, "0.5", "1.0", "2.25", "(-3.10)", "10.000", "0.01", "99.99", "(-0.125)", "7.5")
	case Float:
		return fmt.Sprintf("CAST(%s AS double precision)", quarter(r))
	case Text:
		return "'" + strings.ReplaceAll(pick(r, words...), "'", "''") + "'"
	case Date:
		return "date '" + day(r) + "'"
	case Timestamp:
		return "timestamp '" + moment(r) + "'"
	case Interval:
		return "interval '" + pick(r, "1 day", "2 months", "1 year", "-3 days", "1 mon 5 days", "12:30:00", "1 day 02:03:04", "0 days") + "'"
	}
	if isType(k) {
		return wideLiteral(r, k)
	}
	return placeholder(r, k)
}
