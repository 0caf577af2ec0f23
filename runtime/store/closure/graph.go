// Package closure computes the reflexive and transitive closure of a weighted graph
// without cycles: for each node all that can be reached from it, with the products of the
// weights along paths, added over all paths, and the fewest edges. It takes as long as the
// closure is large, times the parents of a node, however many paths there are.
package closure

import (
	"fmt"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Edge leads from a node to one of its parents.
type Edge[W any] struct {
	Child, Parent int32
	Weight        W
}

// Row says of a node that can be reached what leads there.
type Row[W any] struct {
	Node     int32
	Distance int32 // the fewest edges
	Weight   W
}

// Graph is nodes, numbered from 0, and edges in any order. Between two nodes there may be
// several.
type Graph[W any] struct {
	Nodes int
	Edges []Edge[W]
	// Known are the rows of nodes that have no edges here because they are known, by node;
	// nil for one that is to be computed, and for all.
	Known [][]Row[W]
}

// Cycle is the error of a graph that has a cycle: nodes of which each has the next one as
// a parent, and the last one the first.
type Cycle struct{ Nodes []int32 }

// Error implements error.
func (c *Cycle) Error() string { return fmt.Sprintf("a cycle of %d nodes", len(c.Nodes)) }

// links are the edges of each node on one of their sides, in the order of the graph.
type links struct {
	from []int32 // node n has edges[from[n]:from[n+1]]
	edge []int32 // by their position in the graph
}

// of are the edges of a node.
func (l *links) of(node int32) []int32 { return l.edge[l.from[node]:l.from[node+1]] }

// linksBy sorts the edges by a node of them.
func linksBy[W any](g *Graph[W], node func(e *Edge[W]) int32, m *value.Meter) *links {
	sqlstate.Check(m.Grow(4 * (g.Nodes + 1 + len(g.Edges))))
	l := &links{from: make([]int32, g.Nodes+1), edge: make([]int32, len(g.Edges))}
	for i := range g.Edges {
		l.from[node(&g.Edges[i])+1]++
	}
	for n := range g.Nodes {
		l.from[n+1] += l.from[n]
	}
	next := append([]int32(nil), l.from[:g.Nodes]...)
	for i := range g.Edges {
		n := node(&g.Edges[i])
		l.edge[next[n]] = int32(i)
		next[n]++
	}
	sqlstate.Check(m.Check(16 * len(g.Edges)))
	return l
}

func child[W any](e *Edge[W]) int32  { return e.Child }
func parent[W any](e *Edge[W]) int32 { return e.Parent }

// parentsFirst are all nodes, each behind its parents. It fails with *Cycle.
func parentsFirst[W any](g *Graph[W], up, down *links, m *value.Meter) []int32 {
	sqlstate.Check(m.Grow(8 * g.Nodes))
	waits := make([]int32, g.Nodes) // for so many edges to parents
	order := make([]int32, 0, g.Nodes)
	for n := range int32(g.Nodes) {
		if waits[n] = int32(len(up.of(n))); waits[n] == 0 {
			order = append(order, n)
		}
	}
	for at := 0; at < len(order); at++ {
		edges := down.of(order[at])
		sqlstate.Check(m.Check(8 + 8*len(edges)))
		for _, i := range edges {
			c := g.Edges[i].Child
			if waits[c]--; waits[c] == 0 {
				order = append(order, c)
			}
		}
	}
	if len(order) < g.Nodes {
		panic(cycleOf(g, up, waits))
	}
	return order
}

// cycleOf finds a cycle among the nodes that still wait for parents: each of them has a
// parent that does so too. It begins with the least node of it.
func cycleOf[W any](g *Graph[W], up *links, waits []int32) error {
	n := int32(0)
	for waits[n] == 0 {
		n++
	}
	var path []int32
	seen := make(map[int32]int)
	for {
		if at, again := seen[n]; again {
			path = path[at:]
			break
		}
		seen[n] = len(path)
		path = append(path, n)
		for _, i := range up.of(n) {
			if p := g.Edges[i].Parent; waits[p] > 0 {
				n = p
				break
			}
		}
	}
	least := 0
	for i, node := range path {
		if node < path[least] {
			least = i
		}
	}
	return &Cycle{Nodes: append(path[least:len(path):len(path)], path[:least]...)}
}
