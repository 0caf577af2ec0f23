package store

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/tidwall/btree"

	"github.com/cubeloom/cubeloom/runtime/store/closure"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// follow makes the rows; ok is false where all of them are to be computed: because too
// many change, or as that says what is wrong.
func follow[K cmp.Ordered, W comparable](e *elements[K], weights *weightKind[W]) (t *Table, ok bool, err error) {
	f := &follower[K, W]{elements: e, weights: weights, touched: map[K]bool{}}
	if !f.sameTables() {
		return nil, false, nil
	}
	edges, ids, ok, err := f.differences()
	if err != nil || !ok {
		return nil, false, err
	}
	if err := f.begin(edges, ids); err != nil {
		return nil, false, err
	}
	if !f.apply(edges, ids) {
		return nil, false, nil
	}
	below, ok, err := f.below()
	if err != nil || !ok {
		return nil, false, err
	}
	rows, err := f.compute(below)
	var cycle *closure.Cycle
	var overflow *closure.Overflow
	if errors.As(err, &cycle) || errors.As(err, &overflow) {
		return nil, false, nil
	}
	if err == nil {
		t, err = f.rewrite(rows)
	}
	if err != nil {
		return nil, false, err
	}
	e.index = f.index
	return t, true, nil
}

// sameTables reports whether the old rows were made of tables with the same columns.
func (f *follower[K, W]) sameTables() bool {
	for i, t := range []*Table{f.edges, f.on} {
		was, _ := f.old.of[i].(*Table)
		if f.was[i] = was; (was == nil) != (t == nil) || t != nil && !slices.Equal(was.def.Columns, t.def.Columns) {
			return false
		}
	}
	return f.old.relation != nil
}

// differences are the rows in which the tables differ; ok is false where those may be many.
func (f *follower[K, W]) differences() (edges *tableDiff[hierarchyEdge[K, W]], ids *tableDiff[K], ok bool, err error) {
	was, is, ok := fewChanges(f.was[0], f.edges, f.edgeColumns())
	if !ok {
		return nil, nil, false, nil
	}
	before, err := edgesOf(f.elements, f.weights, f.was[0], was)
	if err != nil {
		return nil, nil, false, err
	}
	after, err := edgesOf(f.elements, f.weights, f.edges, is)
	if err != nil {
		return nil, nil, false, err
	}
	edges, ids = differing(before, after), differing[K](nil, nil)
	if f.on == nil {
		return edges, ids, true, nil
	}
	if was, is, ok = fewChanges(f.was[1], f.on, []int{f.id}); !ok {
		return nil, nil, false, nil
	}
	gone, err := idsOf(f.elements, f.was[1], was)
	if err != nil {
		return nil, nil, false, err
	}
	come, err := idsOf(f.elements, f.on, is)
	return edges, differing(gone, come), true, err
}

// begin copies the index of the old version, or makes one where there is none.
func (f *follower[K, W]) begin(edges *tableDiff[hierarchyEdge[K, W]], ids *tableDiff[K]) (err error) {
	size := int64(len(edges.order))
	if index, ok := f.old.index.(*hierarchyIndex[K, W]); ok {
		f.index, err = index.copied(f.account, int64(index.nodes.Len())+size+int64(len(ids.order)), f.edges.rows)
		return err
	}
	none := &hierarchyIndex[K, W]{nodes: new(btree.Map[K, *indexNode[K, W]])}
	if f.index, err = none.copied(f.account, f.was[0].rows+size, f.was[0].rows+size); err != nil {
		return err
	}
	all, err := edgesOf(f.elements, f.weights, f.was[0], allBlocks(f.was[0]))
	if err != nil {
		return err
	}
	nodes := make(map[K]*indexNode[K, W])
	at := func(k K) *indexNode[K, W] {
		n := nodes[k]
		if n == nil {
			n = &indexNode[K, W]{}
			nodes[f.kind.keep(k)] = n
		}
		return n
	}
	if f.on != nil {
		list, err := idsOf(f.elements, f.was[1], allBlocks(f.was[1]))
		if err != nil {
			return err
		}
		for _, k := range list {
			at(k).rows++
		}
	}
	for i := range all {
		e := f.kept(&all[i])
		child, parent := at(e.child), at(e.parent)
		child.up = append(child.up, e.indexEdge)
		if parent.down == nil {
			parent.down = new(btree.Map[K, int])
		}
		count, _ := parent.down.Get(e.child)
		parent.down.Set(e.child, count+1)
	}
	for _, k := range slices.Sorted(maps.Keys(nodes)) {
		f.index.nodes.Set(k, nodes[k])
	}
	return nil
}

// kept is an edge that does not depend on the chunk that it was read from.
func (f *follower[K, W]) kept(e *hierarchyEdge[K, W]) *hierarchyEdge[K, W] {
	e.child, e.parent = f.kind.keep(e.child), f.kind.keep(e.parent)
	return e
}

// apply changes the index; ok is false where an edge leads to an element that there is not.
func (f *follower[K, W]) apply(edges *tableDiff[hierarchyEdge[K, W]], ids *tableDiff[K]) (ok bool) {
	met := map[K]bool{}
	ids.each(func(k K, more int) bool {
		k = f.kind.keep(k)
		met[k] = true
		return f.index.change(k, func(n *indexNode[K, W]) bool { n.rows += more; return true })
	})
	ok = edges.each(func(e hierarchyEdge[K, W], more int) bool {
		f.kept(&e)
		met[e.parent], f.touched[e.child] = true, true
		for ; more > 0; more-- {
			f.index.add(&e)
		}
		for ; more < 0; more++ {
			if !f.index.remove(&e) {
				return false
			}
		}
		return true
	})
	for k := range f.touched {
		met[k] = true
	}
	for k := range met {
		n, _ := f.index.nodes.Get(k)
		switch {
		case f.on != nil && n.rows <= 0 && !n.loose():
			return false
		case f.on != nil && n.rows <= 0, f.on == nil && n.loose():
			f.index.nodes.Delete(k)
			f.touched[k] = true
		case !f.rowsOf(k).found:
			f.touched[k] = true
		}
	}
	return ok
}

// below are the elements whose rows change; ok is false where these are too many.
func (f *follower[K, W]) below() (list []K, ok bool, err error) {
	most := f.index.nodes.Len()/2 + 1
	seen := map[K]bool{}
	for k := range f.touched {
		if _, there := f.index.nodes.Get(k); there {
			seen[k] = true
			list = append(list, k)
		}
	}
	for at := 0; at < len(list) && len(list) <= most; at++ {
		n, _ := f.index.nodes.Get(list[at])
		if n.down == nil {
			continue
		}
		n.down.Scan(func(child K, _ int) bool {
			if err = f.meter.Check(64); err == nil && !seen[child] {
				seen[child] = true
				list = append(list, child)
				err = f.meter.Grow(2 * elementBytes)
			}
			return err == nil && len(list) <= most
		})
		if err != nil {
			return nil, false, err
		}
	}
	return list, len(list) <= most, nil
}

// compute finds the rows of elements, and of those that are touched and gone, which have
// none.
func (f *follower[K, W]) compute(below []K) (_ map[K][]keyedRow[K, W], err error) {
	defer sqlstate.Catch(&err)
	known := map[K][]keyedRow[K, W]{} // of the parents of those that change
	number := map[K]int32{}
	var keys []K
	meet := func(k K) {
		if _, met := number[k]; !met {
			number[k] = -1
			keys = append(keys, k)
		}
	}
	for _, k := range below {
		meet(k)
	}
	changed := len(keys)
	isBelow := func(k K) bool { n, met := number[k]; return met && n == -1 }
	for _, k := range keys[:changed] {
		n, _ := f.index.nodes.Get(k)
		for _, e := range n.up {
			if isBelow(e.parent) || known[e.parent] != nil {
				continue
			}
			known[e.parent] = f.read(e.parent)
		}
	}
	for p, rows := range known {
		meet(p)
		for i := range rows {
			meet(rows[i].element)
		}
	}
	slices.Sort(keys)
	for i, k := range keys {
		number[k] = int32(i)
	}
	g := &closure.Graph[W]{Nodes: len(keys), Known: make([][]closure.Row[W], len(keys))}
	for i := range g.Known {
		g.Known[i] = []closure.Row[W]{}
	}
	for p, rows := range known {
		list := make([]closure.Row[W], len(rows))
		for i, r := range rows {
			list[i] = closure.Row[W]{Node: number[r.element], Distance: r.distance, Weight: r.weight}
		}
		g.Known[number[p]] = list
	}
	for _, k := range below {
		n, _ := f.index.nodes.Get(k)
		g.Known[number[k]] = nil
		for _, e := range n.up {
			g.Edges = append(g.Edges, closure.Edge[W]{Child: number[k], Parent: number[e.parent], Weight: e.weight})
		}
	}
	c := sqlstate.Must(closure.Compute(g, f.weights.by, f.meter))
	out := make(map[K][]keyedRow[K, W], len(f.touched)+len(below))
	for k := range f.touched {
		out[k] = nil
	}
	for _, k := range below {
		for _, r := range c.Of(int(number[k])) {
			out[k] = append(out[k], keyedRow[K, W]{keys[r.Node], r.Weight, r.Distance})
		}
	}
	return out, nil
}
