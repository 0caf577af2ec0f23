package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// UnknownParam is a parameter whose type is to be found from its use: a NULL
// that remembers which parameter it is.
func (b *Binder) UnknownParam(e *sql.Param) algebra.Expr {
	for len(b.Params) < e.Index {
		b.Params = append(b.Params, algebra.TUnknown)
	}
	c := &algebra.Const{Typ: b.Params[e.Index-1]}
	b.paramOf[c] = e.Index
	return c
}

// InferParam notes the type that a use asks of a parameter.
func (b *Binder) InferParam(c *algebra.Const, typ algebra.Type, pos sql.Pos) {
	index, ok := b.paramOf[c]
	if !ok {
		return
	}
	if typ.Kind == algebra.Decimal {
		typ = algebra.TNumeric
	}
	have := &b.Params[index-1]
	switch {
	case have.Kind == algebra.Unknown:
		*have = typ
	case have.Kind != typ.Kind:
		panic(&value.Error{
			Code:    "42P08",
			Message: "inconsistent types deduced for parameter $" + term.Itoa(index),
			Detail:  sqltype.Name(*have) + " versus " + sqltype.Name(typ),
			Pos:     int(pos),
		})
	}
}
