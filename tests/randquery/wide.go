package randquery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The types that queries over wide tables have beside those of kinds.
const (
	Real    Kind = "real"
	Time    Kind = "time"
	UUID    Kind = "uuid"
	JSONB   Kind = "jsonb"
	Moment  Kind = "timestamp with time zone"
	Numbers Kind = "integer[]"
	Words   Kind = "text[]"
)

var wideKinds = append(slices.Clone(kinds), Real, Time, UUID, JSONB, Moment, Numbers, Words)

// wideColumns are the types of columns of wide tables, by kind.
var wideColumns = map[Kind][]string{
	Bool: {"boolean"}, Small: {"smallint"}, Int: {"integer"}, Big: {"bigint"},
	Numeric: {"numeric(10,2)", "numeric(6,3)", "numeric(18,0)", "numeric(38,6)", "numeric"},
	Float:   {"double precision", "real"},
	Text:    {"text", "varchar(10)", "char(5)"},
	Date:    {"date"}, Timestamp: {"timestamp"}, Moment: {"timestamp with time zone"},
	Real: {"real"}, Time: {"time"}, UUID: {"uuid"}, JSONB: {"jsonb"},
	Interval: {"interval"}, Numbers: {"integer[]"}, Words: {"text[]"},
}

// wideScalarRules are rules that are added to scalarRules.
var wideScalarRules = map[Kind][]string{
	Bool: {
		"({int} = ANY (CAST({numbers} AS integer[])))", "({text} = ANY (CAST({words} AS text[])))", "({int} > ALL (CAST({numbers} AS integer[])))", "({numbers} @> {numbers})",
		"({words} && {words})", "({timestamp} < {moment})", "({date} >= {moment})", "isfinite({moment})",
		"({real} < {float})", "({numeric} = {real})", "({int} >= {real})", "({jsonb} @> {jsonb})", "({jsonb} ?| ARRAY['a', 'b'])", "({time} < {interval})",
	},
	Real: {
		"({real} + {real})", "({real} - {real})", "({leaf real} * {leaf real})", "({real} / 4)", "(- {real})", "abs({real})",
		"CAST({int} AS real)", "CAST({numeric} AS real)", "CAST({float} AS real)", "CAST({real}::text AS real)",
	},
	Float: {"CAST({real} AS double precision)", "({real} + {float})", "({int} * {leaf real})", "round({real})"},
	Time:  {"({time} + {interval})", "({time} - {interval})", "CAST({timestamp} AS time)", "CAST({interval} AS time)", "CAST({time}::text AS time)"},
	UUID:  {"CAST({uuid}::text AS uuid)", "CAST(md5({text}) AS uuid)"},
	JSONB: {
		"({jsonb} -> 'a')", "({jsonb} -> {count})", "({jsonb} #> ARRAY['a', 'b'])", "jsonb_build_array({int}, {text})", "to_jsonb({bool})", "to_jsonb({leaf int})",
		"jsonb_build_object('a', {jsonb}, 'b', {date})", "jsonb_strip_nulls({jsonb})", "CAST({jsonb}::text AS jsonb)", "to_jsonb({numbers})",
	},
	Int: {"cardinality({numbers})", "array_length({words}, 1)", "({leaf numbers})[{count}]", "array_position({numbers}, {int})", "CAST(extract(minute FROM {time}) AS integer)"},
	Moment: {
		"({moment} + {interval})", "({moment} - {interval})", "CAST({timestamp} AS timestamp with time zone)",
		"date_trunc({timeunit}, {moment})", "({timestamp} AT TIME ZONE 'America/New_York')",
	},
	Timestamp: {"({moment} AT TIME ZONE 'UTC')", "CAST({moment} AS timestamp)", "({date} + {time})"},
	Date:      {"CAST({moment} AS date)"},
	Interval:  {"({moment} - {moment})", "({time} - {time})", "CAST({time} AS interval)"},
	Text: {"array_to_string({numbers}, ',', '*')", "array_to_string({words}, '')", "({leaf words})[{count}]", "CAST({moment} AS text)", "CAST({real} AS text)", "CAST({time} AS text)", "CAST({jsonb} AS text)", "({jsonb} ->> 'a')", "jsonb_typeof({jsonb})",
		"CASE jsonb_typeof({column jsonb}) WHEN 'array' THEN (SELECT string_agg(u.x, ',' ORDER BY u.x) FROM jsonb_array_elements_text({last}) AS u(x)) END",
		"(SELECT string_agg(u.x, {column text} ORDER BY u.x DESC) FROM jsonb_object_keys({column jsonb}) AS u(x) WHERE jsonb_typeof({last}) = 'object')"},
	Numbers: {"ARRAY(SELECT u.x FROM unnest({column numbers}) AS u(x) WHERE u.x > {column int} ORDER BY u.x)", "({numbers} || {int})", "({numbers} || {numbers})", "array_append({numbers}, {int})", "ARRAY[{int}, {int}]", "array_remove({numbers}, {int})"},
	Words:   {"ARRAY(SELECT DISTINCT u.x FROM unnest({column words}) AS u(x) ORDER BY u.x DESC NULLS LAST OFFSET 1)", "({words} || {words})", "CAST(ARRAY[{text}, {text}] AS text[])", "array_prepend({text}::text, {words})", "string_to_array({text}, 'b')"},
}

// wideAggregateRules are rules that are added to aggregateRules.
var wideAggregateRules = map[Kind][]string{
	Real:    {"min({real})", "max({real})", "percentile_disc(0.4) WITHIN GROUP (ORDER BY {real})"},
	Time:    {"min({time})", "max({time})"},
	JSONB:   {"jsonb_agg({leaf int} ORDER BY {last})", "jsonb_agg({leaf jsonb} ORDER BY {last})"},
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
	Date:      {"date '4713-01-01 BC'", "date '9999-12-31'", "date 'infinity'", "date '-infinity'"},
	Timestamp: {"timestamp '9999-12-31 23:59:59.999999'", "timestamp '0001-01-01'", "timestamp 'infinity'", "timestamp '-infinity'"},
	Moment:    {"timestamptz '9999-12-31 23:59:59.999999+00'", "timestamptz '0001-01-01 00:00:00+00'", "timestamptz 'infinity'", "timestamptz '-infinity'"},
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
