package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// decimalSums sums numerics as decimals of one scale where a CASE chooses between decimals and
// constants of several: they fit a word where ranges say so, and a device needs no pass to find
// the scale. The scale that PostgreSQL shows is the greatest that was added: its number is kept
// where the branches have different ones.
//
//	before: aggregate t compute sum(CASE WHEN b > 0 THEN c::numeric ELSE 0 END)
//	after:  project CASE max = 2 … END over aggregate t compute sum(CASE WHEN b > 0 THEN c ELSE 0.00 END), max(CASE WHEN b > 0 THEN 2 ELSE 0 END)
//	never:  sum(n) of a numeric column: each value has a scale of its own
func decimalSums(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		agg, ok := n.(*algebra.Aggregate)
		if !ok {
			return n
		}
		with := *agg
		with.Aggs = nil
		results := make(map[algebra.ColumnID]algebra.Expr)
		for i := range agg.Aggs {
			a := &agg.Aggs[i]
			if s := c.decimalSum(a); s != nil {
				with.Aggs = append(with.Aggs, s.aggs...)
				results[a.Column.ID] = s.result
			} else {
				with.Aggs = append(with.Aggs, *a)
			}
		}
		if len(results) == 0 {
			return n
		}
		return withResults(agg, &with, results)
	})
}

// decimalSum is a sum of numerics by aggregates of decimals.
type decimalSum struct {
	aggs   []algebra.Agg
	result algebra.Expr
}

// decimalSum returns how an aggregate is computed by decimals, or nil where it is not.
func (c *context) decimalSum(a *algebra.Agg) *decimalSum {
	var form decimalForm
	if a.Func != algebra.Sum || a.Distinct || a.Arg.Type().Kind != algebra.Numeric || !form.take(a.Arg) || len(form.scales) == 0 {
		return nil
	}
	slices.Sort(form.scales)
	scale := form.scales[len(form.scales)-1]
	if form.whole+scale > maxDigits {
		return nil
	}
	sum := *a
	sum.Arg = c.mapBranches(a.Arg, algebra.TDecimal(max(form.whole+scale, 1), scale), func(e algebra.Expr, t algebra.Type) algebra.Expr {
		return c.fold(asType(e, t))
	})
	sum.Column = c.newColumn(a.Column)
	sum.Column.Type = algebra.TDecimal(maxDigits, scale)
	s := &decimalSum{aggs: []algebra.Agg{sum}, result: asType(sum.Column.Ref(), algebra.TNumeric)}
	if len(form.scales) > 1 {
		s.addScale(c, a, form.scales)
	}
	return s
}

// addScale has the result take the greatest of the scales that were added.
func (s *decimalSum) addScale(c *context, a *algebra.Agg, scales []uint8) {
	most := *a
	most.Func = algebra.Max
	most.Arg = c.mapBranches(a.Arg, algebra.TInt32, func(e algebra.Expr, t algebra.Type) algebra.Expr {
		if isNull(e) {
			return &algebra.Const{Typ: t}
		}
		number := int32Const(int(e.Type().Scale))
		if !algebra.CanBeNull(e) {
			return number
		}
		return &algebra.Case{Whens: []algebra.When{{Cond: notNull(e), Then: number}}, Typ: t}
	})
	most.Column = c.newColumn(a.Column)
	most.Column.Name, most.Column.Type, most.Column.Nullable = "scale", algebra.TInt32, true
	s.aggs = append(s.aggs, most)
	sum := s.aggs[0].Column.Ref()
	at := func(scale uint8) algebra.Expr {
		return asType(asType(sum, algebra.TDecimal(maxDigits, scale)), algebra.TNumeric)
	}
	choice := &algebra.Case{Else: at(scales[0]), Typ: algebra.TNumeric}
	for _, scale := range slices.Backward(scales[1:]) {
		choice.Whens = append(choice.Whens, algebra.When{Cond: newCall(algebra.Eq, most.Column.Ref(), int32Const(int(scale))), Then: at(scale)})
	}
	s.result = choice
}

// decimalForm is what decimals need that hold all values of an expression: digits before the
// point, and the scales that they have.
type decimalForm struct {
	whole  uint8
	scales []uint8
}

// take takes in the branches of a numeric, and reports whether each has a scale that is known.
func (f *decimalForm) take(e algebra.Expr) bool {
	if choice, ok := e.(*algebra.Case); ok {
		for _, when := range choice.Whens {
			if !f.take(when.Then) {
				return false
			}
		}
		return choice.Else == nil || f.take(choice.Else)
	}
	if isNull(e) {
		return true
	}
	t := branchAsDecimal(e).Type()
	if t.Kind != algebra.Decimal {
		return false
	}
	f.whole = max(f.whole, t.Precision-t.Scale)
	if !slices.Contains(f.scales, t.Scale) {
		f.scales = append(f.scales, t.Scale)
	}
	return true
}

// branchAsDecimal is a constant, or what a cast made a numeric of, as a decimal; others stay what they are.
func branchAsDecimal(e algebra.Expr) algebra.Expr {
	switch e := e.(type) {
	case *algebra.Const:
		if e.Val.Kind == value.Decimal {
			n := e.Val.Num
			digits := uint8(len(n.Abs().Coef.String()))
			return &algebra.Const{Val: e.Val, Typ: algebra.TDecimal(max(digits, n.Scale), n.Scale)}
		}
	case *algebra.Call:
		if e.Func == algebra.Cast && e.Args[0].Type().IsExact() {
			return asDecimal(e.Args[0])
		}
	}
	return e
}

// mapBranches replaces the branches of a numeric, each as a decimal, by expressions of a type.
func (c *context) mapBranches(e algebra.Expr, t algebra.Type, f func(algebra.Expr, algebra.Type) algebra.Expr) algebra.Expr {
	choice, ok := e.(*algebra.Case)
	if !ok {
		return f(branchAsDecimal(e), t)
	}
	out := &algebra.Case{Whens: slices.Clone(choice.Whens), Typ: t}
	for i := range out.Whens {
		out.Whens[i].Then = c.mapBranches(choice.Whens[i].Then, t, f)
	}
	if choice.Else != nil {
		out.Else = c.mapBranches(choice.Else, t, f)
	}
	return out
}
