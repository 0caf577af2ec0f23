package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// crossElements returns the grouping sets of a GROUP BY list: each combination
// of one set of each element.
func (s *Block) crossElements(elements []sql.GroupElement) ([]algebra.KeySet, error) {
	sets := []algebra.KeySet{0}
	for _, element := range elements {
		own, err := s.elementSets(element)
		if err != nil {
			return nil, err
		}
		if len(sets)*len(own) > maxGroupingSets {
			return nil, tooManySets(s.Sel.GroupBy.Pos)
		}
		cross := make([]algebra.KeySet, 0, len(sets)*len(own))
		for _, a := range sets {
			for _, b := range own {
				cross = append(cross, a|b)
			}
		}
		sets = cross
	}
	return sets, nil
}

func tooManySets(pos sql.Pos) error {
	return value.ErrorAt(int(pos), value.CodeTooComplex, "too many grouping sets present (maximum %d)", maxGroupingSets)
}

// elementSets returns the grouping sets of one element.
func (s *Block) elementSets(element sql.GroupElement) ([]algebra.KeySet, error) {
	switch element := element.(type) {
	case *sql.GroupExprs:
		set, err := s.exprsSet(element)
		return []algebra.KeySet{set}, err
	case *sql.Cube:
		return s.cubeSets(element)
	case *sql.Rollup:
		return s.rollupSets(element)
	case *sql.GroupingSets:
		return s.nestedSets(element)
	}
	return nil, value.Errorf(value.CodeInternal, "unknown kind of GROUP BY element %T", element)
}

// exprsSet is the set of the keys of an expression, a composite, or ().
func (s *Block) exprsSet(g *sql.GroupExprs) (algebra.KeySet, error) {
	var set algebra.KeySet
	for _, e := range g.Exprs {
		k, err := s.groupExpr(e)
		if err != nil {
			return 0, err
		}
		set |= 1 << k
	}
	return set, nil
}

func (s *Block) exprsSets(elements []*sql.GroupExprs) ([]algebra.KeySet, error) {
	sets := make([]algebra.KeySet, len(elements))
	for i, element := range elements {
		var err error
		if sets[i], err = s.exprsSet(element); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// rollupSets returns the prefixes, longest first.
func (s *Block) rollupSets(r *sql.Rollup) ([]algebra.KeySet, error) {
	parts, err := s.exprsSets(r.Elements)
	if err != nil {
		return nil, err
	}
	sets := make([]algebra.KeySet, len(parts)+1)
	for i, part := range parts {
		for k := range len(parts) - i {
			sets[k] |= part
		}
	}
	return sets, nil
}

// cubeSets returns the subsets, in the order of a binary countdown: all elements
// first, the last element varying fastest.
func (s *Block) cubeSets(c *sql.Cube) ([]algebra.KeySet, error) {
	if len(c.Elements) > maxCubeElements {
		return nil, value.ErrorAt(int(c.Pos), "54011", "CUBE is limited to %d elements", maxCubeElements)
	}
	parts, err := s.exprsSets(c.Elements)
	if err != nil {
		return nil, err
	}
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
	return sets, nil
}

// nestedSets returns the sets of all elements one after the other.
func (s *Block) nestedSets(g *sql.GroupingSets) ([]algebra.KeySet, error) {
	if err := s.Enter(g.Pos); err != nil {
		return nil, err
	}
	defer s.Leave()
	var sets []algebra.KeySet
	for _, element := range g.Elements {
		own, err := s.elementSets(element)
		if err != nil {
			return nil, err
		}
		sets = append(sets, own...)
		if len(sets) > maxGroupingSets {
			return nil, tooManySets(g.Pos)
		}
	}
	return sets, nil
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
