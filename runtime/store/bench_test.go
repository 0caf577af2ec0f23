package store

import (
	"fmt"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// benchTable makes a table of n rows with columns of several encodings.
func benchTable(b *testing.B, n int) *Table {
	b.Helper()
	t, err := NewTable(Definition{Name: "t", Columns: []Column{
		{Name: "key", Type: algebra.TInt32}, {Name: "price", Type: algebra.TDecimal(15, 2)},
		{Name: "mode", Type: algebra.TText}, {Name: "comment", Type: algebra.TText},
	}})
	if err != nil {
		b.Fatal(err)
	}
	a := t.Append()
	batch := a.NewBatch()
	modes := []string{"AIR", "RAIL", "TRUCK", "MAIL", "FOB", "SHIP"}
	for i := range n {
		batch.Col(0).Int(int64(i))
		batch.Col(1).Int(int64(i*7919) % 10000000)
		batch.Col(2).Text(modes[i%len(modes)])
		batch.Col(3).Text(fmt.Sprint("comment number ", i))
		if batch.Full() || i == n-1 {
			p, err := batch.Seal()
			if err == nil {
				err = a.Add(p)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	if t, err = a.Finish(); err != nil {
		b.Fatal(err)
	}
	return t
}

func BenchmarkAddRelation(b *testing.B) {
	t := benchTable(b, 1<<20)
	b.SetBytes(t.Bytes())
	for b.Loop() {
		empty, err := NewTable(t.def)
		if err != nil {
			b.Fatal(err)
		}
		a := empty.Append()
		if err := a.AddRelation(ctx, t, []int{0, 1, 2, 3}, 2); err != nil {
			b.Fatal(err)
		}
		if _, err := a.Finish(); err != nil {
			b.Fatal(err)
		}
	}
}
