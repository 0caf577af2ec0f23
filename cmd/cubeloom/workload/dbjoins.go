package workload

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
)

// DBJoins generates the tables of the db-benchmark's join questions (H2O.ai,
// join-datagen.R), without NULLs and not sorted: x of Rows rows, and small, medium and
// big of a millionth of them, a thousandth and as many. Each of these is joined by a key
// of its own, of which it has each value once, and x nine of ten of them: id1, id2 or id3,
// an integer, and id4, id5 or id6, the same as a text. v1 and v2 are double precision
// numbers up to 100 with six decimal places.
type DBJoins struct {
	Rows int64
}

// Validate reports a parameter out of range.
func (d DBJoins) Validate() error {
	if d.Rows < 0 || d.Rows > maxValues {
		return fmt.Errorf("%d rows: must be from 0 to %d", d.Rows, int64(maxValues))
	}
	return nil
}

// dbJoinTables are the tables, and of how many rows of x each has one.
var dbJoinTables = []struct {
	name  string
	share int64
	keys  int // that it has of id1 to id3, and of id4 to id6
	value string
}{{"x", 1, 3, "v1"}, {"small", 1_000_000, 1, "v2"}, {"medium", 1000, 2, "v2"}, {"big", 1, 3, "v2"}}

// keys is the number of values of key c that a table has.
func (d DBJoins) keys(c int) int64 { return max(d.Rows/dbJoinTables[c+1].share, 1) }

// Tables implements Set.
func (d DBJoins) Tables() []Table {
	var tables []Table
	for _, t := range dbJoinTables {
		ids, names := "", ""
		for c := range t.keys {
			ids += fmt.Sprintf("id%d integer, ", c+1)
			names += fmt.Sprintf("id%d text, ", c+4)
		}
		tables = append(tables, NewTable(t.name, d.rows(t.share), ids+names+t.value+" double precision"))
	}
	return tables
}

// rows is the number of rows of a table.
func (d DBJoins) rows(share int64) int64 {
	if d.Rows == 0 {
		return 0
	}
	return max(d.Rows/share, 1)
}

// Generate implements Set.
func (d DBJoins) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := d.Validate(); err != nil {
		return err
	}
	tables := d.Tables()
	sources := make([]source, len(tables))
	for i := range tables {
		sources[i] = d.source(opts.Seed, i)
	}
	return generate(ctx, opts, tables, sources, emit)
}

// source computes rows of table i.
func (d DBJoins) source(seed uint64, i int) source {
	value := newStream(seed, 3100+10*i)
	return func(first int64, n int) []arrow.Array {
		var ints, texts []arrow.Array
		for c := range dbJoinTables[i].keys {
			keys := make([]int32, n)
			names := newTexts(n, 10)
			for r := range keys {
				keys[r] = int32(d.key(seed, i, c, first+int64(r)))
				names.bytes = fmt.Appendf(names.bytes, "id%d", keys[r])
				names.end()
			}
			ints, texts = append(ints, int32Array(keys)), append(texts, names.array())
		}
		values := make([]float64, n)
		for r := range values {
			values[r] = float64(value.between(first+int64(r), 1, 100_000_000)) / 1e6
		}
		return append(append(ints, texts...), float64Array(values))
	}
}

// key is key c of a row of table i. Of eleven tenths of the values all tables have the
// first nine, x the next, and the others the last; the key that a table has as many values
// of as rows has each once.
func (d DBJoins) key(seed uint64, i, c int, row int64) int64 {
	n := d.keys(c)
	draw := newStream(seed, 3100+10*i+c+1)
	at := draw.between(row, 0, n-1)
	if d.rows(dbJoinTables[i].share) == n {
		at = permuted(draw, row, n)
	}
	if common := n - n/10; i > 0 && at >= common {
		at += n / 10
	}
	return 1 + permuted(newStream(seed, 3150+c), at, n+n/10)
}

// permuted is the i-th number below n in a random order: a Feistel network of four rounds
// over the next power of four, gone through until the result is below n.
func permuted(by stream, i, n int64) int64 {
	half := uint(1)
	for int64(1)<<(2*half) < n {
		half++
	}
	mask := int64(1)<<half - 1
	for {
		left, right := i>>half, i&mask
		for round := range int64(4) {
			left, right = right, left^int64(by.at(right<<2|round))&mask
		}
		if i = left<<half | right; i < n {
			return i
		}
	}
}

// Queries are the five join questions.
func (d DBJoins) Queries() []Query {
	small := "SELECT x.*, small.id4 AS small_id4, v2\nFROM x JOIN small ON x.id1 = small.id1"
	medium := "SELECT x.*, medium.id1 AS medium_id1, medium.id4 AS medium_id4, %s, v2\nFROM x %s medium ON %s"
	big := "SELECT x.*, big.id1 AS big_id1, big.id2 AS big_id2, big.id4 AS big_id4, big.id5 AS big_id5, big.id6 AS big_id6, v2\n" +
		"FROM x JOIN big ON x.id3 = big.id3"
	five, two := "medium.id5 AS medium_id5", "medium.id2 AS medium_id2"
	return []Query{
		{Name: "small inner on int", SQL: small},
		{Name: "medium inner on int", SQL: fmt.Sprintf(medium, five, "JOIN", "x.id2 = medium.id2")},
		{Name: "medium outer on int", SQL: fmt.Sprintf(medium, five, "LEFT JOIN", "x.id2 = medium.id2")},
		{Name: "medium inner on factor", SQL: fmt.Sprintf(medium, two, "JOIN", "x.id5 = medium.id5")},
		{Name: "big inner on int", SQL: big},
	}
}
