package rewrite

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// keyClass is a set of columns of a group that its keys make equal, one column
// of each relation at most. Relations of a class can be joined by it in any
// order: of a = b and b = c follows a = c.
type keyClass struct {
	rels    relSet
	members []classMember
}

// classMember is a column of a class.
type classMember struct {
	rel      int
	col      algebra.Column
	rows     float64 // of the relation
	distinct float64
}

// pairCorrection says how much more rows two relations have when they are
// joined by several classes than if the classes were independent.
type pairCorrection struct {
	rels   relSet
	factor float64
}

// filtering is a semi or anti join in a group: it can be applied to any set of
// relations that has those that its conditions refer to.
type filtering struct {
	join  *algebra.Join
	needs relSet
	share float64 // of the rows that it keeps
}

// relSet is a set of the relations of a group.
type relSet uint64

func (s relSet) subsetOf(t relSet) bool { return s&^t == 0 }

// joinGraph is a group of inner joins taken apart: relations, and the
// predicates that connect them. The right side of a semi or anti join is a
// relation too, with an entry in filters, and only ever the right side.
type joinGraph struct {
	est     *estimate.Estimator
	rels    []algebra.Node
	props   []*estimate.Props
	preds   []predicate // but for those that became classes
	classes []keyClass
	cols    []algebra.ColSet
	filters map[int]*filtering

	corrections []pairCorrection
	unique      relSet // relations that are joined by a key of theirs
	arrays      relSet // those of them whose table is an array by the key
}

// predicate is a condition on some relations.
type predicate struct {
	cond  algebra.Expr // nil for a key
	key   algebra.JoinKey
	left  relSet // of a key: the relations of each side
	right relSet
	rels  relSet
	share float64
}

// side returns the properties under which a key is guessed: those of its
// relation, where it is of one.
func (g *joinGraph) side(rels relSet, all *estimate.Props) *estimate.Props {
	if bits.OnesCount64(uint64(rels)) == 1 {
		return g.props[bits.TrailingZeros64(uint64(rels))]
	}
	return all
}

func (g *joinGraph) relsOf(e algebra.Expr) relSet {
	refs := algebra.References(e)
	var s relSet
	for i, cols := range g.cols {
		if refs.Intersects(cols) {
			s |= 1 << i
		}
	}
	return s
}

// joined is a way to join a set of relations.
type joined struct {
	node  algebra.Node
	rels  relSet
	rows  float64
	cost  float64
	left  relSet // how it was made; 0 for a single relation
	right relSet
}
