package fusion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

// dimension is a scan of a table of 1000 rows with the columns of its places.
func dimension(b *plantest.Builder, places ...int) *algebra.Scan {
	all := []plantest.Column{plantest.Ints("k", algebra.TInt32, 0, 999), plantest.Ints("v", algebra.TInt32, 0, 99), plantest.Ints("w", algebra.TInt32, 0, 99)}
	s := b.Scan("dimension", 1000)
	for _, at := range places {
		s.Cols = append(s.Cols, b.Col(all[at].Name, all[at].Type))
		s.Ordinals, s.ColStats = append(s.Ordinals, at), append(s.ColStats, all[at].Stats)
	}
	return s
}

// small is a dimension of which a filter leaves the rows below v.
func small(v int64) func(*plantest.Builder) algebra.Node {
	return func(b *plantest.Builder) algebra.Node {
		s := dimension(b, 0, 1)
		return plantest.Filter(s, plantest.Is(algebra.Lt, plantest.Ref(s, "v"), plantest.Int(v)))
	}
}

// whole is a dimension with columns in one order or the other.
func whole(places ...int) func(*plantest.Builder) algebra.Node {
	return func(b *plantest.Builder) algebra.Node { return dimension(b, places...) }
}

// joined is a dimension that is joined with a small one.
func joined(b *plantest.Builder) algebra.Node {
	return plantest.Join(algebra.JoinInner, dimension(b, 0, 1), small(60)(b), "v", "k")
}

// TestEqualBuildsAreShared checks which two joins of facts share a hash table.
func TestEqualBuildsAreShared(t *testing.T) {
	const inner, semi, full = algebra.JoinInner, algebra.JoinSemi, algebra.JoinFull
	for name, tc := range map[string]struct {
		first, second           algebra.JoinKind
		firstTable, secondTable func(*plantest.Builder) algebra.Node
		secondKey               string
		want                    int // builds
	}{
		"equal":             {inner, inner, small(50), small(50), "k", 1},
		"asked for members": {semi, semi, small(90), small(90), "k", 1},
		"another condition": {inner, inner, small(50), small(51), "k", 2},
		"another key":       {inner, inner, small(50), small(50), "v", 2},
		"a set of keys":     {inner, semi, small(50), small(50), "k", 2},
		"marks":             {inner, full, small(50), small(50), "k", 2},
		"other columns":     {inner, inner, whole(0, 1), whole(2, 0), "k", 1},
		"nested":            {inner, inner, joined, joined, "k", 2},
	} {
		b := &plantest.Builder{}
		facts := b.Scan("facts", 100_000, plantest.Ints("x", algebra.TInt32, 0, 999), plantest.Ints("y", algebra.TInt32, 0, 999))
		join := plantest.Join(tc.first, facts, tc.firstTable(b), "x", "k")
		p := weave(t, plantest.Join(tc.second, join, tc.secondTable(b), "y", tc.secondKey), fusion.Options{Fusion: true})
		var tables []int
		for _, op := range p.Ops {
			if _, ok := op.Operator.(*build.Operator); ok {
				tables = append(tables, op.ID)
			}
		}
		if len(tables) != tc.want {
			t.Errorf("%s: %d hash tables, want %d: %s", name, len(tables), tc.want, strings.Join(groups(p), ", "))
		}
		for _, d := range p.Decisions {
			if d.Of == "equal build" && !slices.Contains(tables, d.Op) {
				t.Errorf("%s: the decision on a build is one on operator %d", name, d.Op)
			}
		}
	}
}

// TestReducedBuildsAreNotShared checks that a table which a reduction makes smaller is not shared with one that
// has all of its rows.
func TestReducedBuildsAreNotShared(t *testing.T) {
	b := &plantest.Builder{}
	key, value := plantest.Ints("k", algebra.TInt32, 0, 9999), plantest.Ints("v", algebra.TInt32, 0, 9999)
	facts, by := b.Scan("facts", 1_000_000, key, value), b.Scan("few", 10_000, key, value)
	few := plantest.Filter(by, plantest.Is(algebra.Lt, plantest.Ref(by, "v"), plantest.Int(100)))
	stream := algebra.Node(plantest.Join(algebra.JoinInner, facts, b.Scan("other", 100_000, key, value), "v", "k"))
	stream = plantest.Join(algebra.JoinSemi, stream, few, "k", "k")
	p := weave(t, plantest.Join(algebra.JoinInner, stream, b.Scan("other", 100_000, key, value), "k", "k"), fusion.Options{Fusion: true})
	for _, want := range []string{"scan build", "scan probe build"} {
		if !slices.Contains(groups(p), want) {
			t.Errorf("groups are %q, want %q", groups(p), want)
		}
	}
}
