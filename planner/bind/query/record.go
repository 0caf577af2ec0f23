package query

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value"
)

// recordTable binds json_to_record and json_to_recordset with the columns that the
// statement defines, as the query that reads them.
func recordTable(b *scope.Binder, t *sql.TableFunc, name string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	var items []string
	base, set := strings.CutSuffix(name, "set")
	kind, ok := strings.CutSuffix(base, "_to_record")
	switch {
	case !ok || kind != "json" && kind != "jsonb":
		panic(value.ErrorAt(int(t.Defined[0].Name.Pos), value.CodeSyntax, "a column definition list is only allowed for functions returning \"record\""))
	case t.Ordinality:
		panic(value.ErrorAt(int(t.Call.Pos), value.CodeSyntax, "WITH ORDINALITY cannot be used with a column definition list"))
	case len(t.Call.Args) != 1:
		panic(value.ErrorAt(int(t.Call.Pos), value.CodeUndefinedFunction, "%s takes one argument", name))
	}
	for _, c := range t.Defined {
		typ, err := sqltype.Resolve(c.Type, b.Catalog.Enum)
		if err != nil {
			panic(err)
		}
		operator, key := "->>", "'"+strings.ReplaceAll(c.Name.Name, "'", "''")+"'"
		switch {
		case typ.Kind == algebra.Array:
			panic(term.NotSupported(c.Type.Pos, "an array in "+name+" is"))
		case typ.IsJSON():
			operator = "->"
		}
		items = append(items, fmt.Sprintf("(e %s %s)::%s AS %s", operator, key, typ, dialect.QuoteIdent(c.Name.Name)))
	}
	from := fmt.Sprintf("(SELECT $1::%s AS e) r", kind)
	if set {
		from = fmt.Sprintf("%s_array_elements($1::%s) AS r(e)", kind, kind)
	}
	return sqlTable(b, t, "SELECT "+strings.Join(items, ", ")+" FROM "+from, env, before)
}
