package lower

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Text gives text as text: codes are decoded, other values are left alone.
func (b *Builder) Text(v kernel.ValueID) kernel.ValueID {
	if b.typ(v) != kernel.Code {
		return v
	}
	if b.isNull(v) {
		return b.null(kernel.Str, 0)
	}
	return b.op(kernel.OpDecode, kernel.Str, value.NoPos, v)
}

// Rank gives what orders like v and is not a code.
func (b *Builder) Rank(v kernel.ValueID) kernel.ValueID {
	if b.typ(v) != kernel.Code {
		return v
	}
	return b.compute(kernel.Compute{Op: kernel.OpRank, Args: []kernel.ValueID{v}, Pos: value.NoPos},
		kernel.Value{Type: kernel.I32, Range: b.Func.Values[v].Range}, fact{})
}

// dictionaryColumn tells whether e depends on one column alone and that is
// held as codes: then e can be computed once for each entry of the dictionary.
// Asking whether the column is NULL needs no dictionary.
func (b *Builder) dictionaryColumn(e algebra.Expr) (algebra.Column, bool) {
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

// mapDictionary computes e for each entry of the column's dictionary.
func (b *Builder) mapDictionary(e algebra.Expr, column algebra.Column) (kernel.ValueID, error) {
	src, err := b.Column(column)
	if err != nil {
		return kernel.NoValue, err
	}
	from := b.Func.Values[src]
	arg := b.define(kernel.Value{Type: kernel.Str, Nullable: from.Nullable, Name: column.Name}, fact{})
	body := &arm{scope: newScope(b.scope, true)}
	body.scope.vars[column.ID] = arg
	var result kernel.ValueID
	err = b.in(body, func() (err error) {
		result, err = b.Expr(e)
		return err
	})
	if err != nil {
		return kernel.NoValue, err
	}
	val, known := b.Func.Values[result], b.facts[result]
	known.param, known.widened = nil, false // they speak of values inside the map
	dst := kernel.Value{Type: val.Type, Nullable: val.Nullable, Range: val.Range}
	if val.Type == kernel.Str {
		dst.Type, dst.Dict = kernel.Code, b.newDict()
		// The entries of the source, and one for what NULL becomes.
		if from.Range.Known {
			dst.Range = kernel.Range{Known: true, Lo: 0, Hi: from.Range.Hi + 1}
		}
		known.entries = b.facts[src].entries
		known.origin = fmt.Sprintf("%s of %s, dictionary %d", e, b.Func.Name, dst.Dict)
	}
	id := b.define(dst, known)
	b.Emit(&kernel.Map{Src: src, Arg: arg, Body: body.block, Result: result, Dst: id})
	return id, nil
}

// Entries is the estimated number of entries of a code's dictionary, 0 for
// unknown.
func (b *Builder) Entries(v kernel.ValueID) float64 { return b.facts[v].entries }
