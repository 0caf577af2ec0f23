package check

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Declared says of each column of a bound plan whether the precision and scale of
// its type are ones that somebody gave it: those of a table's column or of a cast.
// PostgreSQL shows those to clients. Of other numerics the planner knows them by itself.
func Declared(b *scope.Binder, n algebra.Node) []bool {
	o := &origins[bool]{scan: func(algebra.Column) bool { return true }, both: func(a, b bool) bool { return a && b }}
	o.expr = func(e algebra.Expr, in algebra.Node) bool { return declaresExpr(b, o, e, in) }
	cols := n.Columns()
	return lists.Map(cols, func(c algebra.Column) bool { return c.Type.Kind == algebra.Decimal && o.column(n, c.ID) })
}

// declaresExpr reports whether the numeric type of an expression over a plan's columns
// is declared.
func declaresExpr(b *scope.Binder, o *origins[bool], e algebra.Expr, in algebra.Node) bool {
	switch e := e.(type) {
	case *algebra.Const:
		return b.Declared[e]
	case *algebra.Call:
		return e.Func == algebra.Cast && e.Typ != sqltype.AsDecimal(e.Args[0].Type())
	case *algebra.Case:
		results := []algebra.Expr{e.Else}
		for _, when := range e.Whens {
			results = append(results, when.Then)
		}
		return !slices.ContainsFunc(results, func(result algebra.Expr) bool {
			return result == nil || result.Type() != e.Typ || !o.of(result, in)
		})
	}
	return false
}

// Domains says of each column of a bound plan of which domain it is, nil for none; it is nil where no
// column can be of one.
func Domains(b *scope.Binder, n algebra.Node) []*algebra.Domain {
	if !b.HasDomains() {
		return nil
	}
	o := &origins[*algebra.Domain]{
		scan: func(c algebra.Column) *algebra.Domain { return b.DomainOf(c.Ref()) },
		expr: func(e algebra.Expr, _ algebra.Node) *algebra.Domain { return b.DomainOf(e) },
		both: func(a, b *algebra.Domain) *algebra.Domain {
			if a == nil || b == nil || a.OID != b.OID {
				return nil
			}
			return a
		},
		opaque: func(ref *algebra.ColumnRef) bool { d, known := b.Domains[ref]; return known && d == nil },
	}
	return lists.Map(n.Columns(), func(c algebra.Column) *algebra.Domain { return o.column(n, c.ID) })
}
