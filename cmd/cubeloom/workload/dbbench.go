package workload

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// DBBench generates the table of the db-benchmark's group-by questions (H2O.ai,
// groupby-datagen.R), without NULLs and not sorted: id1 and id2 are one of Card texts,
// id3 one of Rows/Card longer texts, id4, id5 and id6 integers of the same numbers of
// values, v1 an integer up to 5, v2 up to 15, v3 a double precision number up to 100
// with six decimal places.
type DBBench struct {
	Rows int64
	// Card is K, the number of values of the ids of large groups.
	Card int64
}

// Validate reports a parameter out of range.
func (d DBBench) Validate() error {
	switch {
	case d.Rows < 0 || d.Rows > 10*maxValues:
		return fmt.Errorf("%d rows: must be from 0 to %d", d.Rows, int64(10*maxValues))
	case d.Card < 1 || d.Card > maxValues:
		return fmt.Errorf("%d values: must be from 1 to %d", d.Card, maxValues)
	}
	return nil
}

// Tables implements Set.
func (d DBBench) Tables() []Table {
	const columns = "id1 text, id2 text, id3 text, id4 integer, id5 integer, id6 integer, v1 integer, v2 integer, v3 double precision"
	return []Table{NewTable("x", d.Rows, columns)}
}

// Generate implements Set.
func (d DBBench) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := d.Validate(); err != nil {
		return err
	}
	small := max(d.Rows/d.Card, 1)
	most := []int64{d.Card, d.Card, small, d.Card, d.Card, small, 5, 15, 100_000_000}
	streams := make([]stream, len(most))
	for i := range streams {
		streams[i] = newStream(opts.Seed, 3000+i)
	}
	rows := func(first int64, n int) []arrow.Array {
		draw := func(column, i int) int64 {
			return streams[column].between(first+int64(i), 1, most[column])
		}
		var arrays []arrow.Array
		for c, digits := range []int{3, 3, 10} {
			t := newTexts(n, 2+digits)
			for i := range n {
				t.bytes = fmt.Appendf(t.bytes, "id%0*d", digits, draw(c, i))
				t.end()
			}
			arrays = append(arrays, t.array())
		}
		for c := 3; c < 8; c++ {
			v := make([]int32, n)
			for i := range v {
				v[i] = int32(draw(c, i))
			}
			arrays = append(arrays, int32Array(v))
		}
		v3 := make([]float64, n)
		for i := range v3 {
			v3[i] = float64(draw(8, i)) / 1e6
		}
		return append(arrays, float64Array(v3))
	}
	return generate(ctx, opts, d.Tables(), []source{rows}, emit)
}

// Queries are the ten group-by questions.
func (d DBBench) Queries() []Query {
	ids := "id1, id2, id3, id4, id5, id6"
	grouped := func(keys, values string) string {
		return fmt.Sprintf("SELECT %s, %s\nFROM x\nGROUP BY %[1]s", keys, values)
	}
	top := []string{
		"SELECT id6, v3",
		"FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS place FROM x WHERE v3 IS NOT NULL) AS placed",
		"WHERE place <= 2",
	}
	return []Query{
		{Name: "q1", SQL: grouped("id1", "sum(v1)")},
		{Name: "q2", SQL: grouped("id1, id2", "sum(v1)")},
		{Name: "q3", SQL: grouped("id3", "sum(v1), avg(v3)")},
		{Name: "q4", SQL: grouped("id4", "avg(v1), avg(v2), avg(v3)")},
		{Name: "q5", SQL: grouped("id6", "sum(v1), sum(v2), sum(v3)")},
		{Name: "q6", SQL: grouped("id4, id5", "percentile_cont(0.5) WITHIN GROUP (ORDER BY v3), stddev(v3)")},
		{Name: "q7", SQL: grouped("id3", "max(v1) - min(v2)")},
		{Name: "q8", SQL: strings.Join(top, "\n")},
		{Name: "q9", SQL: grouped("id2, id4", "power(corr(v1, v2), 2)"), Magnitude: 1},
		{Name: "q10", SQL: grouped(ids, "sum(v3), count(*)")},
	}
}
