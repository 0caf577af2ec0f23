package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// exprSet is a set of expressions.
type exprSet struct {
	few  []algebra.Expr            // all, as long as they are few
	many map[uint64][]algebra.Expr // all by hash, when they are more
}

// fewExprs is how many expressions are compared one by one.
const fewExprs = 8

func newExprSet(exprs []algebra.Expr) exprSet {
	var s exprSet
	for _, e := range exprs {
		s.add(e)
	}
	return s
}

// add reports whether e is new.
func (s *exprSet) add(e algebra.Expr) bool {
	if s.many == nil {
		if algebra.Contains(s.few, e) {
			return false
		}
		if s.few = append(s.few, e); len(s.few) > fewExprs {
			s.many = make(map[uint64][]algebra.Expr)
			for _, known := range s.few {
				h := algebra.Hash(known)
				s.many[h] = append(s.many[h], known)
			}
		}
		return true
	}
	h := algebra.Hash(e)
	if algebra.Contains(s.many[h], e) {
		return false
	}
	s.many[h] = append(s.many[h], e)
	return true
}
