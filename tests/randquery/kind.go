package randquery

import (
	"fmt"
	"math/rand/v2"
)

// A Kind is an SQL type, or a kind of literal that stands in a certain place of
// a rule only.
type Kind string

// The SQL types.
const (
	Bool      Kind = "bool"
	Small     Kind = "small"
	Int       Kind = "int"
	Big       Kind = "big"
	Numeric   Kind = "numeric"
	Float     Kind = "float"
	Text      Kind = "text"
	Date      Kind = "date"
	Timestamp Kind = "timestamp"
	Interval  Kind = "interval"
)

// kinds are the types that columns and expressions have.
var kinds = []Kind{Bool, Small, Int, Big, Numeric, Float, Text, Date, Timestamp, Interval}

// columnKinds are the types of table columns.
var columnKinds = []Kind{Bool, Small, Int, Int, Big, Numeric, Numeric, Float, Text, Text, Date, Timestamp}

// typeName is the type's name in a cast.
func (k Kind) typeName() string {
	switch k {
	case Bool:
		return "boolean"
	case Small:
		return "smallint"
	case Int:
		return "integer"
	case Big:
		return "bigint"
	case Float:
		return "double precision"
	default:
		return string(k)
	}
}

// placeholder is a constant for a place that takes only certain literals.
func placeholder(r *rand.Rand, k Kind) string {
	switch k {
	case "distinct":
		return pick(r, "", "", "", "DISTINCT ")
	case "digits":
		return fmt.Sprint(r.IntN(4))
	case "count":
		return fmt.Sprint(r.IntN(6))
	case "pattern":
		return pick(r, "'%'", "'a%'", "'%b'", "'_b%'", "'%B%'", "''", "'a\\%%'", "'ab'", "'%é%'", "'__'")
	case "regex":
		return pick(r, "'a'", "'^a'", "'b$'", "'[aB]+b*'", "'^.{2}$'", "'x|z'", "'[^a-z]'", "'é'", "'^$'", "'[[:space:]]'")
	case "similar":
		return pick(r, "'a%'", "'_(b|B)%'", "'[a-c]+'", "'%b'", "''")
	case "datepattern":
		return pick(r, "'YYYY-MM-DD'", "'DD Mon YY'", "'FMDay, DDth FMMonth'", "'IYYY-IW-ID'", "'DDD Q'", "'MONTH|dy|WW W'")
	case "timepattern":
		return pick(r, "'YYYY-MM-DD HH24:MI:SS'", "'HH12:MI:SS.MS am'", "'US SSSS'", "'YYYYMMDD\"T\"HH24MI'", "'FMHH:FMMI Dy'")
	case "dateunit":
		return pick(r, "'year'", "'quarter'", "'month'", "'week'", "'day'")
	case "timeunit":
		return pick(r, "'year'", "'quarter'", "'month'", "'week'", "'day'", "'hour'", "'minute'", "'second'")
	case "datefield":
		return pick(r, "year", "quarter", "month", "week", "day", "dow", "doy", "isodow", "isoyear")
	case "timefield":
		return pick(r, "year", "month", "day", "hour", "minute", "second", "dow", "epoch")
	}
	panic("randquery: unknown kind " + string(k))
}

var words = []string{"", "a", "A", "ab", "aB", "abc", "b", "B", "ba", " a ", "xyz", "a%b", "it's", "é", "Äb", "10", "zz"}

func number(n int) string {
	if n < 0 {
		return fmt.Sprintf("(%d)", n)
	}
	return fmt.Sprint(n)
}

// quarter is a multiple of 1/4: sums and products of few of them are exact.
func quarter(r *rand.Rand) string { return fmt.Sprintf("%g", float64(r.IntN(201)-100)/4) }

func day(r *rand.Rand) string {
	return pick(r, "1999-12-31", "2000-01-01", "2000-02-28", "2000-02-29", "2000-03-01", "2001-02-28", "2001-06-15", "1969-12-31", "1998-09-02", "2024-12-30")
}

func moment(r *rand.Rand) string {
	return day(r) + " " + pick(r, "00:00:00", "12:34:56", "23:59:59.999999", "01:02:03.5", "06:00:00")
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }
