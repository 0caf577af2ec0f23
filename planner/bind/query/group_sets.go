package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// crossElements returns the grouping sets of a GROUP BY list: each combination
// of one set of each element.
func (s *Block) crossElements(elements []sql.GroupElement) []algebra.KeySet {
	sets := []algebra.KeySet{0}
	for _, element := range elements {
		own := s.elementSets(element)
		if len(sets)*len(own) > maxGroupingSets {
			panic(tooManySets(s.Sel.GroupBy.Pos))
		}
		cross := make([]algebra.KeySet, 0, len(sets)*len(own))
		for _, a := range sets {
			for _, b := range own {
				cross = append(cross, a|b)
			}
		}
		sets = cross
	}
	return sets
}

func tooManySets(pos sql.Pos) error {
	return value.ErrorAt(int(pos), value.CodeTooComplex, "too many grouping sets present (maximum %d)", maxGroupingSets)
}

// elementSets returns the grouping sets of one element.
func (s *Block) elementSets(element sql.GroupElement) []algebra.KeySet {
	switch element := element.(type) {
	case *sql.GroupExprs:
		set := s.exprsSet(element)
		return []algebra.KeySet{set}
	case *sql.Cube:
		return s.cubeSets(element)
	case *sql.Rollup:
		return s.rollupSets(element)
	case *sql.GroupingSets:
		return s.nestedSets(element)
	}
	panic(value.Errorf(value.CodeInternal, "unknown kind of GROUP BY element %T", element))
}

// exprsSet is the set of the keys of an expression, a composite, or ().
func (s *Block) exprsSet(g *sql.GroupExprs) algebra.KeySet {
	var set algebra.KeySet
	for _, e := range g.Exprs {
		k := s.groupExpr(e)
		set |= 1 << k
	}
	return set
}

// rollupSets returns the prefixes, longest first.
func (s *Block) rollupSets(r *sql.Rollup) []algebra.KeySet {
	parts := lists.Map(r.Elements, s.exprsSet)
	sets := make([]algebra.KeySet, len(parts)+1)
	for i, part := range parts {
		for k := range len(parts) - i {
			sets[k] |= part
		}
	}
	return sets
}

// cubeSets returns the subsets, in the order of a binary countdown: all elements
// first, the last element varying fastest.
func (s *Block) cubeSets(c *sql.Cube) []algebra.KeySet {
	if len(c.Elements) > maxCubeElements {
		panic(value.ErrorAt(int(c.Pos), "54011", "CUBE is limited to %d elements", maxCubeElements))
	}
	parts := lists.Map(c.Elements, s.exprsSet)
	n := len(parts)
	sets := make([]algebra.KeySet, 0, 1<<n)
	for chosen := 1<<n - 1; chosen >= 0; chosen-- {
		var set algebra.KeySet
		for i, part := range parts {
			if chosen&(1<<(n-1-i)) != 0 {
				set |= part
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// nestedSets returns the sets of all elements one after the other.
func (s *Block) nestedSets(g *sql.GroupingSets) []algebra.KeySet {
	s.Enter(g.Pos)
	defer s.Leave()
	var sets []algebra.KeySet
	for _, element := range g.Elements {
		own := s.elementSets(element)
		sets = append(sets, own...)
		if len(sets) > maxGroupingSets {
			panic(tooManySets(g.Pos))
		}
	}
	return sets
}

// distinctSets drops the repetitions of GROUP BY DISTINCT.
func distinctSets(sets []algebra.KeySet) []algebra.KeySet {
	seen := make(map[algebra.KeySet]bool, len(sets))
	var distinct []algebra.KeySet
	for _, set := range sets {
		if !seen[set] {
			seen[set] = true
			distinct = append(distinct, set)
		}
	}
	return distinct
}
