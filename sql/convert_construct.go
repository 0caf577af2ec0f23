package sql

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// subscript converts subscripts, before whose bounds stands what they are of.
func subscript(m *dialect.Subscript, args []Expr) Expr {
	e := &Subscript{X: args[0], Pos: Pos(m.Bounds[0].Pos)}
	given := args[1:]
	for _, read := range m.Bounds {
		b := Bounds{Slice: read.Slice, Pos: Pos(read.Pos)}
		if read.Lower {
			b.Lower, given = given[0], given[1:]
		}
		if read.Upper {
			b.Upper, given = given[0], given[1:]
		}
		e.Bounds = append(e.Bounds, b)
	}
	return e
}

// construct converts what has a fixed number of operands; nil when the number
// is another.
func (c *converter) construct(placeholder dialect.Placeholder, args []Expr) Expr {
	switch len(args) {
	case 1:
		return unaryConstruct(placeholder, args[0])
	case 2:
		return binaryConstruct(placeholder, args[0], args[1])
	case 3:
		return ternaryConstruct(placeholder, args[0], args[1], args[2])
	}
	return nil
}

func unaryConstruct(placeholder dialect.Placeholder, x Expr) Expr {
	switch m := placeholder.(type) {
	case *dialect.Operator:
		return &Unary{Op: m.Symbol, X: x, Pos: Pos(m.Pos)}
	case *dialect.Cast:
		return &Cast{X: x, Type: typeName(m.Type), Pos: Pos(m.Pos)}
	case *dialect.Collate:
		return &Collate{X: x, Name: idents(m.Name), Pos: Pos(m.Pos)}
	case *dialect.Is:
		if !m.Distinct {
			return &Is{X: x, What: "unknown", Not: m.Not, Pos: Pos(m.Pos)}
		}
	case *dialect.Field:
		return &Field{X: x, Name: ident(m.Name), Star: m.Star}
	case *dialect.Argument:
		return &NamedArg{Name: ident(m.Name), Value: x}
	}
	return nil
}

func binaryConstruct(placeholder dialect.Placeholder, x, y Expr) Expr {
	switch m := placeholder.(type) {
	case *dialect.Operator:
		return operator(m, x, y)
	case *dialect.Is:
		if m.Distinct {
			return &IsDistinct{L: x, R: y, Not: m.Not, Pos: Pos(m.Pos)}
		}
	case *dialect.Overlaps:
		return overlaps(m, x.(*Row), y.(*Row))
	case *dialect.Like:
		return &Like{X: x, Pattern: y, Not: m.Not, Fold: !m.Similar, Similar: m.Similar, Pos: Pos(m.Pos)}
	case *dialect.Quantified:
		q := &Quantified{X: x, Op: m.Op, All: m.All, Array: y, Pos: Pos(m.Pos)}
		if s, ok := y.(*Subquery); ok {
			q.Query, q.Array = s.Query, nil
		}
		return q
	}
	return nil
}

// overlaps converts OVERLAPS, which is a call of a function of the system.
func overlaps(m *dialect.Overlaps, left, right *Row) *FuncCall {
	pos := Pos(m.Pos)
	name := Name{{Name: "pg_catalog", Pos: pos}, {Name: "overlaps", Pos: pos}}
	return &FuncCall{Name: name, Args: slices.Concat(left.Exprs, right.Exprs), Pos: pos}
}

// operator converts a binary operator; those behind LIKE are LIKE.
func operator(m *dialect.Operator, x, y Expr) Expr {
	switch m.Symbol {
	case "~~", "!~~", "~~*", "!~~*":
		return &Like{
			X: x, Pattern: y,
			Not:  m.Symbol[0] == '!',
			Fold: m.Symbol[len(m.Symbol)-1] == '*',
			Pos:  Pos(m.Pos),
		}
	}
	return &Binary{Op: m.Symbol, L: x, R: y, Pos: Pos(m.Pos)}
}

func ternaryConstruct(placeholder dialect.Placeholder, x, y, z Expr) Expr {
	switch m := placeholder.(type) {
	case *dialect.Between:
		return &Between{X: x, Lo: y, Hi: z, Not: m.Not, Symmetric: true, Pos: Pos(m.Pos)}
	case *dialect.Like:
		return &Like{
			X: x, Pattern: y, Escape: z,
			Not: m.Not, Fold: !m.Similar, Similar: m.Similar, Pos: Pos(m.Pos),
		}
	}
	return nil
}
