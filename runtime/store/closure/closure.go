package closure

import (
	"slices"
	"unsafe"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Arithmetic multiplies and adds weights.
type Arithmetic[W any] struct {
	One      W
	Mul, Add func(a, b W) (W, error)
}

// Closure is what can be reached from each node, itself included, by ascending node.
type Closure[W any] struct{ rows [][]Row[W] }

// Of are the rows of a node; they must not be changed.
func (c *Closure[W]) Of(node int) []Row[W] { return c.rows[node] }

// Overflow is the error of a weight that cannot be computed, and the two nodes between
// which it stands.
type Overflow struct {
	From, To int32
	Err      error
}

// Error implements error.
func (o *Overflow) Error() string { return o.Err.Error() }

// Unwrap is the error of the arithmetic.
func (o *Overflow) Unwrap() error { return o.Err }

// arenaRows is how many rows are taken from the system at a time.
const arenaRows = 1 << 14

// closing is a closure while it is computed.
type closing[W any] struct {
	graph *Graph[W]
	by    Arithmetic[W]
	up    *links
	meter *value.Meter
	out   *Closure[W]
	arena []Row[W] // what is left of it

	row   []int32  // where in fresh the row of a node is, plus one; 0: it has none yet
	fresh []Row[W] // of the node that is dealt with, in the order in which they were found
	nodes []int32  // those of fresh
}

// Compute computes the closure of a graph. It fails with *Cycle or *Overflow, and with the
// meter's error, which is charged for all that the closure takes.
func Compute[W any](g *Graph[W], by Arithmetic[W], m *value.Meter) (_ *Closure[W], err error) {
	defer sqlstate.Catch(&err)
	up := linksBy(g, child[W], m)
	down := linksBy(g, parent[W], m)
	order := parentsFirst(g, up, down, m)
	sqlstate.Check(m.Grow(g.Nodes * (4 + int(unsafe.Sizeof([]Row[W]{})))))
	c := &closing[W]{
		graph: g, by: by, up: up, meter: m,
		out: &Closure[W]{rows: make([][]Row[W], g.Nodes)},
		row: make([]int32, g.Nodes),
	}
	for _, node := range order {
		if g.Known != nil && g.Known[node] != nil {
			c.out.rows[node] = g.Known[node]
			continue
		}
		c.node(node)
	}
	return c.out, nil
}

// node computes the rows of a node whose parents have theirs.
func (c *closing[W]) node(node int32) {
	c.add(Row[W]{Node: node, Weight: c.by.One})
	edges := c.up.of(node)
	for _, i := range edges {
		e := &c.graph.Edges[i]
		c.through(e)
	}
	rows := c.take(len(c.fresh))
	if len(edges) > 1 || len(c.nodes) > 1 && c.nodes[0] > c.nodes[1] {
		slices.Sort(c.nodes)
	}
	for i, n := range c.nodes {
		rows[i] = c.fresh[c.row[n]-1]
		c.row[n] = 0
	}
	c.out.rows[node] = rows
	c.fresh, c.nodes = c.fresh[:0], c.nodes[:0]
}

func (c *closing[W]) add(r Row[W]) {
	c.fresh = append(c.fresh, r)
	c.nodes = append(c.nodes, r.Node)
	c.row[r.Node] = int32(len(c.fresh))
}

// through adds what can be reached through an edge.
func (c *closing[W]) through(e *Edge[W]) {
	above := c.out.rows[e.Parent]
	sqlstate.Check(c.meter.Check(32 * len(above)))
	for i := range above {
		r := Row[W]{Node: above[i].Node, Distance: above[i].Distance + 1}
		var err error
		if r.Weight, err = c.by.Mul(e.Weight, above[i].Weight); err != nil {
			panic(&Overflow{From: e.Child, To: r.Node, Err: err})
		}
		at := c.row[r.Node]
		if at == 0 {
			c.add(r)
			continue
		}
		have := &c.fresh[at-1]
		have.Distance = min(have.Distance, r.Distance)
		if have.Weight, err = c.by.Add(have.Weight, r.Weight); err != nil {
			panic(&Overflow{From: e.Child, To: r.Node, Err: err})
		}
	}
}

// take takes room for n rows.
func (c *closing[W]) take(n int) []Row[W] {
	if n > len(c.arena) {
		size := max(n, min(arenaRows, c.graph.Nodes))
		sqlstate.Check(c.meter.Grow(size * int(unsafe.Sizeof(Row[W]{}))))
		c.arena = make([]Row[W], size)
	}
	rows := c.arena[:n:n]
	c.arena = c.arena[n:]
	return rows
}
