package csvfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// lineorder makes rows like those of the Star Schema Benchmark's fact table.
func lineorder(n int) []byte {
	priorities := []string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECI", "5-LOW"}
	modes := []string{"REG AIR", "AIR", "RAIL", "TRUCK", "MAIL", "FOB", "SHIP"}
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range n {
		price := 90000 + r.IntN(10000000)
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,199%d0%d1%d,%s,0,%d,%d,%d,%d,%d,%d,%d,19940210,%s\n",
			i/4+1, i%7+1, r.IntN(30000)+1, r.IntN(200000)+1, r.IntN(2000)+1, r.IntN(7), r.IntN(9)+1, r.IntN(9),
			priorities[r.IntN(5)], r.IntN(50)+1, price, price*2, r.IntN(11), price*9/10, 60000+r.IntN(60000), r.IntN(9),
			modes[r.IntN(7)])
	}
	return b.Bytes()
}

// lineorderColumns are the columns of lineorder.
func lineorderColumns() []store.Column {
	i, s := algebra.TInt32, algebra.TText
	return testColumns(i, i, i, i, i, i, s, i, i, i, i, i, i, i, i, i, s)
}

func BenchmarkLoad(b *testing.B) {
	const n = 1 << 20
	text := lineorder(n)
	columns := lineorderColumns()
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		t, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
		if err != nil {
			b.Fatal(err)
		}
		app := t.Append()
		if _, err := Load(ctx, Input{Reader: bytes.NewReader(text)}, app, all, NewOptions(false), 2); err != nil {
			b.Fatal(err)
		}
		if t, err = app.Finish(); err != nil || t.Rows() != n {
			b.Fatal(err)
		}
	}
}
