package codegen

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/operators/recursion"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/operators/values"
	"github.com/cubeloom/cubeloom/operators/working"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// leaf returns what an operator that is a source by itself reads; it is not set
// for operators that read the result of another.
func (g *generator) leaf(op *fusion.Op) (res result, set bool) {
	switch o := op.Operator.(type) {
	case *scan.Operator:
		return scanned(o.Node), true
	case *values.Operator:
		rows := constantRows(o.Node)
		return result{binding: Binding{Rows: rows}, fields: o.Fields(), maxRows: float64(len(rows.Rows)), name: "values"}, true
	case *recursion.Operator:
		return result{binding: Binding{Loop: g.loop(op, o.Node)}, fields: o.Fields(), maxRows: math.Inf(1), name: "recursive"}, true
	case *working.Operator:
		loop := g.enclosing[o.Node.Of]
		if loop == nil {
			panic(fmt.Errorf("a working table outside of its recursion"))
		}
		return result{binding: Binding{Working: loop}, fields: o.Fields(), maxRows: math.Inf(1), name: "working"}, true
	case *union.Operator:
		return g.unite(op, o), true
	}
	return result{}, false
}

// scanned returns what a scan reads.
func scanned(n *algebra.Scan) result {
	table := &n.Table
	res := result{binding: Binding{Table: table}, ordinals: n.Ordinals, maxRows: math.Inf(1), name: table.Name}
	res.fields = make([]lower.Field, len(n.Cols))
	for i, c := range n.Cols {
		res.fields[i] = lower.StoredField(c, table, n.ColStats[i])
	}
	if table.Exact {
		res.maxRows = float64(table.Rows)
	}
	return res
}

// constantRows are the rows of a Values in the form of kernel.Param.Val.
func constantRows(n *algebra.Values) *Rows {
	r := &Rows{Rows: n.Rows}
	for _, c := range n.Cols {
		r.Types = append(r.Types, lower.PhysicalType(c.Type))
	}
	if slices.Contains(r.Types, kernel.I64) {
		r.Rows = make([][]value.Value, len(n.Rows))
		for i, row := range n.Rows {
			r.Rows[i] = unscaled(row, r.Types)
		}
	}
	return r
}

// unscaled returns a row with narrow decimals as integers.
func unscaled(row []value.Value, types []kernel.Type) []value.Value {
	row = slices.Clone(row)
	for i, v := range row {
		if types[i] == kernel.I64 && v.Kind == value.Decimal {
			n, _ := v.Num.Coef.Int64()
			row[i] = value.Value{Kind: value.Int, I: n}
		}
	}
	return row
}

// unite returns the parts of a union as one relation with the columns that are
// read of it.
func (g *generator) unite(op *fusion.Op, u *union.Operator) result {
	res := result{binding: Binding{Parts: make([]Part, len(u.Parts))}, name: op.Traits().Name}
	for i, in := range op.Inputs {
		from := g.results[in]
		if len(from.binding.Parts) != 1 || from.binding.Parts[0].Cols != nil {
			panic(fmt.Errorf("input %d of a union is not the result of one kernel", i))
		}
		res.binding.Parts[i].Step = from.binding.Parts[0].Step
		if u.Results != nil {
			res.binding.Parts[i].Result = u.Results[i]
		}
		res.maxRows += from.maxRows
	}
	for _, c := range op.Keep {
		k := slices.IndexFunc(u.Cols, func(x algebra.Column) bool { return x.ID == c.ID })
		g.uniteColumn(&res, op, u, k)
	}
	return res
}

// uniteColumn adds column k of a union to each part of its result.
func (g *generator) uniteColumn(res *result, op *fusion.Op, u *union.Operator, k int) {
	merged := lower.Field{}
	cols := make([]PartCol, len(u.Parts))
	for i, part := range u.Parts {
		cols[i] = PartCol{Ordinal: -1, Const: part[k].Const}
		if part[k].From.ID == 0 {
			continue
		}
		from := &g.results[op.Inputs[i]]
		at := from.find(part[k].From.ID)
		if at < 0 {
			panic(fmt.Errorf("a union reads column %s, which its input does not give", part[k].From.Name))
		}
		cols[i].Ordinal = from.ordinal(at)
		combine(&merged, &from.fields[at])
	}
	if merged.Type == kernel.Invalid {
		merged = constantField(u.Cols[k], cols[0].Const)
	}
	for i := range cols {
		cols[i].Type = merged.Type
		if cols[i].Ordinal < 0 {
			combineConst(&merged, cols[i].Const)
		}
		res.binding.Parts[i].Cols = append(res.binding.Parts[i].Cols, cols[i])
	}
	merged.Column = u.Cols[k]
	merged.Unique = merged.Unique && len(u.Parts) == 1
	merged.Ascending = merged.Ascending && len(u.Parts) == 1
	res.fields = append(res.fields, merged)
}

// constantField is the field of a column that is constant in every part, first
// in the first one.
func constantField(c algebra.Column, first value.Value) lower.Field {
	f := lower.PlainField(c)
	f.Nullable = false
	if first.Kind == value.Int {
		f.Range = kernel.Range{Known: true, Lo: first.I, Hi: first.I}
	}
	return f
}

// combine makes f, unless it is the first, describe both f and g.
func combine(f, g *lower.Field) {
	if f.Type == kernel.Invalid {
		*f = *g
		return
	}
	if f.Type != g.Type || f.Scale != g.Scale || f.Dict != g.Dict {
		panic(fmt.Errorf("the parts of a union hold column %s as %s and %s", g.Column.Name, f.Type, g.Type))
	}
	f.Nullable = f.Nullable || g.Nullable
	f.Entries = max(f.Entries, g.Entries)
	f.Range = kernel.Range{
		Known: f.Range.Known && g.Range.Known,
		Lo:    min(f.Range.Lo, g.Range.Lo), Hi: max(f.Range.Hi, g.Range.Hi),
	}
	if !f.Range.Known {
		f.Range = kernel.Range{}
	}
}

// combineConst makes f describe a constant too.
func combineConst(f *lower.Field, v value.Value) {
	switch {
	case v.Kind == value.Null:
		f.Nullable = true
	case f.Range.Known:
		f.Range.Lo, f.Range.Hi = min(f.Range.Lo, v.I), max(f.Range.Hi, v.I)
	}
}
