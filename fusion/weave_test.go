package fusion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

func names(p *fusion.Program, g *fusion.Group) string {
	var list []string
	for _, id := range g.Ops {
		list = append(list, p.Ops[id].Traits().Name)
	}
	return strings.Join(list, " ")
}

func groups(p *fusion.Program) []string {
	var list []string
	for i := range p.Groups {
		list = append(list, names(p, &p.Groups[i]))
	}
	return list
}

// TestEveryEdgeHasADecision checks that the decisions and the groups say the
// same, each with a reason, and that groups come after those that they read.
func TestEveryEdgeHasADecision(t *testing.T) {
	for name, plan := range plantest.Queries() {
		for _, opts := range []fusion.Options{{Fusion: true}, {}, {Fusion: true, Budget: operators.Resources{Registers: 40, Shared: 1 << 20}}} {
			p := weave(t, plan, opts)
			for _, op := range p.Ops {
				for _, in := range op.Inputs {
					i := slices.IndexFunc(p.Edges, func(d fusion.Edge) bool { return d.From == in && d.To == op.ID })
					if i < 0 || p.Edges[i].Reason == "" {
						t.Errorf("%s: no reason for the edge from %d to %d", name, in, op.ID)
						continue
					}
					same := p.Ops[in].Group == op.Group
					if p.Edges[i].Woven() != same {
						t.Errorf("%s: the decision on %d to %d is not what was done", name, in, op.ID)
					}
					if !same && p.Ops[in].Group > op.Group {
						t.Errorf("%s: group %d reads group %d", name, op.Group, p.Ops[in].Group)
					}
				}
			}
		}
	}
}

func TestStarJoinIsOneGroup(t *testing.T) {
	p := weave(t, plantest.SSB41(), fusion.Options{Fusion: true})
	if !slices.Contains(groups(p), "scan probe probe probe probe aggregate") {
		t.Errorf("groups are %q", groups(p))
	}
}

func TestFusionOff(t *testing.T) {
	p := weave(t, plantest.SSB41(), fusion.Options{})
	for i := range p.Groups {
		working := 0
		for _, id := range p.Groups[i].Ops {
			if op := p.Ops[id]; !op.Traits().Source && op.Traits().Name != "groups" {
				working++
			}
		}
		if working != 1 {
			t.Errorf("group %d is %q", i, names(p, &p.Groups[i]))
		}
	}
}

// TestBudget checks Algorithm 2: groups are cut where the budget ends, and the
// reason names what was lacking.
func TestBudget(t *testing.T) {
	for _, tc := range []struct {
		budget operators.Resources
		reason string
	}{
		{operators.Resources{Registers: 40, Shared: 48 << 10}, "registers of 40"},
		{operators.Resources{Shared: 1000}, "bytes of shared memory of 1000"},
	} {
		p := weave(t, plantest.SSB41(), fusion.Options{Fusion: true, Budget: tc.budget})
		if !slices.ContainsFunc(p.Edges, func(d fusion.Edge) bool {
			return !d.Woven() && strings.Contains(d.Reason, tc.reason)
		}) {
			t.Errorf("no refusal for want of %s", tc.reason)
		}
		for i, g := range p.Groups {
			if len(g.Ops) > 2 && (g.Cost.Shared > tc.budget.Shared || tc.budget.Registers > 0 && g.Cost.Registers > tc.budget.Registers) {
				t.Errorf("group %d, %q, needs %+v of %+v", i, names(p, &p.Groups[i]), g.Cost, tc.budget)
			}
		}
	}
}

// distinctCube counts distinct values in three grouping sets over in.
func distinctCube(b *plantest.Builder, in algebra.Node) algebra.Node {
	distinct := b.Agg("n", algebra.Count, plantest.Ref(in, "v"))
	distinct.Distinct = true
	return b.Cube(b.GroupBy(in, []string{"a"}, distinct))
}

func table(b *plantest.Builder) *algebra.Scan {
	return b.Scan("t", 1000, plantest.Ints("a", algebra.TInt32, 0, 9), plantest.Ints("v", algebra.TInt32, 0, 99))
}

func TestInputDependence(t *testing.T) {
	b := &plantest.Builder{}
	p := weave(t, distinctCube(b, table(b)), fusion.Options{Fusion: true})
	if !slices.ContainsFunc(p.Edges, func(d fusion.Edge) bool { return d.Dependence == operators.Input }) {
		t.Errorf("two scans of one table go unnoticed in %q", groups(p))
	}
	text := fusion.Explain(p).Text()
	if !strings.Contains(text, "input dependence of groups 0 and 1") {
		t.Errorf("the text does not say so:\n%s", text)
	}
}

// TestSeveralReaders checks that what several operators read is made once.
func TestSeveralReaders(t *testing.T) {
	b := &plantest.Builder{}
	in := table(b)
	few := plantest.Filter(in, plantest.Is(algebra.Lt, plantest.Ref(in, "a"), plantest.Int(5)))
	p := weave(t, distinctCube(b, few), fusion.Options{Fusion: true})
	want := []string{"scan filter", "aggregate groups", "aggregate", "union"}
	if got := groups(p); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLattice checks that each cuboid is made from the smallest finer one.
func TestLattice(t *testing.T) {
	p := weave(t, plantest.Cube3(), fusion.Options{Fusion: true})
	for _, op := range p.Ops {
		if op.Traits().Name != "cuboid" {
			continue
		}
		keys := len(op.Columns()) - 3                                   // accumulators
		from := len(p.Ops[p.Ops[op.Inputs[0]].Inputs[0]].Columns()) - 3 // whose groups are read
		if from != keys+1 {
			t.Errorf("a cuboid of %d keys is made from one of %d", keys, from)
		}
	}
}

// TestDisjointSets checks that the union of all keys is not computed where it
// would be as large as the input.
func TestDisjointSets(t *testing.T) {
	b := &plantest.Builder{}
	in := b.Scan("t", 1000, plantest.Ints("a", algebra.TInt32, 0, 99), plantest.Ints("v", algebra.TInt32, 0, 99))
	agg := b.GroupBy(in, []string{"a", "v"}, b.Agg("n", algebra.CountStar, nil))
	agg.Sets = []algebra.KeySet{1, 2, 1}
	p := weave(t, agg, fusion.Options{Fusion: true})
	want := []string{"scan aggregate groups", "scan aggregate groups", "union"}
	if got := groups(p); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	u := p.Ops[p.Root]
	if len(u.Inputs) != 3 || u.Inputs[0] != u.Inputs[2] || u.Inputs[0] == u.Inputs[1] {
		t.Errorf("the union reads %v", u.Inputs)
	}
}

// TestRenamingIsNoWork checks that a projection of bare columns vanishes.
func TestRenamingIsNoWork(t *testing.T) {
	b := &plantest.Builder{}
	in := table(b)
	out := b.Project(in, []string{"x", "y", "x"}, plantest.Ref(in, "v"), plantest.Ref(in, "a"), plantest.Ref(in, "v"))
	p := weave(t, out, fusion.Options{Fusion: true})
	if got := groups(p); !slices.Equal(got, []string{"scan"}) {
		t.Errorf("groups are %q", got)
	}
	v, a := in.Cols[1].ID, in.Cols[0].ID
	if p.Columns[0].ID != v || p.Columns[1].ID != a || p.Columns[2].ID != v {
		t.Errorf("columns are %v", p.Columns)
	}
}

// TestSemiJoinOfTheSmallerSide checks that the table of a semi or anti join is
// made of the left input where that is much smaller.
func TestSemiJoinOfTheSmallerSide(t *testing.T) {
	for _, tc := range []struct {
		kind        algebra.JoinKind
		left, right int64
		want        string
	}{
		{algebra.JoinSemi, 100, 1000, "matched"},
		{algebra.JoinAnti, 100, 1000, "unmatched"},
		{algebra.JoinSemi, 900, 1000, "scan probe"},
		{algebra.JoinInner, 100, 1000, "scan probe"},
	} {
		b := &plantest.Builder{}
		column := plantest.Ints("a", algebra.TInt32, 0, 9999)
		left, right := b.Scan("l", tc.left, column), b.Scan("r", tc.right, column)
		p := weave(t, plantest.Join(tc.kind, left, right, "a", "a"), fusion.Options{Fusion: true})
		if list := groups(p); list[len(list)-1] != tc.want {
			t.Errorf("%v of %d and %d rows: groups are %q", tc.kind, tc.left, tc.right, list)
		}
	}
}

// TestReduction checks that what a selective join drops is neither aggregated
// nor put into the table of a later join.
func TestReduction(t *testing.T) {
	key := plantest.Ints("k", algebra.TInt32, 0, 9999)
	value := plantest.Ints("v", algebra.TInt32, 0, 9999)
	few := func(b *plantest.Builder) algebra.Node {
		in := b.Scan("few", 10_000, key, value)
		return plantest.Filter(in, plantest.Is(algebra.Lt, plantest.Ref(in, "v"), plantest.Int(100)))
	}
	t.Run("aggregation", func(t *testing.T) {
		b := &plantest.Builder{}
		in, by := b.Scan("many", 100_000, key, value), few(b)
		agg := b.GroupBy(in, []string{"k"}, b.Agg("n", algebra.Sum, plantest.Ref(in, "v")))
		p := weave(t, plantest.Join(algebra.JoinInner, agg, by, "k", "k"), fusion.Options{Fusion: true})
		if !slices.Contains(groups(p), "scan probe aggregate") {
			t.Errorf("groups are %q", groups(p))
		}
	})
	t.Run("table", func(t *testing.T) {
		b := &plantest.Builder{}
		in, by, other := b.Scan("many", 1_000_000, key, value), few(b), b.Scan("other", 100_000, key, value)
		join := plantest.Join(algebra.JoinSemi, in, by, "k", "k")
		second := plantest.Join(algebra.JoinInner, join, other, "k", "k")
		second.Keys = append(second.Keys, algebra.JoinKey{Left: plantest.Ref(in, "v"), Right: plantest.Ref(other, "v")})
		p := weave(t, second, fusion.Options{Fusion: true})
		if want := []string{"scan filter build", "scan probe build", "scan probe probe"}; !slices.Equal(groups(p), want) {
			t.Errorf("groups are %q, want %q", groups(p), want)
		}
	})
	t.Run("stream", func(t *testing.T) {
		b := &plantest.Builder{}
		keys := []plantest.Column{plantest.Ints("k", algebra.TInt32, 0, 999_999), plantest.Ints("v", algebra.TInt32, 0, 999_999)}
		of := plantest.Filter(b.Scan("few", 1_000_000, keys...), nil)
		of.Conds = []algebra.Expr{plantest.Is(algebra.Lt, plantest.Ref(of, "v"), plantest.Int(50_000))}
		table := plantest.Join(algebra.JoinInner, b.Scan("pairs", 8_000_000, keys...), of, "k", "k")
		for device, want := range map[bool]string{true: "scan probe probe", false: "scan probe"} {
			in := b.Scan("many", 60_000_000, keys...)
			join := plantest.Join(algebra.JoinInner, in, table, "k", "k")
			join.Keys = append(join.Keys, algebra.JoinKey{Left: plantest.Ref(in, "v"), Right: table.Left.Columns()[1].Ref()})
			p := weave(t, join, fusion.Options{Fusion: true, Device: device})
			if list := groups(p); list[len(list)-1] != want {
				t.Errorf("device %v: groups are %q", device, list)
			}
		}
	})
}

// TestUnionKeepsWhatIsRead checks that the halves of an outer join hold only the
// columns that someone reads of their union.
func TestUnionKeepsWhatIsRead(t *testing.T) {
	b := &plantest.Builder{}
	left, right := table(b), b.Scan("u", 100, plantest.Ints("k", algebra.TInt32, 0, 9), plantest.Ints("w", algebra.TInt32, 0, 99))
	all := plantest.Join(algebra.JoinFull, left, right, "a", "k")
	p := weave(t, b.GroupBy(all, []string{"v"}, b.Agg("n", algebra.CountStar, nil)), fusion.Options{Fusion: true})
	for _, op := range p.Ops {
		if op.Traits().Name != "union" {
			continue
		}
		for _, in := range op.Inputs {
			if kept := p.Ops[in].Keep; len(kept) > 1 {
				t.Errorf("an input of the union keeps %v", kept)
			}
		}
		return
	}
	t.Error("there is no union")
}

// TestHavingInEverySet rolls a cube up: conditions on groups are applied to each set, as its
// groups are read.
func TestHavingInEverySet(t *testing.T) {
	opts := fusion.Options{Fusion: true}
	opts.Cubes.Force = cubing.Rollup
	golden(t, "cube-3.rollup.txt", fusion.Explain(weave(t, plantest.Queries()["cube-3"], opts)).Text())
}
