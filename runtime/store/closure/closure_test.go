package closure

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/sql/value"
)

// dag draws a graph whose edges lead from greater nodes to lesser ones, under names that
// are shuffled.
func dag(t *rapid.T) *Graph[value.Num] {
	n := rapid.IntRange(1, 12).Draw(t, "nodes")
	names := rapid.Permutation(intsTo(n)).Draw(t, "names")
	g := &Graph[value.Num]{Nodes: n}
	for range rapid.IntRange(0, 20).Draw(t, "edges") {
		child := rapid.IntRange(0, n-1).Draw(t, "child")
		if child == 0 {
			continue
		}
		w := value.Num{Coef: value.Int128Of(rapid.Int64Range(-30, 30).Draw(t, "weight")), Scale: uint8(rapid.IntRange(0, 2).Draw(t, "scale"))}
		g.Edges = append(g.Edges, Edge[value.Num]{names[child], names[rapid.IntRange(0, child-1).Draw(t, "parent")], w})
	}
	return g
}

func intsTo(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// paths adds up every path on its own.
func paths(t *rapid.T, g *Graph[value.Num], from, at int32, w value.Num, distance int32, out map[int32]Row[value.Num]) {
	r, ok := out[at]
	if !ok {
		r = Row[value.Num]{Node: at, Distance: math.MaxInt32}
	}
	sum, err := r.Weight.Add(w)
	if err != nil {
		t.Fatal(err)
	}
	out[at] = Row[value.Num]{at, min(r.Distance, distance), sum}
	for _, e := range g.Edges {
		if e.Child != at {
			continue
		}
		product, err := w.Mul(e.Weight)
		if err != nil {
			t.Fatal(err)
		}
		paths(t, g, from, e.Parent, product, distance+1, out)
	}
}

func TestClosureAddsUpAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := dag(t)
		c, err := Compute(g, Exact, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int32(g.Nodes) {
			want := map[int32]Row[value.Num]{}
			paths(t, g, n, n, value.NumOf(1), 0, want)
			got := c.Of(int(n))
			if len(got) != len(want) || !slices.IsSortedFunc(got, func(a, b Row[value.Num]) int { return int(a.Node - b.Node) }) {
				t.Fatalf("node %d: %v instead of %v", n, got, want)
			}
			for _, r := range got {
				if r != want[r.Node] {
					t.Fatalf("node %d: %v instead of %v", n, r, want[r.Node])
				}
			}
		}
	})
}

func TestClosureFindsACycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := dag(t)
		n := int32(g.Nodes)
		length := rapid.Int32Range(1, 1000).Draw(t, "length")
		// A cycle of new nodes, hung below and above what there is.
		g.Nodes += int(length)
		for i := range length {
			g.Edges = append(g.Edges, Edge[value.Num]{n + i, n + (i+1)%length, value.NumOf(1)})
		}
		g.Edges = append(g.Edges, Edge[value.Num]{n, 0, value.NumOf(1)})
		_, err := Compute(g, Exact, nil)
		var cycle *Cycle
		if !errors.As(err, &cycle) || len(cycle.Nodes) != int(length) {
			t.Fatalf("%v instead of a cycle of %d", err, length)
		}
		for i, node := range cycle.Nodes {
			if node != n+int32(i) {
				t.Fatalf("node %d of the cycle is %d", i, node)
			}
		}
	})
}

// count is how many rows there are of all nodes.
func count(c *Closure[float64]) (n int) {
	for _, rows := range c.rows {
		n += len(rows)
	}
	return n
}

func TestClosureOfManyChildrenAndLevels(t *testing.T) {
	const n = 1 << 20
	wide, deep := &Graph[float64]{Nodes: n}, &Graph[float64]{Nodes: 2000}
	for i := int32(1); i < n; i++ {
		wide.Edges = append(wide.Edges, Edge[float64]{i, 0, 0.5})
	}
	for i := int32(1); i < 2000; i++ {
		deep.Edges = append(deep.Edges, Edge[float64]{i - 1, i, 1}, Edge[float64]{i - 1, i, -2})
	}
	c, err := Compute(wide, Double, nil)
	if err != nil || count(c) != 2*n-1 {
		t.Fatal(count(c), err)
	}
	if c, err = Compute(deep, Double, nil); err != nil || count(c) != 2000*2001/2 || c.Of(0)[1999] != (Row[float64]{1999, 1999, -1}) {
		t.Fatal(count(c), err)
	}
}

func TestClosureRefusesWeights(t *testing.T) {
	line := func(w ...float64) *Graph[float64] {
		g := &Graph[float64]{Nodes: len(w) + 1}
		for i, w := range w {
			g.Edges = append(g.Edges, Edge[float64]{int32(i), int32(i) + 1, w})
		}
		return g
	}
	for _, g := range []*Graph[float64]{line(1e200, 1e200), line(1e-200, 1e-200),
		{Nodes: 2, Edges: []Edge[float64]{{0, 1, math.MaxFloat64}, {0, 1, math.MaxFloat64}}}} {
		var overflow *Overflow
		if _, err := Compute(g, Double, nil); !errors.As(err, &overflow) || overflow.From != 0 || int(overflow.To) != g.Nodes-1 {
			t.Errorf("%v: %v", g, err)
		}
	}
	huge := value.Num{Coef: value.Int128Of(math.MaxInt64)}
	g := &Graph[value.Num]{Nodes: 4, Edges: []Edge[value.Num]{{0, 1, huge}, {1, 2, huge}, {2, 3, huge}}}
	var e *value.Error
	if _, err := Compute(g, Exact, nil); !errors.As(err, &e) || e.Code != value.CodeNumericOutOfRange {
		t.Error(err)
	}
	// Zeros behind the point give way.
	half, two := value.Num{Coef: value.Int128Of(5000000), Scale: 7}, value.Num{Coef: value.Int128Of(20000000), Scale: 7}
	g = &Graph[value.Num]{Nodes: 9}
	for i := range int32(8) {
		g.Edges = append(g.Edges, Edge[value.Num]{i, i + 1, []value.Num{half, two}[i%2]})
	}
	c, err := Compute(g, Exact, nil)
	if err != nil || c.Of(0)[8].Weight.Cmp(value.NumOf(1)) != 0 {
		t.Error(c, err)
	}
}

func TestWalkGoesDepthFirst(t *testing.T) {
	// 0 and 4 are roots; 2 has both 0 and 1 as parents, and 1 twice.
	g := &Graph[float64]{Nodes: 6, Edges: []Edge[float64]{{1, 0, 1}, {2, 1, 1}, {2, 1, 1}, {2, 0, 1}, {3, 2, 1}, {3, 4, 1}, {5, 0, 1}}}
	places, err := Walk(g, nil)
	want := []Place{{0, 3, 1}, {1, 1, 2}, {1, 1, 3}, {1, 0, 4}, {0, 1, 6}, {1, 0, 5}}
	if err != nil || !slices.Equal(places, want) {
		t.Fatal(places, err)
	}
}
