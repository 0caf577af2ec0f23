package expression

import (
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// notInAlone refuses what an expression that stands alone cannot hold.
func notInAlone(pos sql.Pos, what, where string) error {
	return value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "cannot use %s in %s", what, where)
}

// refuseExpr names an expression that is not supported.
func refuseExpr(e sql.Expr) error {
	pos := e.Position()
	switch e.(type) {
	case *sql.Default:
		return value.ErrorAt(int(pos), value.CodeSyntax, "DEFAULT is not allowed in this context")
	case *sql.NamedArg:
		return term.NotSupported(pos, "an argument with a name is")
	case *sql.Star:
		return value.ErrorAt(int(pos), value.CodeSyntax, "* is allowed in a select list and in count(*) only")
	}
	return value.ErrorAt(int(pos), value.CodeInternal, "unknown kind of expression %T", e)
}
