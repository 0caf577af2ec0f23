package closure

import (
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Place is where a node stands in a graph.
type Place struct {
	Level    int32 // the fewest edges to a node without parents
	Children int32 // how many nodes have it as a parent
	Position int32 // from 1, depth first: nodes without parents and children by ascending node, each at its first visit
}

// Walk finds the place of each node of a graph without cycles.
func Walk[W any](g *Graph[W], m *value.Meter) (_ []Place, err error) {
	defer sqlstate.Catch(&err)
	up := linksBy(g, child[W], m)
	down := childrenOf(g, up, m)
	sqlstate.Check(m.Grow(20*g.Nodes + 4*len(g.Edges)))
	w := &walk{down: down, meter: m, places: make([]Place, g.Nodes)}
	var roots []int32
	for n := range int32(g.Nodes) {
		if len(up.of(n)) == 0 {
			roots = append(roots, n)
		}
	}
	w.levels(roots)
	w.depthFirst(roots)
	return w.places, nil
}

// childrenOf are the children of each node, ascending and each once: from and edge are
// those of links, but with nodes in the place of edges.
func childrenOf[W any](g *Graph[W], up *links, m *value.Meter) *links {
	byParent := &Graph[struct{}]{Nodes: g.Nodes}
	sqlstate.Check(m.Grow(8 * len(g.Edges)))
	last := make([]int32, g.Nodes) // the child, plus one, that a parent was last met from
	for n := range int32(g.Nodes) {
		for _, i := range up.of(n) {
			if p := g.Edges[i].Parent; last[p] != n+1 {
				last[p] = n + 1
				byParent.Edges = append(byParent.Edges, Edge[struct{}]{Child: n, Parent: p})
			}
		}
	}
	down := linksBy(byParent, parent[struct{}], m)
	for at, i := range down.edge {
		down.edge[at] = byParent.Edges[i].Child
	}
	return down
}

// walk goes from parents to children.
type walk struct {
	down   *links // children in the place of edges
	meter  *value.Meter
	places []Place
}

// levels goes breadth first.
func (w *walk) levels(roots []int32) {
	seen := make([]bool, len(w.places))
	for _, n := range roots {
		seen[n] = true
	}
	queue := append([]int32(nil), roots...)
	for at := 0; at < len(queue); at++ {
		n := queue[at]
		children := w.down.of(n)
		sqlstate.Check(w.meter.Check(8 + 8*len(children)))
		w.places[n].Children = int32(len(children))
		for _, c := range children {
			if !seen[c] {
				seen[c] = true
				w.places[c].Level = w.places[n].Level + 1
				queue = append(queue, c)
			}
		}
	}
}

// depthFirst numbers the nodes.
func (w *walk) depthFirst(roots []int32) {
	next := int32(1)
	var stack []int32
	push := func(nodes []int32) {
		for i := len(nodes) - 1; i >= 0; i-- {
			if w.places[nodes[i]].Position == 0 {
				stack = append(stack, nodes[i])
			}
		}
	}
	push(roots)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.places[n].Position != 0 {
			continue
		}
		w.places[n].Position = next
		next++
		children := w.down.of(n)
		sqlstate.Check(w.meter.Check(8 + 8*len(children)))
		push(children)
	}
}
