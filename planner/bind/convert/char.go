package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

// A character(n) is kept without the blanks at its end, which is how it compares, and how
// it is as a text. What shows it adds them. A bpchar without a length, which is what
// values of several lengths have in common, keeps the blanks that it came with, so that
// whatever takes it as a text takes them away.

// withBlanks is a value of a type with the blanks at its end, where it is of
// character(n).
func withBlanks(b *scope.Binder, e algebra.Expr) algebra.Expr {
	t := e.Type()
	if !t.IsChar() || t.Length == 0 {
		return e
	}
	return b.Folded(term.Call(algebra.RPad, algebra.TBPChar, sql.NoPos, e, term.Int32Const(int64(t.Length)), term.TextConst(" ")))
}

// Shown is a value as functions take it that take values of any type: with its blanks,
// but as a text.
func Shown(b *scope.Binder, e algebra.Expr) algebra.Expr {
	if !e.Type().IsChar() {
		return e
	}
	return b.Folded(term.Call(algebra.Cast, algebra.TText, sql.NoPos, withBlanks(b, e)))
}

// withoutBlanks is a text without the blanks at its end, of a type.
func withoutBlanks(b *scope.Binder, e algebra.Expr, typ algebra.Type) algebra.Expr {
	return b.Folded(term.Call(algebra.RTrim, typ, sql.NoPos, e, term.TextConst(" ")))
}

// ComparedChar is a value whose bytes compare as values of its type do.
func ComparedChar(b *scope.Binder, e algebra.Expr) algebra.Expr {
	if t := e.Type(); t.IsChar() && t.Length == 0 {
		return withoutBlanks(b, e, t)
	}
	return e
}

// ComparedChars are the operands of a comparison of which one is of character(n). With
// another such value, and with varchar(n), blanks at the end do not count; with text they
// do.
func ComparedChars(b *scope.Binder, l, r algebra.Expr) (algebra.Expr, algebra.Expr) {
	return charBeside(b, l, r.Type()), charBeside(b, r, l.Type())
}

func charBeside(b *scope.Binder, e algebra.Expr, other algebra.Type) algebra.Expr {
	if t := e.Type(); t.Kind == algebra.Text && !t.Padded && t.Length > 0 && other.IsChar() {
		return withoutBlanks(b, e, algebra.TText)
	}
	return ComparedChar(b, e)
}

// GroupedChar is the type by whose values rows are compared whose common type is one: that
// of the longer of two character(n), so that blanks do not make a difference.
func GroupedChar(common, a, b algebra.Type) algebra.Type {
	if common == algebra.TBPChar && a.IsChar() && b.IsChar() && min(a.Length, b.Length) > 0 {
		common.Length = max(a.Length, b.Length)
	}
	return common
}

// ComparedColumns computes the columns of a node whose blanks do not count without them.
func ComparedColumns(b *scope.Binder, n algebra.Node) algebra.Node {
	cols := n.Columns()
	items := term.PassOn(cols)
	changed := false
	for i, c := range cols {
		if c.Type == algebra.TBPChar {
			e := ComparedChar(b, c.Ref())
			items[i], changed = algebra.Item{Column: b.NewColumn(c.Name, c.Type, c.Nullable), Expr: e}, true
		}
	}
	if !changed {
		return n
	}
	return &algebra.Project{Input: n, Items: items}
}

// coerceChar converts between character(n) and other texts.
func coerceChar(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	switch {
	case to == algebra.TBPChar && from.IsChar():
		return withBlanks(x.Binder, e)
	case to == algebra.TBPChar:
		return x.Folded(term.Call(algebra.Cast, to, pos, e))
	case to.Padded && from.IsChar() && from.Length > 0 && from.Length <= to.Length:
		return x.Folded(term.Call(algebra.Cast, to, pos, e))
	case to.Padded:
		f := algebra.Cast
		if how == sqltype.Assignment {
			f = algebra.Assign
		}
		return withoutBlanks(x.Binder, x.Folded(term.Call(f, to, pos, e)), to)
	}
	e = ComparedChar(x.Binder, e)
	if to.Length > 0 && how == sqltype.Assignment {
		return x.Folded(term.Call(algebra.Assign, to, pos, e))
	}
	return x.Folded(term.Call(algebra.Cast, to, pos, e))
}
