package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ObjectNamed is the identifier of what a text names, or a number as one; nil where
// the embedder finds no objects of the kind.
func ObjectNamed(x *scope.Exprs, e algebra.Expr, alias algebra.Alias, pos sql.Pos) algebra.Expr {
	bound := x.SQLFunction(alias.String(), []algebra.Expr{e}, pos)
	if bound == nil {
		return nil
	}
	return retag(bound, algebra.TAlias(alias), sqltype.Explicit, pos)
}

// objectText is the name of an identifier that is written as one; nil where e is no
// such identifier, or to no text.
func objectText(x *scope.Exprs, e algebra.Expr, to algebra.Type, pos sql.Pos) algebra.Expr {
	from := e.Type()
	if from.Kind != algebra.Int64 || !from.Alias.IsName() || to.Kind != algebra.Text {
		return nil
	}
	return x.SQLFunction(from.Alias.String()+"_name", []algebra.Expr{e}, pos)
}

// coerceCatalog converts to a type of catalogs or from one, and between numbers of 64 bits; nil for other types.
func coerceCatalog(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type().Plain()
	if f := catalogConversion(from, to); f != "" && how == sqltype.Explicit {
		return x.Folded(term.Call(f, to, pos, e))
	}
	if sqltype.IsInt64(from) && sqltype.IsInt64(to) {
		return retag(e, to, how, pos)
	}
	return nil
}

// catalogConversion is the routine that casts to oid, name or "char", or from one; "" for none.
func catalogConversion(from, to algebra.Type) algebra.Func {
	plainText, integer := from.Kind == algebra.Text && !from.Padded, from.Kind == algebra.Int32
	switch {
	case to == algebra.TOID && (plainText || integer || from == algebra.TInt64):
		return value.OIDOf
	case from == algebra.TOID && to.Kind == algebra.Int32:
		return value.IntOfOID
	case to == algebra.TAlias(algebra.Name) && plainText:
		return value.NameOf
	case to.Kind == algebra.Text && to.Alias == algebra.Char && (plainText || integer):
		return value.CharOf
	case from.Kind == algebra.Text && from.Alias == algebra.Char && to.Kind == algebra.Int32:
		return value.IntOfChar
	}
	return ""
}

// retag is a number of 64 bits as another identifier, or as a mere number. Who does not
// ask for that type expressly gets it as it is where a mere number will do.
func retag(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	if c, ok := e.(*algebra.Const); ok {
		tagged := *c
		tagged.Typ = to
		return &tagged
	}
	if e.Type() == to || how == sqltype.Implicit && to.Alias == algebra.NoAlias {
		return e
	}
	return term.Call(algebra.Cast, to, pos, e)
}

// ComparedAs is a value of a type of catalogs as the type that min and max know: text
// for texts, and oid for identifiers.
func ComparedAs(e algebra.Expr, pos sql.Pos) algebra.Expr {
	switch t := e.Type(); {
	case t.Alias == algebra.NoAlias || t.Kind == algebra.Array:
		return e
	case t.Kind == algebra.Text:
		return term.Call(algebra.Cast, algebra.TText, pos, e)
	}
	return retag(e, algebra.TOID, sqltype.Explicit, pos)
}
