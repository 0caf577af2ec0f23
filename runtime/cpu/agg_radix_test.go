package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
)

// TestAggregateDensePartitioned groups by so many cells that rows are partitioned.
func TestAggregateDensePartitioned(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, typ := range []kernel.Type{kernel.I32, kernel.I128, kernel.F64, kernel.Code} {
		c := aggCase{strategy: kernel.Dense, partitioned: true, keys: []int{0, 1}, ranges: map[int]kernel.Range{
			0: {Known: true, Lo: -500, Hi: 500}, 1: {Known: true, Lo: -3, Hi: 996}}}
		n := 400
		c.cols = []column{randomColumn(r, kernel.I32, n, 100, true), randomColumn(r, kernel.I32, n, 7, true), randomColumn(r, typ, n, 12, true), randomColumn(r, kernel.Bool, n, 2, true)}
		c.accs, c.dst = accsOf(typ, 2)
		for i := range c.accs {
			if i%3 == 0 {
				c.accs[i].Filter = 3
			}
		}
		c.check(t, fmt.Sprintf("type %d", typ))
	}
}

// TestAggregateHashPartitioned groups by so many keys that tables are outgrown: by keys
// at random, which show it early, and by keys in order, which do not.
func TestAggregateHashPartitioned(t *testing.T) {
	row := uint64(0)
	ordered := storedInt{next: func() uint64 { row++; return (row - 1) / 2 * 0x9e3779b97f4a7c15 }}
	for threads, g := range map[int]storedInt{1: ordered, 2: scattered(1 << 18)} {
		for keys := 1; keys <= 2; keys++ { // of one word, of two
			if n := sumGroups(t, g, keys, threads); n < 1<<keytable.PartitionBits {
				t.Errorf("%d threads: %d blocks: the rows were not partitioned", threads, n)
			}
		}
	}
}

// TestAggregateHashMerged groups by keys that the workers' tables, large as they
// are, can hold.
func TestAggregateHashMerged(t *testing.T) {
	if n := sumGroups(t, scattered(1<<16), 1, 2); n >= 1<<keytable.PartitionBits {
		t.Errorf("%d blocks: the rows were partitioned", n)
	}
}

// sumGroups groups rows by g, and where there are two keys also by another one,
// checks the answer and returns its blocks.
func sumGroups(t *testing.T, g storedInt, keys, threads int) int {
	t.Helper()
	in := storedInts(5<<16, g, scattered(3), uniform(1000), scattered(1000))
	f := funcOf([]kernel.Type{kernel.I64, kernel.I64, kernel.I64, kernel.I64, kernel.I128, kernel.I64}, 4, nil,
		&kernel.Aggregate{Strategy: kernel.Hash, Keys: []kernel.ValueID{0, 1}[:keys], Accs: []kernel.Acc{
			{Op: kernel.AccSum, Args: []kernel.ValueID{2}, Filter: kernel.NoValue, Dst: []kernel.ValueID{4}},
			{Op: kernel.AccMax, Args: []kernel.ValueID{3}, Filter: kernel.NoValue, Dst: []kernel.ValueID{5}},
		}})
	for i := range f.Values {
		f.Values[i].Nullable = false
	}
	opts := runtime.RunOptions{Threads: threads, Account: runtime.NewAccount(0)}
	out, _, err := shared.Run(t.Context(), f, []any{in}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, in, out.(runtime.Relation), keys)
	blocks := out.(runtime.Relation).Blocks()
	out.Release()
	if used := opts.Account.Used(); used != 0 {
		t.Errorf("%d bytes are still charged", used)
	}
	return blocks
}

// checkSums compares sum(column 2) and max(column 3) by the first columns.
func checkSums(t *testing.T, in *memoryTable, out runtime.Relation, keys int) {
	t.Helper()
	type group struct{ sum, max int64 }
	want := make(map[[2]int64]group)
	for _, b := range in.blocks {
		for i := range b.Rows {
			var key [2]int64
			for k := range keys {
				key[k] = b.Cols[k].Int(i)
			}
			g, had := want[key]
			g.sum += b.Cols[2].Int(i)
			if x := b.Cols[3].Int(i); !had || x > g.max {
				g.max = x
			}
			want[key] = g
		}
	}
	if int(out.Rows()) != len(want) {
		t.Fatalf("%d groups, want %d", out.Rows(), len(want))
	}
	for i := range out.Blocks() {
		b, err := out.Load(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Rows {
			var key [2]int64
			for k := range keys {
				key[k] = b.Cols[k].Int(row)
			}
			if got := (group{b.Cols[keys].Int(row), b.Cols[keys+1].Int(row)}); got != want[key] {
				t.Fatalf("group %v: %v, want %v", key, got, want[key])
			}
		}
	}
}
