package estimate

import "github.com/cubeloom/cubeloom/planner/algebra"

// Distinct is the guessed number of distinct values of an expression over a
// relation: at most that of all combinations of its columns.
func (p *Props) Distinct(e algebra.Expr) float64 {
	if ref, ok := e.(*algebra.ColumnRef); ok {
		return p.column(ref.Column.ID).Distinct
	}
	if d, ok := p.sampledDistinct(e); ok {
		return d
	}
	d := 1.0
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if ref, ok := e.(*algebra.ColumnRef); ok {
			d *= p.column(ref.Column.ID).Distinct
		}
		return true
	})
	if call, ok := e.(*algebra.Call); ok && call.Func == algebra.Extract {
		d = min(d, extracted)
	}
	for _, f := range p.few {
		if algebra.Equal(f.expr, e) {
			d = min(d, f.values)
		}
	}
	return min(d, p.Rows)
}

// Domain is the guessed number of distinct values among which those of an
// expression are, had no conditions on other columns left rows out.
func (p *Props) Domain(e algebra.Expr) float64 {
	d := p.Distinct(e)
	if ref, ok := e.(*algebra.ColumnRef); ok {
		d = max(d, p.Column(ref.Column.ID).Domain)
	}
	return max(d, 1)
}

// DistinctOf is the guessed number of distinct values of a column.
func (p *Props) DistinctOf(id algebra.ColumnID) float64 { return p.column(id).Distinct }

// DistinctIsUnknown reports whether nothing is known of how many values a column has.
func (p *Props) DistinctIsUnknown(id algebra.ColumnID) bool { return p.Column(id).Distinct == 0 }

// extracted is how many values a field of times is taken to have at most.
const extracted = 100

// item guesses a column that is computed of the relation.
func (p *Props) item(items []algebra.Item, id algebra.ColumnID) (Column, bool) {
	for i := range items {
		if items[i].Column.ID != id {
			continue
		}
		if ref, ok := items[i].Expr.(*algebra.ColumnRef); ok {
			return p.Column(ref.Column.ID), true
		}
		return Column{Distinct: p.Distinct(items[i].Expr)}, true
	}
	return Column{}, false
}
