package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestFirstRowsOfPartitions compares windows of which a condition wants the first rows
// with those that order all rows: partitions with few rows and with many, ties, NULLs,
// keys of every form, orders that the first 64 bits do not decide.
func TestFirstRowsOfPartitions(t *testing.T) {
	e := openEngine(t)
	run := func(sql string) any {
		t.Helper()
		res, err := e.Query(context.Background(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return res.Rows
	}
	run(`CREATE TABLE p AS SELECT g AS id, nullif(g * 719 % 1000, 13)::integer AS few, (g * 48271::bigint % 200003) AS many,
		CASE WHEN g % 11 > 0 THEN 'a long text before ' || g * 31 % 700 END AS word, nullif(g * 613 % 97, 5) / 4.0::double precision AS x,
		(g * 7 % 50)::numeric(8, 2) AS d, (g % 3) * interval '1 hour' AS span FROM generate_series(1, 300000) g`)
	keys := []string{"few", "many", "word", "few, word", "x", "d, few", "many, word", "span", ""}
	orders := []string{"x, id", "word DESC, id DESC", "x DESC NULLS FIRST, few, id", "d, word, id", "id"}
	ties := []string{"x", "word", "d DESC", "few NULLS FIRST, x"}
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(of []string) string { return of[rng.IntN(len(of))] }
	for i := range 36 {
		partition, first := pick(keys), 1+rng.IntN(4)
		if i%5 == 0 {
			first *= 20
		}
		if partition != "" {
			partition = "PARTITION BY " + partition
		}
		// Which of the rows that are equal in the order are numbered first is free.
		numbering, order, sums := "row_number()", pick(orders), "sum(id::bigint * n), min(word), sum(r)"
		switch i % 3 {
		case 1:
			numbering, order = "rank()", pick(ties)
		case 2:
			order, sums = pick(ties), "sum(r), sum(dense)"
		}
		sql := fmt.Sprintf(`SELECT count(*), sum(n), %s FROM
			(SELECT *, %s OVER w AS n, rank() OVER w AS r, dense_rank() OVER w AS dense FROM p WHERE id %% %d <> 1
			WINDOW w AS (%s ORDER BY %s)) s WHERE n <= %d`, sums, numbering, 2+rng.IntN(5), partition, order, first)
		run("SET disabled_rules = 'first_rows'")
		want := run(sql)
		run("SET disabled_rules = ''")
		run("SET vector_rows = " + pick([]string{"1024", "100"}))
		if got := run(sql); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
}
