package query

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value"
)

// recordTable binds json_to_record and json_to_recordset with the columns that the
// statement defines, as the query that reads them.
func recordTable(b *scope.Binder, t *sql.TableFunc, name string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	var items []string
	var types []algebra.Type
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
		key := "'" + strings.ReplaceAll(c.Name.Name, "'", "''") + "'"
		items = append(items, member(kind, key, sqltype.Unlimited(typ))+" AS "+dialect.QuoteIdent(c.Name.Name))
		types = append(types, typ)
	}
	from := fmt.Sprintf("(SELECT $1::%s AS e) r", kind)
	if set {
		from = fmt.Sprintf("%s_array_elements($1::%s) AS r(e)", kind, kind)
	}
	rel := sqlQuery(b, t, "SELECT "+strings.Join(items, ", ")+" FROM "+from, env, before)
	return calledAs(t, assigned(b, rel, types))
}

// assigned converts columns as INSERT does, where a text that is too long is an error.
func assigned(b *scope.Binder, rel *scope.Bound, types []algebra.Type) *scope.Bound {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}}
	items := make([]algebra.Item, len(types))
	for i, c := range rel.Columns() {
		e := convert.Coerce(x, c.Ref(), types[i], sqltype.Assignment, sql.NoPos)
		if _, ok := e.(*algebra.ColumnRef); !ok {
			c = b.NewColumn(c.Name, types[i], c.Nullable)
		}
		items[i] = algebra.Item{Column: c, Expr: e}
	}
	return &scope.Bound{Node: &algebra.Project{Input: rel.Node, Items: items}}
}

// member is the member of e that a key names, as a type: an array of JSON becomes one, and
// null is NULL.
func member(kind, key string, typ algebra.Type) string {
	if typ.Kind != algebra.Array {
		return converted(fmt.Sprintf("(e -> %s)", key), fmt.Sprintf("(e ->> %s)", key), typ)
	}
	element := converted("u.v", "(u.v #>> '{}')", typ.Element())
	return fmt.Sprintf(`CASE %[1]s_typeof(e -> %[2]s) WHEN 'array' THEN
		ARRAY(SELECT %[3]s FROM %[1]s_array_elements(e -> %[2]s) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::%[4]s
		ELSE (e ->> %[2]s)::%[4]s END`, kind, key, element, typ)
}

// converted is a value of JSON, which has a text, as a type that is no array.
func converted(of, text string, typ algebra.Type) string {
	if typ.IsJSON() {
		return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN %s::%s END", text, of, typ)
	}
	return fmt.Sprintf("%s::%s", text, typ)
}
