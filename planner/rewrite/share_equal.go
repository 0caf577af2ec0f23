package rewrite

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// shareEqual has equal parts of a plan read one Spool, where that costs less than to compute
// each. Such parts are aggregations, set operations, and joins that leave few of the rows that
// they read: anything else is woven into what reads it. A join stays that a LIMIT may end early,
// and so do parts of which joins make the same hash table, which is made once without.
func (c *context) shareEqual(n algebra.Node) algebra.Node {
	f := &equalFinder{context: c, seen: make(map[algebra.Node]bool), shared: make(map[algebra.Node]bool), by: make(map[algebra.Node]algebra.Node)}
	f.visit(n, reader{left: 1})
	for i := range f.parts {
		if equal, plan := f.equalTo(i); f.sharingPays(equal, plan) {
			f.share(equal, plan)
		}
	}
	if len(f.by) == 0 {
		return n
	}
	return f.replace(n)
}

// An equalFinder finds equal parts of a plan.
type equalFinder struct {
	*context
	seen   map[algebra.Node]bool
	parts  []planPart                    // those above before those below
	shared map[algebra.Node]bool         // nodes of parts that read a Spool
	by     map[algebra.Node]algebra.Node // what takes the place of a node, so that one that is shared stays one
}

// planPart is a part of a plan that may be equal to another one.
type planPart struct {
	reader
	node  algebra.Node
	nodes int
}

// A reader is what is known of the nodes above one.
type reader struct {
	left  float64           // how much of the rows their joins leave
	early bool              // a LIMIT may need some of the rows alone
	table []algebra.JoinKey // of the join that makes a hash table of the rows
}

// visit notes the parts of a plan that is read by nodes above.
func (f *equalFinder) visit(n algebra.Node, by reader) {
	if f.seen[n] {
		return
	}
	f.opts.Meter.Must(nodeWork)
	f.seen[n] = true
	if _, ok := n.(*algebra.Join); !(ok && by.early) && f.worthSharing(n) {
		f.parts = append(f.parts, planPart{reader: by, node: n, nodes: countNodes(n)})
	}
	for i, in := range algebra.Inputs(n) {
		f.visit(in, f.below(n, i, by))
	}
}

// below is what is known of the nodes above input i of a node. Rows that an inner join drops a
// reduction may drop before.
func (f *equalFinder) below(n algebra.Node, i int, by reader) reader {
	below := reader{left: by.left, early: by.early}
	switch n := n.(type) {
	case *algebra.Limit:
		below.early = true
	case *algebra.Aggregate, *algebra.Sort, *algebra.Window:
		below.early = false
	case *algebra.Join:
		if n.Kind == algebra.JoinInner {
			below.left *= min(f.est.Rows(n)/max(f.est.Rows(algebra.Inputs(n)[i]), 1), 1)
		}
		if i == 1 {
			below.early, below.table = false, n.Keys
		}
	}
	return below
}

// equalTo returns the parts that are equal to part i, itself the first, and a plan that has the
// columns of all.
func (f *equalFinder) equalTo(i int) (equal []planPart, plan algebra.Node) {
	first := f.parts[i]
	if f.shared[first.node] {
		return nil, nil
	}
	equal, plan = []planPart{first}, first.node
	for _, p := range f.parts[i+1:] {
		if p.nodes != first.nodes || f.shared[p.node] {
			continue
		}
		f.opts.Meter.Must(nodeWork)
		if wider, ok := algebra.Widen(plan, p.node); ok {
			equal, plan = append(equal, p), wider
		}
	}
	return equal, plan
}

// sharingPays reports whether it costs less to compute a plan once than each of the parts that
// are equal to it.
func (f *equalFinder) sharingPays(equal []planPart, plan algebra.Node) bool {
	differs := func(p planPart) bool { return !sameTable(equal[0], p) }
	if len(equal) < 2 || f.copied+equal[0].nodes > maxCopied || !slices.ContainsFunc(equal, differs) {
		return false
	}
	once, each := f.cost(plan)+float64(len(equal))*f.kept(plan), 0.0
	for _, p := range equal {
		read := f.scanned(p.node)
		each += read + (f.cost(p.node)-read)*p.left
	}
	return f.onceOrEach(fmt.Sprintf("a part of the plan that stands %d times", len(equal)), f.est.Rows(plan), once, each)
}

// scanned is what reading the tables of a plan costs.
func (f *equalFinder) scanned(n algebra.Node) float64 {
	cost := 0.0
	algebra.Walk(n, func(n algebra.Node) bool {
		if _, ok := n.(*algebra.Scan); ok {
			cost += f.cost(n)
		}
		return true
	})
	return cost
}

// sameTable reports whether joins make the same hash table of two parts that are equal.
func sameTable(a, b planPart) bool {
	wider, _ := algebra.Widen(a.node, b.node)
	columns, _ := algebra.Match(wider, b.node)
	refs := make(map[algebra.ColumnID]algebra.Expr, len(columns))
	for id, c := range columns {
		refs[id] = c.Ref()
	}
	return len(a.table) > 0 && slices.EqualFunc(a.table, b.table, func(x, y algebra.JoinKey) bool {
		return x.NullSafe == y.NullSafe && algebra.Equal(x.Right, algebra.Substitute(y.Right, refs))
	})
}

// share has equal parts read a Spool of a plan.
func (f *equalFinder) share(equal []planPart, plan algebra.Node) {
	once, copied := f.clone(plan)
	f.lastID++
	id, made := f.lastID, once.Columns()
	for _, p := range equal {
		columns, _ := algebra.Match(plan, p.node)
		spool := &algebra.Spool{ID: id, Input: once, Cols: p.node.Columns(), Apart: true}
		for _, c := range spool.Cols {
			of := copied.of(columns[c.ID]).ID
			spool.Ordinals = append(spool.Ordinals, slices.IndexFunc(made, func(c algebra.Column) bool { return c.ID == of }))
		}
		f.by[p.node] = spool
		algebra.Walk(p.node, func(n algebra.Node) bool {
			f.shared[n] = true
			return true
		})
	}
}

// replace rebuilds a plan over the Spools.
func (f *equalFinder) replace(n algebra.Node) algebra.Node {
	if f.by[n] == nil {
		f.by[n] = algebra.MapInputs(n, f.replace)
	}
	return f.by[n]
}
