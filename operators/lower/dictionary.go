package lower

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Text returns text as text: codes are decoded, other values are left alone.
func (b *operations) Text(v kernel.ValueID) kernel.ValueID {
	if b.typ(v) != kernel.Code {
		return v
	}
	if b.isNull(v) {
		return b.null(kernel.Str, 0)
	}
	return b.op(kernel.OpDecode, kernel.Str, value.NoPos, v)
}

// Rank returns what orders like v and is not a code.
func (b *operations) Rank(v kernel.ValueID) kernel.ValueID {
	if b.typ(v) != kernel.Code {
		return v
	}
	return b.compute(kernel.Compute{Op: kernel.OpRank, Args: []kernel.ValueID{v}, Pos: value.NoPos},
		kernel.Value{Type: kernel.I32, Range: b.Func.Values[v].Range}, fact{})
}

// dictionaryColumn reports whether e depends on one column alone and that is
// held as codes: then e can be computed once for each entry of the dictionary.
// Asking whether the column is NULL needs no dictionary.
func (b *operations) dictionaryColumn(e algebra.Expr) (algebra.Column, bool) {
	if call, ok := e.(*algebra.Call); ok && call.Func == algebra.IsNull {
		return algebra.Column{}, false
	}
	var column algebra.Column
	single := true
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if ref, ok := e.(*algebra.ColumnRef); ok {
			single = single && (column.ID == 0 || column.ID == ref.Column.ID)
			column = ref.Column
		}
		return single
	})
	if !single || column.ID == 0 {
		return algebra.Column{}, false
	}
	v, ok := b.Var(column.ID)
	return column, ok && b.typ(v) == kernel.Code
}

// Entries is the estimated number of entries of a code's dictionary, 0 for
// unknown.
func (b *operations) Entries(v kernel.ValueID) float64 { return b.facts[v].entries }
