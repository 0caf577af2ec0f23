package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// collate binds x COLLATE name: the one order of texts is that of "C", which
// the database's default is too.
func collate(x *scope.Exprs, e *sql.Collate) algebra.Expr {
	switch name := e.Name[len(e.Name)-1].Name; name {
	case "default", "C", "POSIX", "ucs_basic", "C.UTF-8", "C.utf8":
		return x.Expr(e.X)
	default:
		panic(value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "the collation %q is not supported", name))
	}
}
