package algebra

import "slices"

// Contains reports whether an expression is among others.
func Contains(exprs []Expr, e Expr) bool {
	return slices.ContainsFunc(exprs, func(x Expr) bool { return Equal(x, e) })
}

// Equal reports whether two expressions are the same: the same functions of the
// same columns and constants. Positions do not matter.
func Equal(a, b Expr) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	switch a := a.(type) {
	case *Const:
		b, ok := b.(*Const)
		return ok && a.Typ == b.Typ && a.Val == b.Val
	case *ColumnRef:
		b, ok := b.(*ColumnRef)
		return ok && a.Column.ID == b.Column.ID
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Func == b.Func && a.Typ == b.Typ && equalAll(a.Args, b.Args)
	case *Case:
		b, ok := b.(*Case)
		return ok && a.Typ == b.Typ && equalWhens(a.Whens, b.Whens) && Equal(a.Else, b.Else)
	case *Subquery:
		b, ok := b.(*Subquery)
		return ok && a.ID == b.ID
	}
	return false
}

func equalAll(a, b []Expr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalWhens(a, b []When) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i].Cond, b[i].Cond) || !Equal(a[i].Then, b[i].Then) {
			return false
		}
	}
	return true
}

// Hash is a hash of an expression: equal expressions have equal hashes.
func Hash(e Expr) uint64 {
	const prime = 1099511628211
	switch e := e.(type) {
	case *Const:
		h := uint64(e.Val.Kind)*prime ^ uint64(e.Val.I) ^ e.Val.Num.Coef.Lo
		for i := range len(e.Val.S) {
			h = (h ^ uint64(e.Val.S[i])) * prime
		}
		return h
	case *ColumnRef:
		return uint64(e.Column.ID)*prime + 7
	case *Call:
		h := uint64(len(e.Args)) + 31
		for i := range len(e.Func) {
			h = (h ^ uint64(e.Func[i])) * prime
		}
		for _, arg := range e.Args {
			h = (h ^ Hash(arg)) * prime
		}
		return h
	case *Case:
		h := uint64(len(e.Whens)) + 77
		for _, when := range e.Whens {
			h = (h ^ Hash(when.Cond) ^ Hash(when.Then)<<1) * prime
		}
		if e.Else != nil {
			h = (h ^ Hash(e.Else)) * prime
		}
		return h
	case *Subquery:
		return uint64(e.ID)*prime + 13
	}
	return 0
}
