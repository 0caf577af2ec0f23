package closure

import "github.com/cubeloom/cubeloom/sql/value"

// Place is where a node stands in a graph.
type Place struct {
	Level    int32 // the fewest edges to a node without parents
	Children int32 // how many nodes have it as a parent
	Position int32 // from 1, depth first: nodes without parents and children by ascending node, each at its first visit
}

// Walk finds the place of each node of a graph without cycles.
func Walk[W any](g *Graph[W], m *value.Meter) ([]Place, error) {
	up, err := linksBy(g, child[W], m)
	if err != nil {
		return nil, err
	}
	down, err := childrenOf(g, up, m)
	if err != nil {
		return nil, err
	}
	if err := m.Grow(20*g.Nodes + 4*len(g.Edges)); err != nil {
		return nil, err
	}
	w := &walk{down: down, meter: m, places: make([]Place, g.Nodes)}
	var roots []int32
	for n := range int32(g.Nodes) {
		if len(up.of(n)) == 0 {
			roots = append(roots, n)
		}
	}
	if err := w.levels(roots); err != nil {
		return nil, err
	}
	return w.places, w.depthFirst(roots)
}

// childrenOf are the children of each node, ascending and each once: from and edge are
// those of links, but with nodes in the place of edges.
func childrenOf[W any](g *Graph[W], up *links, m *value.Meter) (*links, error) {
	byParent := &Graph[struct{}]{Nodes: g.Nodes}
	if err := m.Grow(8 * len(g.Edges)); err != nil {
		return nil, err
	}
	last := make([]int32, g.Nodes) // the child, plus one, that a parent was last met from
	for n := range int32(g.Nodes) {
		for _, i := range up.of(n) {
			if p := g.Edges[i].Parent; last[p] != n+1 {
				last[p] = n + 1
				byParent.Edges = append(byParent.Edges, Edge[struct{}]{Child: n, Parent: p})
			}
		}
	}
	down, err := linksBy(byParent, parent[struct{}], m)
	if err != nil {
		return nil, err
	}
	for at, i := range down.edge {
		down.edge[at] = byParent.Edges[i].Child
	}
	return down, nil
}

// walk goes from parents to children.
type walk struct {
	down   *links // children in the place of edges
	meter  *value.Meter
	places []Place
}

// levels goes breadth first.
func (w *walk) levels(roots []int32) error {
	seen := make([]bool, len(w.places))
	for _, n := range roots {
		seen[n] = true
	}
	queue := append([]int32(nil), roots...)
	for at := 0; at < len(queue); at++ {
		n := queue[at]
		children := w.down.of(n)
		if err := w.meter.Check(8 + 8*len(children)); err != nil {
			return err
		}
		w.places[n].Children = int32(len(children))
		for _, c := range children {
			if !seen[c] {
				seen[c] = true
				w.places[c].Level = w.places[n].Level + 1
				queue = append(queue, c)
			}
		}
	}
	return nil
}

// depthFirst numbers the nodes.
func (w *walk) depthFirst(roots []int32) error {
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
		if err := w.meter.Check(8 + 8*len(children)); err != nil {
			return err
		}
		push(children)
	}
	return nil
}
