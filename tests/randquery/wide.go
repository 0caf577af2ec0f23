package randquery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The types that queries have beside those of kinds where one engine is compared
// with itself.
const (
	Moment  Kind = "timestamp with time zone"
	Numbers Kind = "integer[]"
	Words   Kind = "text[]"
)

var wideKinds = append(slices.Clone(kinds), Moment, Numbers, Words)

// wideColumns are the types of columns of wide tables, by kind.
var wideColumns = map[Kind][]string{
	Bool: {"boolean"}, Small: {"smallint"}, Int: {"integer"}, Big: {"bigint"},
	Numeric: {"numeric(10,2)", "numeric(6,3)", "numeric(18,0)", "numeric(38,6)", "numeric"},
	Float:   {"double precision", "real"},
	Text:    {"text", "varchar(10)", "char(5)"},
	Date:    {"date"}, Timestamp: {"timestamp"}, Moment: {"timestamp with time zone"},
	Interval: {"interval"}, Numbers: {"integer[]"}, Words: {"text[]"},
}

// wideScalarRules are rules that are added to scalarRules.
var wideScalarRules = map[Kind][]string{
	Bool: {
		"({int} = ANY (CAST({numbers} AS integer[])))", "({text} = ANY (CAST({words} AS text[])))", "({int} > ALL (CAST({numbers} AS integer[])))", "({numbers} @> {numbers})",
		"({words} && {words})", "({timestamp} < {moment})", "({date} >= {moment})",
	},
	Int: {"cardinality({numbers})", "array_length({words}, 1)", "({leaf numbers})[{count}]", "array_position({numbers}, {int})"},
	Moment: {
		"({moment} + {interval})", "({moment} - {interval})", "CAST({timestamp} AS timestamp with time zone)",
		"date_trunc({timeunit}, {moment})", "({timestamp} AT TIME ZONE 'America/New_York')",
	},
	Timestamp: {"({moment} AT TIME ZONE 'UTC')", "CAST({moment} AS timestamp)"},
	Date:      {"CAST({moment} AS date)"},
	Interval:  {"({moment} - {moment})"},
	Text:      {"array_to_string({numbers}, ',', '*')", "array_to_string({words}, '')", "({leaf words})[{count}]", "CAST({moment} AS text)"},
	Numbers:   {"({numbers} || {int})", "({numbers} || {numbers})", "array_append({numbers}, {int})", "ARRAY[{int}, {int}]", "array_remove({numbers}, {int})"},
	Words:     {"({words} || {words})", "CAST(ARRAY[{text}, {text}] AS text[])", "array_prepend({text}, {words})", "string_to_array({text}, 'b')"},
}

// wideAggregateRules are rules that are added to aggregateRules.
var wideAggregateRules = map[Kind][]string{
	Moment:  {"min({moment})", "max({moment})"},
	Numbers: {"array_agg({leaf int} ORDER BY {last})"},
	Words:   {"array_agg({distinct}{leaf text}::text ORDER BY {last}::text)"},
}

// joined has the rules of both, the named kinds of the second spelled out.
func joined(a, b map[Kind][]string) map[Kind][]string {
	names := strings.NewReplacer("moment}", string(Moment)+"}", "numbers}", string(Numbers)+"}", "words}", string(Words)+"}")
	both := map[Kind][]string{}
	for _, k := range wideKinds {
		for _, text := range b[k] {
			both[k] = append(both[k], names.Replace(text))
		}
		both[k] = append(both[k], a[k]...)
	}
	return both
}

// extremes are the least and greatest constants of a type, and ones beside them.
var extremes = map[Kind][]string{
	Small:     {"(-32768)::smallint", "32767::smallint"},
	Int:       {"(-2147483648)::integer", "2147483647", "2147483646"},
	Big:       {"(-9223372036854775808)::bigint", "9223372036854775807", "4294967296"},
	Numeric:   {"99999999999999999999999999999999.999999", "(-9999999999999999.99)", "0.000001"},
	Float:     {"1.7976931348623157e308::float8", "(-1e300)::float8", "5e-324::float8"},
	Text:      {"'" + strings.Repeat("ab", 40) + "'", "'\U0001F600é'", "'~'"},
	Date:      {"date '4713-01-01 BC'", "date '9999-12-31'"},
	Timestamp: {"timestamp '9999-12-31 23:59:59.999999'", "timestamp '0001-01-01'"},
	Moment:    {"timestamptz '9999-12-31 23:59:59.999999+00'", "timestamptz '0001-01-01 00:00:00+00'"},
	Interval:  {"interval '9999 years'", "interval '-9999 years'", "interval '1 microsecond'"},
}

// blockSizes are numbers of rows to which a large table grows: texts are kept without a
// dictionary, and rows in several blocks.
var blockSizes = []int{20_000, 140_000}

// WideTables makes n tables as Tables does, with columns of every type of the engine.
// With extreme some values are the least or greatest of their type, so that
// arithmetic on them may fail. With large the first table has many rows, and the others
// have few.
func WideTables(seed uint64, n int, extreme, large bool) []Table {
	r := rand.New(rand.NewPCG(seed, 0x77696465))
	tables := make([]Table, n)
	for i := range tables {
		t := Table{Name: fmt.Sprintf("t%d", i), Columns: []Column{{"k", Int, "integer"}, {"s", Text, "text"}}, Extreme: extreme}
		for c := range 3 + r.IntN(5) {
			kind := pick(r, wideKinds...)
			t.Columns = append(t.Columns, Column{fmt.Sprintf("c%d%d", i, c), kind, pick(r, wideColumns[kind]...)})
		}
		rows := pick(r, 0, 1, 1, 3, 6, 8, 10, 12, 14, 16, 18, 20)
		if large { // every pair of rows with those of the large table takes long
			rows = min(rows, 4)
		}
		t.fill(r, rows)
		if large && i == 0 {
			t.fill(r, 40)
			t.Copies = pick(r, blockSizes...) / 40
		}
		tables[i] = t
	}
	return tables
}

// Refill replaces the rows of the tables by others of the same kind.
func Refill(seed uint64, tables []Table) []Table {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	other := slices.Clone(tables)
	for i := range other {
		other[i].fill(r, len(tables[i].Rows))
	}
	return other
}

// fill replaces the rows of a table by n.
func (t *Table) fill(r *rand.Rand, n int) {
	t.Rows = nil
	for range n {
		row := t.row(r)
		for i, c := range t.Columns {
			if list := extremes[c.Kind]; t.Extreme && i > 0 && list != nil && r.IntN(8) == 0 {
				row[i] = fits(pick(r, list...), c)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if r.IntN(2) == 0 {
		t.sort(r)
	}
}

// fits is a value as a column can hold it, or one that it can.
func fits(literal string, c Column) string {
	switch {
	case c.Type == "real":
		return strings.NewReplacer("e308", "e38", "1.797", "0.797", "e300", "e30", "e-324", "e-45", "float8", "real").Replace(literal)
	case c.Kind == Text && c.Type != "text":
		return "left(" + literal + ", 5)"
	case c.Kind == Numeric && c.Type != "numeric" && c.Type != "numeric(38,6)":
		return "999.99"
	}
	return literal
}
