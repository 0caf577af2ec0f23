package store

import (
	"cmp"
	"slices"

	"github.com/tidwall/btree"

	"github.com/cubeloom/cubeloom/runtime"
)

// hierarchyIndex is the edges of a hierarchy by their ends. Versions share what they have in
// common: nodes are replaced and never changed.
type hierarchyIndex[K cmp.Ordered, W comparable] struct {
	nodes *btree.Map[K, *indexNode[K, W]]
	held  *runtime.Hold
}

// indexNode is an element.
type indexNode[K cmp.Ordered, W comparable] struct {
	up   []indexEdge[K, W]  // to its parents
	down *btree.Map[K, int] // edges from each child; nil: none
	rows int                // of the table of elements
}

type indexEdge[K cmp.Ordered, W comparable] struct {
	parent K
	weight W
}

// hierarchyEdge is an edge as the table has it.
type hierarchyEdge[K cmp.Ordered, W comparable] struct {
	child K
	indexEdge[K, W]
}

// Bytes that an index takes, about, for an element and an edge.
const (
	indexNodeBytes = 160
	indexEdgeBytes = 120
)

// copied is an index that can be changed, as large as one of some elements and edges.
func (x *hierarchyIndex[K, W]) copied(account *runtime.Account, elements, edges int64) (*hierarchyIndex[K, W], error) {
	held, err := account.Hold(elements*indexNodeBytes + edges*indexEdgeBytes)
	return &hierarchyIndex[K, W]{nodes: x.nodes.Copy(), held: held}, err
}

// change replaces a node by a changed copy.
func (x *hierarchyIndex[K, W]) change(k K, by func(n *indexNode[K, W]) bool) bool {
	var n indexNode[K, W]
	if old, ok := x.nodes.Get(k); ok {
		n = *old
	}
	ok := by(&n)
	x.nodes.Set(k, &n)
	return ok
}

// add adds an edge.
func (x *hierarchyIndex[K, W]) add(e *hierarchyEdge[K, W]) {
	x.change(e.child, func(n *indexNode[K, W]) bool {
		n.up = append(slices.Clip(n.up), e.indexEdge)
		return true
	})
	x.change(e.parent, func(n *indexNode[K, W]) bool { return n.child(e.child, 1) })
}

// remove removes an edge; ok is false where there is none.
func (x *hierarchyIndex[K, W]) remove(e *hierarchyEdge[K, W]) (ok bool) {
	return x.change(e.child, func(n *indexNode[K, W]) bool {
		at := slices.Index(n.up, e.indexEdge)
		if at >= 0 {
			n.up = slices.Concat(n.up[:at], n.up[at+1:])
		}
		return at >= 0
	}) && x.change(e.parent, func(n *indexNode[K, W]) bool { return n.child(e.child, -1) })
}

// child adds to the number of edges from a child; ok is false where there are fewer.
func (n *indexNode[K, W]) child(k K, more int) (ok bool) {
	var down *btree.Map[K, int]
	if n.down == nil {
		down = new(btree.Map[K, int])
	} else {
		down = n.down.Copy()
	}
	count, _ := down.Get(k)
	if count += more; count > 0 {
		down.Set(k, count)
	} else {
		down.Delete(k)
	}
	if n.down = down; down.Len() == 0 {
		n.down = nil
	}
	return count >= 0
}

// loose reports whether no edge names the element.
func (n *indexNode[K, W]) loose() bool { return len(n.up) == 0 && n.down == nil }
