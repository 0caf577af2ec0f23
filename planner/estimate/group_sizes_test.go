package estimate

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// shapes are tables of three columns, by how their rows are drawn.
var shapes = map[string]func(rnd *rand.Rand) [3]int64{
	"uniform": func(rnd *rand.Rand) [3]int64 {
		return [3]int64{rnd.Int64N(100), rnd.Int64N(100), rnd.Int64N(100)}
	},
	"skewed": func(rnd *rand.Rand) [3]int64 {
		draw := func() int64 { return int64(math.Exp(rnd.ExpFloat64())) % 200 }
		return [3]int64{draw(), draw(), draw()}
	},
	"many values": func(rnd *rand.Rand) [3]int64 {
		return [3]int64{rnd.Int64N(20_000), rnd.Int64N(10), rnd.Int64N(1000)}
	},
	"one column follows from another": func(rnd *rand.Rand) [3]int64 {
		a := rnd.Int64N(300)
		return [3]int64{a, a / 10, rnd.Int64N(50)}
	},
	"ten values for each of another": func(rnd *rand.Rand) [3]int64 {
		a := rnd.Int64N(40)
		return [3]int64{a, (a*37 + rnd.Int64N(10)*11) % 800, rnd.Int64N(20)}
	},
	"one value": func(*rand.Rand) [3]int64 { return [3]int64{7, 7, 7} },
}

// TestGroupSizes compares guessed numbers of groups, and of those of at least ten rows, with
// what they are.
func TestGroupSizes(t *testing.T) {
	for name, draw := range shapes {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) { guessShape(t, draw, rand.New(rand.NewPCG(1, seed))) })
		}
	}
}

func guessShape(t *testing.T, draw func(rnd *rand.Rand) [3]int64, rnd *rand.Rand) {
	t.Helper()
	const rows, sampled, enough = 40_000, 512, 10
	all, sample := make([][3]int64, rows), make([][]value.Value, sampled)
	for i := range all {
		all[i] = draw(rnd)
	}
	for i := range sample {
		for _, x := range all[rnd.IntN(rows)] {
			sample[i] = append(sample[i], value.Value{Kind: value.Int, I: x})
		}
	}
	n := aggregateOf(rows, algebra.NewSample(sample))
	for i := range n.Keys {
		n.Input.(*algebra.Scan).ColStats[i].Distinct = float64(len(groupsOf(all, 1<<i)))
	}
	g := New(nil).GroupSizes(n)
	for _, set := range n.Sets {
		groups, large, guessed, guessedLarge := 0.0, 0.0, g.Groups(set), 0.0
		for _, size := range groupsOf(all, set) {
			groups++
			if size >= enough {
				large++
			}
		}
		for _, size := range g.Of(set) {
			guessedLarge += g.Weight / size * atLeast(enough, size)
		}
		if off := max(guessed/groups, groups/guessed); off > 2 || bits.OnesCount64(uint64(set)) == 1 && off > 1 {
			t.Errorf("set %b: %.0f groups guessed, %.0f in truth", set, guessed, groups)
		}
		if off := (guessedLarge + groups/10) / (large + groups/10); off > 2 || off < 0.5 {
			t.Errorf("set %b: %.0f groups of at least %d rows guessed, %.0f of %.0f in truth", set, guessedLarge, enough, large, groups)
		}
	}
}

// atLeast is the chance that a Poisson variable of a mean is so great.
func atLeast(least int, mean float64) float64 {
	below, term := 0.0, math.Exp(-mean)
	for k := range least {
		below += term
		term *= mean / float64(k+1)
	}
	return 1 - below
}

// groupsOf are the numbers of rows of a set's groups.
func groupsOf(rows [][3]int64, set algebra.KeySet) map[[3]int64]int {
	groups := make(map[[3]int64]int)
	for _, row := range rows {
		for i := range row {
			if !set.Has(i) {
				row[i] = 0
			}
		}
		groups[row]++
	}
	return groups
}

// aggregateOf is a cube of three columns of a table.
func aggregateOf(rows int64, sample *algebra.Sample) *algebra.Aggregate {
	scan := &algebra.Scan{
		Table: algebra.TableRef{Name: "t", Rows: rows, Sample: sample}, Ordinals: []int{0, 1, 2}, ColStats: make([]algebra.Stats, 3),
	}
	n := &algebra.Aggregate{Input: scan}
	for i := range 3 {
		col := algebra.Column{ID: algebra.ColumnID(i + 1), Name: fmt.Sprint("c", i), Type: algebra.TInt64}
		scan.Cols = append(scan.Cols, col)
		n.Keys = append(n.Keys, algebra.Item{Column: algebra.Column{ID: col.ID + 10, Type: col.Type}, Expr: col.Ref()})
	}
	for set := range algebra.KeySet(8) {
		n.Sets = append(n.Sets, set)
	}
	return n
}

// TestGroupSizesWithoutSample holds that keys are independent, and their values equally frequent,
// where there is no sample, or too few of its rows are left.
func TestGroupSizesWithoutSample(t *testing.T) {
	few := make([][]value.Value, fewestSampled-1)
	for i := range few {
		few[i] = []value.Value{{Kind: value.Int}, {Kind: value.Int}, {Kind: value.Int}}
	}
	for _, sample := range []*algebra.Sample{nil, algebra.NewSample(few)} {
		n := aggregateOf(1e6, sample)
		for i := range n.Keys {
			n.Input.(*algebra.Scan).ColStats[i].Distinct = float64(10 * (i + 1))
		}
		g := New(nil).GroupSizes(n)
		if sizes := g.Of(0b111); len(sizes) != 1 || math.Abs(sizes[0]*6000-1e6) > 1 || g.Weight != 1e6 {
			t.Errorf("rows stand for %g, in groups of %g rows", g.Weight, sizes)
		}
		if sizes := g.Of(0); sizes[0] != 1e6 {
			t.Errorf("all rows are a group of %g", sizes[0])
		}
	}
}

// TestManyGroupSizes holds that fewer rows of the sample are looked at for many sets, and none for
// too many.
func TestManyGroupSizes(t *testing.T) {
	const keys = 20
	sample := make([][]value.Value, 512)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range sample {
		for range keys {
			sample[i] = append(sample[i], value.Value{Kind: value.Int, I: rnd.Int64N(5)})
		}
	}
	scan := &algebra.Scan{Table: algebra.TableRef{Name: "t", Rows: 1e9, Sample: algebra.NewSample(sample)}, ColStats: make([]algebra.Stats, keys)}
	n := &algebra.Aggregate{Input: scan}
	for i := range keys {
		col := algebra.Column{ID: algebra.ColumnID(i + 1), Type: algebra.TInt64}
		scan.Cols, scan.Ordinals = append(scan.Cols, col), append(scan.Ordinals, i)
		scan.ColStats[i].Distinct = 5
		n.Keys = append(n.Keys, algebra.Item{Column: algebra.Column{ID: col.ID + keys, Type: col.Type}, Expr: col.Ref()})
	}
	for of, want := range map[int]int{5: 512, 7: 128, 9: 32, 10: 1} {
		n.Sets = nil
		for set := range algebra.KeySet(1) << of {
			n.Sets = append(n.Sets, set)
		}
		g := New(nil).GroupSizes(n)
		if got := len(g.Of(1<<of - 1)); got != want {
			t.Errorf("a cube of %d keys: %d rows of the sample, %d expected", of, got, want)
		}
		if g.Weight*float64(want) != 1e9 {
			t.Errorf("rows stand for %g", g.Weight)
		}
	}
}

// TestSizesOfManyKeys holds that groups of sixty-four keys of many values have a size.
func TestSizesOfManyKeys(t *testing.T) {
	const keys = 64
	scan := &algebra.Scan{Table: algebra.TableRef{Name: "t", Rows: 1e9}, ColStats: make([]algebra.Stats, keys)}
	n := &algebra.Aggregate{Input: scan, Sets: []algebra.KeySet{math.MaxUint64}}
	for i := range keys {
		col := algebra.Column{ID: algebra.ColumnID(i + 1), Type: algebra.TInt64}
		scan.Cols, scan.Ordinals = append(scan.Cols, col), append(scan.Ordinals, i)
		scan.ColStats[i].Distinct = 1e8
		n.Keys = append(n.Keys, algebra.Item{Column: algebra.Column{ID: col.ID + keys, Type: col.Type}, Expr: col.Ref()})
	}
	if size := New(nil).GroupSizes(n).Of(math.MaxUint64)[0]; !(size > 0 && size < 1e-9) {
		t.Errorf("groups of %g rows", size)
	}
}
