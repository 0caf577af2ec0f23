// Package slow is a corpus of statements that take long, most of them far longer than
// anybody waits, one for each way of taking long that the engine has: a function over
// one huge value, in a row and as a constant of the plan, a statement that is hard to
// plan, an operator over many rows, a change of a large table, and so on.
package slow

import (
	"fmt"
	"strings"
)

// Statement is one of the corpus.
type Statement struct {
	Name string
	// SQL may hold several statements, the last of which takes long.
	SQL string
	// In is what the client sends a COPY FROM STDIN, again and again; "" for none.
	In string
}

// Setup makes the tables that the corpus reads; it takes some seconds.
func Setup() []string {
	setup := []string{
		"create table one (a int)", "insert into one values (1)",
		`create table big as select i, i % 1000 as k, (i::bigint * 7919) % 2000003 as u, i * 0.5::float8 as f,
			(i % 100000)::numeric(12,2) as n, 'text ' || i as s, date '2000-01-01' + (i % 9000)::int as d from generate_series(1, 2000000) i`,
		"create table huge as select repeat('abcdefghi ', 4000000) as s, repeat('x', 4000000) as x, repeat('1,', 4000000) as c",
		"create table long as select i, repeat('lorem ipsum ' || i || ' ', 2000) as s from generate_series(1, 1000) i",
		"create table arrays as select i, string_to_array(repeat(i || ',', 20000), ',') as a from generate_series(1, 20) i",
		"create table longarray as select string_to_array(repeat('7,', 3000000), ',') as a",
	}
	for i := range 20 {
		var script strings.Builder
		for k := range 50 {
			fmt.Fprintf(&script, "create table many_%d_%d (a int, b text, c numeric, d date, e float8);\n", i, k)
		}
		setup = append(setup, script.String())
	}
	return setup
}

// list makes statements of their texts, named by the kind and their number.
func list(kind string, texts ...string) []Statement {
	out := make([]Statement, len(texts))
	for i, text := range texts {
		out[i] = Statement{Name: fmt.Sprintf("%s %d", kind, i+1), SQL: text}
	}
	return out
}

// times is n texts between commas.
func times(n int, separator string, text func(i int) string) string {
	var out strings.Builder
	for i := range n {
		if i > 0 {
			out.WriteString(separator)
		}
		out.WriteString(text(i))
	}
	return out.String()
}

// always is a text whatever the number.
func always(text string) func(int) string { return func(int) string { return text } }
