package isolation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// dependence says why a transaction stands before another.
type dependence uint8

// The dependences.
const (
	ww dependence = iota // the other replaced what it wrote
	wr                   // the other read what it wrote
	rw                   // the other replaced what it read
	rt                   // it had ended when the other began
)

var dependenceNames = [...]string{"ww", "wr", "rw", "real time"}

// edge leads to a node that stands behind another.
type edge struct {
	to  int
	why dependence
	key string
}

// graph is who stands before whom. The nodes are those of the transactions, by
// number, and behind them moments, which stand between transactions that ended
// before and that began after them.
type graph struct {
	transactions int
	edges        [][]edge
}

func (g *graph) add(from, to int, why dependence, key string) {
	e := edge{to, why, key}
	if from != to && !slices.Contains(g.edges[from], e) {
		g.edges[from] = append(g.edges[from], e)
	}
}

// addTime adds the order of time among the committed transactions.
func (g *graph) addTime(h History) {
	type event struct {
		at    int64
		of    int
		begin bool
	}
	var events []event
	for i := range h {
		if h[i].Committed {
			events = append(events, event{h[i].Begin, i, true}, event{h[i].End, i, false})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	moment := -1
	for _, e := range events {
		if e.begin {
			if moment >= 0 {
				g.add(moment, e.of, rt, "")
			}
			continue
		}
		g.edges = append(g.edges, nil)
		next := len(g.edges) - 1
		g.add(e.of, next, rt, "")
		if moment >= 0 {
			g.add(moment, next, rt, "")
		}
		moment = next
	}
}

// step is an edge of a cycle.
type step struct {
	from int
	edge
}

// path finds the shortest way between two nodes over edges that may be taken; nil
// for none. After an edge of kind rw none of that kind is taken where adjacent is
// false, and neither first nor last.
func (g *graph) path(from, to int, may func(dependence) bool, adjacent bool) []step {
	type state struct {
		node  int
		after bool // an edge rw
	}
	start := state{from, !adjacent}
	came := map[state]step{}
	before := map[state]state{}
	queue := []state{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.node == to && at != start && (adjacent || !at.after) {
			var way []step
			for s := at; ; s = before[s] {
				way = append(way, came[s])
				if before[s] == start {
					slices.Reverse(way)
					return way
				}
			}
		}
		for _, e := range g.edges[at.node] {
			next := state{e.to, e.why == rw && !adjacent}
			if !may(e.why) || at.after && next.after {
				continue
			}
			if _, seen := came[next]; !seen && next != start {
				came[next], before[next] = step{at.node, e}, at
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// cycle finds a cycle through an edge of one of the kinds, over edges that may be
// taken; nil for none.
func (g *graph) cycle(through func(dependence) bool, may func(dependence) bool, adjacent bool) []step {
	component := g.components(func(why dependence) bool { return may(why) || through(why) })
	for from := range g.edges {
		for _, e := range g.edges[from] {
			if !through(e.why) || component[from] != component[e.to] {
				continue
			}
			if way := g.path(e.to, from, may, adjacent); way != nil {
				return append([]step{{from, e}}, way...)
			}
		}
	}
	return nil
}

// describe writes a cycle with its transactions.
func (g *graph) describe(h History, cycle []step) string {
	var text strings.Builder
	for _, s := range cycle {
		if s.from < g.transactions {
			fmt.Fprintf(&text, "\n  T%d %v", s.from, h[s.from].Ops)
		}
		if s.why != rt || s.from < g.transactions {
			fmt.Fprintf(&text, "\n    before, by %s %s,", dependenceNames[s.why], s.key)
		}
	}
	fmt.Fprintf(&text, "\n  T%d", cycle[0].from)
	return text.String()
}

// components numbers the nodes so that those which reach each other, over edges
// that may be taken, have one number: Tarjan's algorithm, without recursion.
func (g *graph) components(may func(dependence) bool) []int {
	n := len(g.edges)
	index, low, component := make([]int, n), make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	type frame struct{ node, edge int }
	next, count := 1, 0
	for root := range n {
		if index[root] != 0 {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.edge == 0 {
				index[v], low[v] = next, next
				next++
				stack, onStack[v] = append(stack, v), true
			}
			descended := false
			for f.edge < len(g.edges[v]) {
				e := g.edges[v][f.edge]
				f.edge++
				switch {
				case !may(e.why):
				case index[e.to] == 0:
					frames = append(frames, frame{e.to, 0})
					descended = true
				case onStack[e.to]:
					low[v] = min(low[v], index[e.to])
				}
				if descended {
					break
				}
			}
			if descended {
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				parent := frames[len(frames)-1].node
				low[parent] = min(low[parent], low[v])
			}
			if low[v] == index[v] {
				for {
					w := stack[len(stack)-1]
					stack, onStack[w] = stack[:len(stack)-1], false
					component[w] = count
					if w == v {
						break
					}
				}
				count++
			}
		}
	}
	return component
}
