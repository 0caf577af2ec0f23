//go:build costs

package costs

import (
	"fmt"
	"strings"
)

// large is a statement, or a conversation, that is made to take much memory.
type large struct {
	name string
	run  func(*client) error
}

// query is a large statement.
func query(name, text string) large {
	return large{name, func(c *client) error { return c.query(text) }}
}

// queries are several statements, the last of them large.
func queries(name string, texts ...string) large {
	return large{name, func(c *client) error {
		for _, text := range texts {
			if err := c.query(text); err != nil {
				return err
			}
		}
		return nil
	}}
}

// many runs a statement, whose text is a format of a number, many times.
func many(name string, n int, format string) large {
	return large{name, func(c *client) error {
		for i := range n {
			if err := c.query(fmt.Sprintf(format, i)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// numbered is a format for each of n numbers.
func numbered(n int, format string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, format, i)
	}
	return text.String()
}

// list is n items with commas between them.
func list(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }

// statements are all of them.
var statements = []large{
	// Values that functions make.
	query("repeat", "SELECT repeat('x', 400000000)"),
	query("repeat of rows", "SELECT repeat('x', 1000000) FROM generate_series(1, 5000)"),
	query("concatenation", "SELECT a || a || a || a FROM (SELECT repeat('x', 100000000) AS a) t"),
	query("string_to_array", "SELECT string_to_array(repeat('a,', 50000000), ',')"),
	query("regexp_replace", "SELECT regexp_replace(repeat('ab', 10000000), 'a', 'cccccccccccccccccccccc', 'g')"),
	query("to_char", "SELECT to_char(now(), repeat('YYYY-MM-DD ', 10000000))"),
	query("lpad", "SELECT length(lpad('x', 250000000, 'yz'))"),
	query("replace", "SELECT length(replace(repeat('a', 100000000), 'a', 'bbbbbbbb'))"),
	query("translate", "SELECT length(translate(repeat('a', 200000000), 'a', 'ä'))"),
	query("upper", "SELECT upper(a) || lower(a) || reverse(a) || initcap(a) FROM (SELECT repeat('aB', 60000000) AS a) t"),
	query("format", "SELECT format('%s%s%s', a, a, a) FROM (SELECT repeat('x', 80000000) AS a) t"),
	query("array of elements", "SELECT ARRAY["+list(200000, "1")+"]"),
	query("array_agg", "SELECT array_agg(i) FROM generate_series(1, 30000000) g(i)"),
	query("string_agg", "SELECT string_agg(repeat('x', 1000), ',') FROM generate_series(1, 1000000)"),
	query("string_agg of distinct", "SELECT length(string_agg(DISTINCT md5(i::text), ',')) FROM generate_series(1, 6000000) g(i)"),
	query("ordered array_agg", "SELECT array_length(array_agg(i ORDER BY i DESC), 1) FROM generate_series(1, 10000000) g(i)"),
	query("texts of a column", "SELECT count(*) FROM (SELECT repeat(i::text, 20000) AS a FROM generate_series(1, 100000) g(i) ORDER BY 1) t"),
	// Operators.
	query("rows", "SELECT i, i + 1, i::text FROM generate_series(1, 20000000) g(i)"),
	query("sort", "SELECT md5(i::text) FROM generate_series(1, 8000000) g(i) ORDER BY 1 OFFSET 7999999"),
	query("groups", "SELECT max(n) FROM (SELECT i, count(*) AS n FROM generate_series(1, 20000000) g(i) GROUP BY i) t"),
	query("groups of texts", "SELECT count(*) FROM (SELECT md5(i::text) AS k, count(*) AS n FROM generate_series(1, 8000000) g(i) GROUP BY 1) t"),
	query("count of distinct", "SELECT count(DISTINCT md5(i::text)) FROM generate_series(1, 8000000) g(i)"),
	query("distinct rows", "SELECT count(*) FROM (SELECT DISTINCT i, i % 7, i::text FROM generate_series(1, 8000000) g(i)) t"),
	query("cube", "SELECT count(*) FROM (SELECT i, i % 1000, i % 777, i % 99, count(*) FROM generate_series(1, 2000000) g(i) GROUP BY CUBE (1, 2, 3, 4)) t"),
	query("hash join", "SELECT count(*) FROM generate_series(1, 8000000) a(i) JOIN (SELECT md5(i::text) AS m, i FROM generate_series(1, 8000000) b(i)) b ON b.i = a.i WHERE m > 'a'"),
	query("keys of large texts", "SELECT count(*) FROM (SELECT s, i FROM (SELECT repeat('x', 20000000) AS s) t, generate_series(1, 100) g(i)) a JOIN (SELECT repeat('x', 20000000) AS s) b ON a.s = b.s"),
	query("cross join", "SELECT a.i, b.i FROM generate_series(1, 5000) a(i), generate_series(1, 5000) b(i)"),
	query("window", "SELECT max(r) FROM (SELECT row_number() OVER (ORDER BY md5(i::text)) AS r FROM generate_series(1, 8000000) g(i)) t"),
	query("window of partitions", "SELECT max(s) FROM (SELECT sum(i) OVER (PARTITION BY i % 1000 ORDER BY i ROWS 100 PRECEDING) AS s FROM generate_series(1, 8000000) g(i)) t"),
	query("union", "SELECT count(*) FROM (SELECT i::text FROM generate_series(1, 6000000) a(i) UNION SELECT (i + 1)::text FROM generate_series(1, 6000000) b(i)) t"),
	query("except", "SELECT count(*) FROM (SELECT i FROM generate_series(1, 9000000) a(i) EXCEPT SELECT i + 5 FROM generate_series(1, 9000000) b(i)) t"),
	query("recursion", "WITH RECURSIVE r(i, t) AS (SELECT 1, 'x' UNION ALL SELECT i + 1, t || 'x' FROM r WHERE i < 100000) SELECT count(*), max(length(t)) FROM r"),
	query("distinct recursion", "WITH RECURSIVE r(i) AS (SELECT g FROM generate_series(1, 1000000) s(g) UNION SELECT i + 1 FROM r WHERE i < 1500000) SELECT count(*) FROM r"),
	queries("threads and vectors", "SET vector_rows = 65536", "SET fusion = off", "SELECT "+list(1600, "i + 1")+" FROM generate_series(1, 100000) g(i)"),
	// Texts of statements.
	query("list of IN", "SELECT 1 WHERE 5 IN ("+list(3000000, "1")+")"),
	query("deep nesting", "SELECT "+strings.Repeat("(", 400000)+"1"+strings.Repeat(")", 400000)),
	query("sum of many", "SELECT "+strings.Repeat("1+", 500000)+"1"),
	query("many tables", "SELECT 1 FROM generate_series(1, 1)"+numbered(500, ", (VALUES (1)) x%d")),
	queries("INSERT of many rows", "CREATE TABLE $name (a integer, b text)", "INSERT INTO $name VALUES "+list(2000000, "(1,'some text')")),
	query("long literal", "SELECT length('"+strings.Repeat("x", 150<<20)+"')"),
	many("prepared statements", 2000, "PREPARE p%d AS SELECT '"+strings.Repeat("x", 500000)+"'"),
	// What sessions keep.
	many("cursors WITH HOLD", 60, "DECLARE h%d CURSOR WITH HOLD FOR SELECT i, i::text FROM generate_series(1, 1000000) g(i)"),
	{"open cursors", func(c *client) error {
		if err := c.query("BEGIN"); err != nil {
			return err
		}
		for i := range 60 {
			if err := c.query(fmt.Sprintf("DECLARE o%d CURSOR FOR SELECT repeat('x', 1000) FROM generate_series(1, 50000) g(i)", i)); err != nil {
				return err
			}
		}
		return c.query("COMMIT")
	}},
	{"results that are read slowly", (*client).slowly},
	{"a client that does not read", (*client).deaf},
	{"parameters", (*client).parameters},
	{"a line of COPY", (*client).longLine},
	{"COPY TO", func(c *client) error {
		return c.copyOut("COPY (SELECT i, repeat('x', 1000) FROM generate_series(1, 1000000) g(i)) TO STDOUT")
	}},
	{"COPY TO of large values", func(c *client) error { return c.copyOut("COPY (SELECT repeat('x', 100000000)) TO STDOUT (FORMAT csv)") }},
	{"tables in memory", (*client).tables},
	queries("UPDATE", "CREATE TABLE $name AS SELECT i, repeat('x', 100) AS t FROM generate_series(1, 500000) g(i)",
		"UPDATE $name SET t = t || t || t || t || t || t", "UPDATE $name SET t = t || t || t || t || t || t RETURNING *"),
}
