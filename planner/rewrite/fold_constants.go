package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// foldConstants computes what does not depend on a row and simplifies logic.
// An expression whose evaluation fails is left for the run to fail on, since
// it may never be evaluated.
//
//	before: filter a > 1 + 1 AND 2 < 3
//	after:  filter a > 2
//	never:  1 / (a - a): whether it raises is for the run to find out
func foldConstants(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		n = algebra.MapExprs(n, c.fold)
		switch n := n.(type) {
		case *algebra.Filter:
			return foldFilter(n)
		case *algebra.Join:
			return foldJoin(n)
		}
		return n
	})
}

func (c *context) fold(e algebra.Expr) algebra.Expr { return algebra.RewriteExpr(e, c.foldOnce) }

// foldOnce simplifies an expression whose operands are simple already.
func (c *context) foldOnce(e algebra.Expr) algebra.Expr {
	switch e := e.(type) {
	case *algebra.Call:
		return c.foldCall(e)
	case *algebra.Case:
		return c.foldCase(e)
	}
	return e
}

func (c *context) foldCall(e *algebra.Call) algebra.Expr {
	c.opts.Meter.Must(len(e.Args) + exprWork)
	if allConstant(e.Args) {
		if k, err := eval.Fold(c.opts.Meter, e); k != nil && err == nil {
			return k
		}
		return e
	}
	switch e.Func {
	case algebra.And, algebra.Or:
		return foldConnective(e)
	case algebra.Not:
		return foldNot(e)
	case algebra.IsNull:
		if !algebra.CanBeNull(e.Args[0]) && !algebra.MayRaise(e.Args[0], nil) {
			return boolConst(false)
		}
		return e
	case algebra.In:
		return c.foldIn(e)
	case algebra.Cast:
		return foldCast(e)
	case algebra.IsTrue, algebra.IsFalse, algebra.Distinct:
		return e
	}
	for _, arg := range e.Args {
		if isNull(arg) {
			return &algebra.Const{Typ: e.Typ} // whatever the others are
		}
	}
	if mirrored, ok := mirror[e.Func]; ok {
		folded, again := foldComparison(e, mirrored)
		if again {
			return c.foldOnce(folded)
		}
		return folded
	}
	return e
}

// foldCast drops the casts of a timestamp with time zone to one without and back, or the
// other way round. A zone other than UTC is a routine's argument, not a cast's.
func foldCast(e *algebra.Call) algebra.Expr {
	inner, ok := e.Args[0].(*algebra.Call)
	if !ok || inner.Func != algebra.Cast || inner.Args[0].Type() != e.Typ {
		return e
	}
	if from := inner.Typ; e.Typ == algebra.TTimestamp && from == algebra.TTimestampTZ || e.Typ == algebra.TTimestampTZ && from == algebra.TTimestamp {
		return inner.Args[0]
	}
	return e
}

// exprWork is what looking at an expression costs, in bytes looked at.
const exprWork = 256

// foldConnective flattens AND and OR, drops operands that change nothing and
// repetitions, and stops at one that decides.
func foldConnective(e *algebra.Call) algebra.Expr {
	idle := e.Func == algebra.And
	args := make([]algebra.Expr, 0, len(e.Args))
	changed := false
	for _, arg := range e.Args {
		if inner, ok := arg.(*algebra.Call); ok && inner.Func == e.Func {
			args, changed = append(args, inner.Args...), true
			continue
		}
		args = append(args, arg)
	}
	var kept []algebra.Expr
	var seen exprSet
	for _, arg := range args {
		switch {
		case isBool(arg, !idle):
			return boolConst(!idle)
		case isBool(arg, idle), !seen.add(arg):
			changed = true
		default:
			kept = append(kept, arg)
		}
	}
	if e.Func == algebra.Or {
		if in := mergeEqualities(kept); len(in) < len(kept) {
			kept, changed = in, true
		}
	}
	switch {
	case len(kept) == 0:
		return boolConst(idle)
	case len(kept) == 1:
		return kept[0]
	case !changed:
		return e
	}
	c := *e
	c.Args = kept
	return &c
}

// mergeEqualities makes one IN of the operands of an OR that compare the same
// expression with constants.
func mergeEqualities(args []algebra.Expr) []algebra.Expr {
	var out []algebra.Expr
	lists := make(map[uint64][]int)       // places in out of comparisons, by the hash of what they compare
	merged := make(map[int]*algebra.Call) // those that were made here, and may grow
	for _, arg := range args {
		subject, consts, ok := equalities(arg)
		if !ok {
			out = append(out, arg)
			continue
		}
		h := algebra.Hash(subject)
		at := -1
		for _, i := range lists[h] {
			if algebra.Equal(out[i].(*algebra.Call).Args[0], subject) {
				at = i
			}
		}
		if at < 0 {
			lists[h] = append(lists[h], len(out))
			out = append(out, arg)
			continue
		}
		if in := merged[at]; in != nil {
			in.Args = append(in.Args, consts...)
			continue
		}
		args := append(append([]algebra.Expr(nil), out[at].(*algebra.Call).Args...), consts...)
		merged[at] = newCall(algebra.In, args...)
		out[at] = merged[at]
	}
	return out
}

// equalities reads x = c and x IN (c, …).
func equalities(e algebra.Expr) (subject algebra.Expr, consts []algebra.Expr, ok bool) {
	call, ok := e.(*algebra.Call)
	if !ok || call.Func != algebra.Eq && call.Func != algebra.In || !allConstant(call.Args[1:]) {
		return nil, nil, false
	}
	return call.Args[0], call.Args[1:], true
}

var negated = map[algebra.Func]algebra.Func{
	algebra.Eq: algebra.Ne, algebra.Ne: algebra.Eq, algebra.Lt: algebra.Ge,
	algebra.Ge: algebra.Lt, algebra.Gt: algebra.Le, algebra.Le: algebra.Gt,
}

func foldNot(e *algebra.Call) algebra.Expr {
	inner, ok := e.Args[0].(*algebra.Call)
	if !ok {
		return e
	}
	if inner.Func == algebra.Not {
		return inner.Args[0]
	}
	if f, ok := negated[inner.Func]; ok {
		c := *inner
		c.Func = f
		return &c
	}
	return e
}

func (c *context) foldIn(e *algebra.Call) algebra.Expr {
	if isNull(e.Args[0]) {
		return &algebra.Const{Typ: algebra.TBool}
	}
	kept := e.Args[:1:1]
	var seen exprSet
	for _, arg := range e.Args[1:] {
		if seen.add(arg) {
			kept = append(kept, arg)
		}
	}
	if len(kept) == 2 {
		return c.foldOnce(newCall(algebra.Eq, kept...))
	}
	if len(kept) == len(e.Args) {
		return unwrapIn(e)
	}
	return unwrapIn(newCall(algebra.In, kept...))
}

// foldCase drops arms that are never taken and what stands behind one that
// always is.
func (c *context) foldCase(e *algebra.Case) algebra.Expr {
	folded := &algebra.Case{Else: e.Else, Typ: e.Typ}
	for _, when := range e.Whens {
		if isBool(when.Cond, false) || isNull(when.Cond) {
			continue
		}
		if isBool(when.Cond, true) {
			folded.Else = when.Then
			break
		}
		folded.Whens = append(folded.Whens, when)
	}
	switch {
	case len(folded.Whens) > 0 && len(folded.Whens) == len(e.Whens):
		return e
	case len(folded.Whens) > 0:
		return folded
	case folded.Else == nil:
		return &algebra.Const{Typ: e.Typ}
	case folded.Else.Type() != e.Typ: // a text of limited length
		return c.foldOnce(&algebra.Call{Func: algebra.Cast, Args: []algebra.Expr{folded.Else}, Typ: e.Typ, Pos: value.NoPos})
	}
	return folded.Else
}

// foldFilter flattens the conditions and drops those that are true. A filter
// that nothing passes becomes an empty relation.
func foldFilter(n *algebra.Filter) algebra.Node {
	conds, never := foldConditions(n.Conds)
	switch {
	case never:
		return &algebra.Values{Cols: n.Columns()}
	case len(conds) == 0:
		return n.Input
	case sameExprs(conds, n.Conds):
		return n
	}
	return &algebra.Filter{Input: n.Input, Conds: conds}
}

// foldConditions flattens a list of conditions; never says that they cannot
// all be true.
func foldConditions(conds []algebra.Expr) (kept []algebra.Expr, never bool) {
	if len(conds) == 0 || len(conds) == 1 && isSimple(conds[0]) {
		return conds, false
	}
	var seen exprSet
	for _, cond := range conds {
		for _, c := range algebra.Conjuncts(cond) {
			switch {
			case isBool(c, true):
			case isBool(c, false), isNull(c):
				return nil, true
			case seen.add(c):
				kept = append(kept, c)
			}
		}
	}
	return kept, false
}

// isSimple reports whether a condition is a call that is no conjunction.
func isSimple(e algebra.Expr) bool {
	call, ok := e.(*algebra.Call)
	return ok && call.Func != algebra.And
}

func foldJoin(n *algebra.Join) algebra.Node {
	conds, never := foldConditions(n.Residual)
	if never {
		if n.Kind == algebra.JoinInner || n.Kind == algebra.JoinSemi {
			return &algebra.Values{Cols: n.Columns()}
		}
		conds = []algebra.Expr{boolConst(false)}
	}
	if len(conds) == len(n.Residual) {
		return n
	}
	c := *n
	c.Residual = conds
	return &c
}
