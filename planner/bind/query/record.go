package query

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// recordCall is a call in FROM of a function that makes rows of objects of JSON: of one, or of
// those of an array.
type recordCall struct {
	*scope.Exprs // of the arguments
	table        *sql.TableFunc
	name         string
	kind         string // of JSON, as the name of the function says
	set, based   bool   // based on a row, whose fields are those of the result
}

// recordFunction describes a call by its name; nil where that is not such a function's.
func recordFunction(x *scope.Exprs, t *sql.TableFunc, name string) *recordCall {
	r := &recordCall{Exprs: x, table: t, name: name}
	var rest string
	r.kind, rest, _ = strings.Cut(name, "_")
	rest, r.set = strings.CutSuffix(rest, "set")
	r.based = rest == "populate_record"
	if r.kind != "json" && r.kind != "jsonb" || rest != "to_record" && !r.based {
		return nil
	}
	return r
}

// recordTable binds such a call, or refuses the columns that the statement defines of another one.
func recordTable(t *sql.TableFunc, r *recordCall) (algebra.Node, *scope.Scope) {
	switch {
	case r == nil:
		panic(value.ErrorAt(int(t.Defined[0].Name.Pos), value.CodeSyntax, "a column definition list is only allowed for functions returning \"record\""))
	case r.based && len(t.Defined) > 0:
		panic(value.ErrorAt(int(t.Defined[0].Name.Pos), value.CodeSyntax,
			"a column definition list is redundant for a function returning a named composite type"))
	case !r.based && len(t.Defined) == 0:
		panic(value.ErrorAt(int(t.Call.Pos), value.CodeSyntax, "a column definition list is required for functions returning \"record\""))
	case !r.based && t.Ordinality:
		panic(value.ErrorAt(int(t.Call.Pos), value.CodeSyntax, "WITH ORDINALITY cannot be used with a column definition list"))
	}
	return r.bind()
}

// bind binds the call as the query that reads the members of the objects.
func (r *recordCall) bind() (algebra.Node, *scope.Scope) {
	t := r.table
	args, positions := convert.Args(r.Exprs, t.Call)
	arguments := 1
	if r.based {
		arguments = 2
	}
	if len(args) != arguments {
		panic(term.NoFunction(r.name, args, t.Call.Pos))
	}
	last := arguments - 1
	of := convert.Coerce(r.Exprs, args[last], term.JSONType(r.name), sqltype.Implicit, positions[last])
	args[last] = r.Folded(term.Call(value.JSONRecords, of.Type(), t.Call.Pos, of, term.TextConst(r.name)))
	var rel *scope.Bound
	if r.based {
		base := expression.RowFields(r.Exprs, r.name, args[0], positions[0])
		fields := lists.Map(args[0].Type().Fields(), func(f algebra.Field) scope.Parameter { return scope.Parameter{Name: f.Name, Type: f.Type} })
		rel = r.query(fields, append([]algebra.Expr{args[1]}, base...))
	} else {
		rel = r.query(r.defined(), args)
	}
	return calledAs(t, rel)
}

// defined are the fields that the statement defines.
func (r *recordCall) defined() []scope.Parameter {
	fields := make([]scope.Parameter, len(r.table.Defined))
	for i, c := range r.table.Defined {
		typ, d, err := sqltype.ResolveDomain(c.Type, r.Catalog.Type)
		if err != nil {
			panic(err)
		}
		fields[i] = scope.Parameter{Name: c.Name.Name, Type: typ, Domain: d}
	}
	return fields
}

// query reads the fields of the objects, or where they have none those of the row that follows the
// value of JSON in args.
func (r *recordCall) query(fields []scope.Parameter, args []algebra.Expr) *scope.Bound {
	var items []string
	for i, f := range fields {
		key := "'" + strings.ReplaceAll(f.Name, "'", "''") + "'"
		item := member(r.kind, key, sqltype.Unlimited(f.Type))
		if r.based && !isNull(args[i+1]) {
			item = fmt.Sprintf("CASE WHEN (e -> %s) IS NULL THEN $%d ELSE %s END", key, i+2, item)
		}
		items = append(items, item+" AS "+dialect.QuoteIdent(f.Name))
	}
	if r.table.Ordinality {
		items, fields = append(items, "n AS ordinality"), append(fields, scope.Parameter{Type: algebra.TInt64})
	}
	from := "(SELECT $1 AS e, 1::bigint AS n) r"
	if r.set {
		from = r.kind + "_array_elements($1) WITH ORDINALITY AS r(e, n)"
	}
	return r.assigned(queryOf(r.Exprs, r.table, "SELECT "+strings.Join(items, ", ")+" FROM "+from, args), fields)
}

func isNull(e algebra.Expr) bool {
	c, ok := e.(*algebra.Const)
	return ok && c.Val.Kind == value.Null
}

// assigned converts columns as INSERT does, where a text that is too long is an error.
func (r *recordCall) assigned(rel *scope.Bound, fields []scope.Parameter) *scope.Bound {
	x := &scope.Exprs{Binder: r.Binder, Scope: &scope.Scope{}}
	items := make([]algebra.Item, len(fields))
	for i, c := range rel.Columns() {
		e := convert.InDomain(x, convert.Coerce(x, c.Ref(), fields[i].Type, sqltype.Assignment, sql.NoPos), fields[i].Domain)
		if _, ok := e.(*algebra.ColumnRef); !ok {
			c = r.NewColumn(c.Name, fields[i].Type, c.Nullable || fields[i].Domain != nil)
			r.NoteDomain(c, fields[i].Domain)
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
