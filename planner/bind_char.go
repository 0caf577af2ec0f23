package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

// A character(n) is kept without the blanks at its end, which is how it compares, and how
// it is as a text. What shows it adds them. A bpchar without a length, which is what
// values of several lengths have in common, keeps the blanks that it came with, so that
// whatever takes it as a text takes them away.

// withBlanks is a value of a type with the blanks at its end, where it is of
// character(n).
func (b *binder) withBlanks(e algebra.Expr) algebra.Expr {
	t := e.Type()
	if !t.IsChar() || t.Length == 0 {
		return e
	}
	return b.folded(call(algebra.RPad, algebra.TBPChar, sql.NoPos, e, int32Const(int64(t.Length)), textConst(" ")))
}

// shown is a value as functions take it that take values of any type: with its blanks,
// but as a text.
func (b *binder) shown(e algebra.Expr) algebra.Expr {
	if !e.Type().IsChar() {
		return e
	}
	return b.folded(call(algebra.Cast, algebra.TText, sql.NoPos, b.withBlanks(e)))
}

// withoutBlanks is a text without the blanks at its end, of a type.
func (b *binder) withoutBlanks(e algebra.Expr, typ algebra.Type) algebra.Expr {
	return b.folded(call(algebra.RTrim, typ, sql.NoPos, e, textConst(" ")))
}

// comparedChar is a value whose bytes compare as values of its type do.
func (b *binder) comparedChar(e algebra.Expr) algebra.Expr {
	if t := e.Type(); t.IsChar() && t.Length == 0 {
		return b.withoutBlanks(e, t)
	}
	return e
}

// comparedChars are the operands of a comparison of which one is of character(n). With
// another such value, and with varchar(n), blanks at the end do not count; with text they
// do.
func (b *binder) comparedChars(l, r algebra.Expr) (algebra.Expr, algebra.Expr) {
	return b.charBeside(l, r.Type()), b.charBeside(r, l.Type())
}

func (b *binder) charBeside(e algebra.Expr, other algebra.Type) algebra.Expr {
	if t := e.Type(); t.Kind == algebra.Text && !t.Padded && t.Length > 0 && other.IsChar() {
		return b.withoutBlanks(e, algebra.TText)
	}
	return b.comparedChar(e)
}

// groupedChar is the type by whose values rows are compared whose common type is one: that
// of the longer of two character(n), so that blanks do not make a difference.
func groupedChar(common, a, b algebra.Type) algebra.Type {
	if common == algebra.TBPChar && a.IsChar() && b.IsChar() && min(a.Length, b.Length) > 0 {
		common.Length = max(a.Length, b.Length)
	}
	return common
}

// comparedColumns computes the columns of a node whose blanks do not count without them.
func (b *binder) comparedColumns(n algebra.Node) algebra.Node {
	cols := n.Columns()
	items := passOn(cols)
	changed := false
	for i, c := range cols {
		if c.Type == algebra.TBPChar {
			e := b.comparedChar(c.Ref())
			items[i], changed = algebra.Item{Column: b.newColumn(c.Name, c.Type, c.Nullable), Expr: e}, true
		}
	}
	if !changed {
		return n
	}
	return &algebra.Project{Input: n, Items: items}
}

// coerceChar converts between character(n) and other texts.
func (x *exprBinder) coerceChar(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	switch {
	case to == algebra.TBPChar && from.IsChar():
		return x.withBlanks(e)
	case to == algebra.TBPChar:
		return x.folded(call(algebra.Cast, to, pos, e))
	case to.Padded && from.IsChar() && from.Length > 0 && from.Length <= to.Length:
		return x.folded(call(algebra.Cast, to, pos, e))
	case to.Padded:
		f := algebra.Cast
		if how == sqltype.Assignment {
			f = algebra.Assign
		}
		return x.withoutBlanks(x.folded(call(f, to, pos, e)), to)
	}
	e = x.comparedChar(e)
	if to.Length > 0 && how == sqltype.Assignment {
		return x.folded(call(algebra.Assign, to, pos, e))
	}
	return x.folded(call(algebra.Cast, to, pos, e))
}

// unlimitedChar is a literal of a type; behind a bare CHAR, unlike in a cast, it keeps its
// length.
func unlimitedChar(e *sql.TypedLiteral) *sql.TypedLiteral {
	if typ, _ := sqltype.Named(e.Type.Name); !typ.Padded || typ.Length != 1 || len(e.Type.Args) > 0 {
		return e
	}
	plain := *e
	plain.Type.Name = "bpchar"
	return &plain
}
