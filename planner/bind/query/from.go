package query

import (
	"math"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/call"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// From binds a FROM clause: its items side by side. Without items it is one
// row of no columns.
func From(b *scope.Binder, items []sql.TableExpr, env *scope.Environment) (algebra.Node, *scope.Scope) {
	if len(items) == 0 {
		return &algebra.Values{Rows: make([][]value.Value, 1)}, &scope.Scope{}
	}
	node, sc := table(b, items[0], env, &scope.Scope{})
	for _, item := range items[1:] {
		right, rightScope := table(b, item, env, sc)
		sc.Add(rightScope, int(item.Position()))
		node = dependent(&algebra.Join{Kind: algebra.JoinInner, Left: node, Right: right})
	}
	return node, sc
}

// table binds one FROM item. before is what stands before it, which it may
// name where it is LATERAL.
func table(b *scope.Binder, t sql.TableExpr, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	b.Enter(t.Position())
	defer b.Leave()
	switch t := t.(type) {
	case *sql.TableName:
		return tableName(b, t, env)
	case *sql.TableFile:
		return tableFile(b, t)
	case *sql.TableFunc:
		return tableFunc(b, t, env, before)
	case *sql.TableSample:
		return tableSample(b, t, env, before)
	case *sql.DerivedTable:
		return derivedTable(b, t, env, before)
	case *sql.JoinExpr:
		return joined(b, t, env, before)
	}
	panic(value.Errorf(value.CodeInternal, "unknown kind of FROM item %T", t))
}

// joined binds the operands of a join and joins them.
func joined(b *scope.Binder, j *sql.JoinExpr, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	kind, ok := joinKinds[j.Kind]
	if !ok {
		panic(term.NotSupported(j.Pos, strings.ToUpper(j.Kind)+" JOIN is"))
	}
	leftEnv, rightEnv := env, env
	if kind == algebra.JoinRight || kind == algebra.JoinFull {
		leftEnv = scope.Barred(env, scope.WithinOuterJoin)
	}
	if kind == algebra.JoinLeft || kind == algebra.JoinFull {
		rightEnv = scope.Barred(env, scope.WithinOuterJoin)
	}
	left, leftScope := table(b, j.Left, leftEnv, before)
	right, rightScope := table(b, j.Right, rightEnv, before.Beside(leftScope))
	return join(b, j, env, left, right, leftScope, rightScope, before)
}

func tableName(b *scope.Binder, t *sql.TableName, env *scope.Environment) (algebra.Node, *scope.Scope) {
	pos := t.Name[0].Pos
	b.CountRelation(int(pos))
	alias := t.Alias.Name
	if alias == "" {
		alias = t.Name[len(t.Name)-1].Name
	}
	if len(t.Name) == 1 {
		if entry := env.Find(t.Name[0].Name); entry != nil {
			return cteName(b, entry, env, t, alias)
		}
	}
	r := b.LookUp(t.Name)
	if r == nil {
		panic(value.ErrorAt(int(pos), value.CodeUndefinedTable, "relation %q does not exist", t.Name.Dotted()))
	}
	access := b.AccessTo(r)
	if access != nil {
		access.Select = true
	}
	var node algebra.Node
	var sc *scope.Scope
	if b.ViewDepth == 0 && b.Opts.Named != nil {
		b.Opts.Named(t.Name)
	}
	if r.View != "" {
		node, sc = view(b, r, alias, t)
	} else {
		node, sc = Scan(b, r, alias, t.Columns, int(pos))
		node = AddTableOID(b, r, OwnRows(b, r, node.(*algebra.Scan), t.Only), sc)
	}
	schema := ""
	if t.Alias.Name == "" {
		schema = r.SchemaAs(t.Name)
	}
	sc.Is(schema, t.Name[len(t.Name)-1].Name)
	sc.Guard(access)
	return node, sc
}

// cteName binds a reference to a common table expression.
func cteName(b *scope.Binder, entry *scope.Environment, env *scope.Environment, t *sql.TableName, alias string) (algebra.Node, *scope.Scope) {
	pos := t.Name[0].Pos
	node, sc := named(useCTE(b, entry, env, pos), alias, entry.CTE.Columns, t.Columns, int(pos))
	_, sc.Recursive = node.(*algebra.Working)
	sc.Reads(entry.Name)
	return node, sc
}

// tableSample binds a table with TABLESAMPLE.
func tableSample(b *scope.Binder, t *sql.TableSample, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	node, sc := table(b, t.Table, env, before)
	var r *scope.Relation
	if name, ok := t.Table.(*sql.TableName); ok && (len(name.Name) > 1 || env.Find(name.Name[0].Name) == nil) {
		r = b.LookUp(name.Name)
	}
	oids, named := node.(*algebra.Project)
	if named {
		node = oids.Input
	}
	own, partial := node.(*algebra.Filter)
	if partial {
		node = own.Input
	}
	base, ok := node.(*algebra.Scan)
	if !ok || r == nil || r.Numbered == nil {
		panic(value.ErrorAt(int(t.Position()), value.CodeFeatureNotSupported,
			"TABLESAMPLE clause can only be applied to tables and materialized views"))
	}
	draw := drawOf(b, t)
	numbered, position := Numbered(b, base, r)
	node = &algebra.TableSample{Input: numbered, Position: position.Ref(), Draw: draw}
	if partial {
		node = &algebra.Filter{Input: node, Conds: own.Conds}
	}
	if named {
		node = &algebra.Project{Input: node, Items: oids.Items}
	}
	return node, sc
}

// drawOf evaluates what a TABLESAMPLE says.
func drawOf(b *scope.Binder, t *sql.TableSample) algebra.Draw {
	d := algebra.Draw{Method: strings.TrimPrefix(t.Method.Dotted(), "pg_catalog.")}
	pos := int(t.Method[0].Pos)
	if _, ok := algebra.DrawMethods[d.Method]; !ok {
		panic(value.ErrorAt(pos, value.CodeUndefinedObject, "tablesample method %s does not exist", t.Method.Dotted()))
	}
	if n := len(t.Args); n != 1 {
		panic(value.ErrorAt(pos, value.CodeInvalidSampleArgument, "tablesample method %s requires 1 argument, not %d", d.Method, n))
	}
	percent := sampleArgument(b, t.Args[0], algebra.TFloat32, "TABLESAMPLE")
	pos = int(t.Args[0].Position())
	d.Percent = percent.F
	switch {
	case b.Opts.InferParams: // parameters have no values yet
	case percent.Kind == value.Null:
		panic(value.ErrorAt(pos, value.CodeInvalidSampleArgument, "TABLESAMPLE parameter cannot be null"))
	case !(d.Percent >= 0 && d.Percent <= 100):
		panic(value.ErrorAt(pos, value.CodeInvalidSampleArgument, "sample percentage must be between 0 and 100"))
	}
	if t.Repeatable == nil {
		d.Seed = b.Seed(t, b.Opts.Random)
		return d
	}
	seed := sampleArgument(b, t.Repeatable, algebra.TFloat64, "REPEATABLE")
	if seed.Kind == value.Null && !b.Opts.InferParams {
		panic(value.ErrorAt(int(t.Repeatable.Position()), value.CodeInvalidSampleRepeat, "TABLESAMPLE REPEATABLE parameter cannot be null"))
	}
	d.Repeatable, d.Seed = true, int64(math.Float64bits(seed.F+0)) // −0 is 0
	return d
}

// sampleArgument evaluates a constant of TABLESAMPLE.
func sampleArgument(b *scope.Binder, e sql.Expr, typ algebra.Type, clause string) value.Value {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: clause}
	if ref := term.FirstColumn(e); ref != nil {
		panic(term.NotSupported(ref.Position(), "a column in "+clause+" is"))
	}
	bound := x.Expr(e)
	if from := bound.Type(); sqltype.CastNeeds(from.Kind, typ.Kind) > sqltype.Assignment && from.Kind != algebra.Unknown {
		panic(value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch,
			"argument of %s must be type %s, not type %s", clause, sqltype.Name(typ), sqltype.Name(from)))
	}
	bound = convert.Coerce(x, bound, typ, sqltype.Assignment, e.Position())
	return b.Constant(bound, int(e.Position())).Val
}

// view binds a view's query in the place of its name.
func view(b *scope.Binder, r *scope.Relation, alias string, t *sql.TableName) (algebra.Node, *scope.Scope) {
	pos := int(t.Name[0].Pos)
	b.ViewDepth++
	defer func() { b.ViewDepth-- }()
	if b.ViewDepth > scope.MaxViewDepth {
		panic(value.ErrorAt(pos, value.CodeTooComplex, "views are nested more than %d levels deep", scope.MaxViewDepth))
	}
	outer, enclosing := b.Catalog, b.Access.As
	if b.Access.As = r.Owner; r.Within != nil {
		b.Catalog = r.Within
	}
	rel, err := sqlstate.Try(func() *scope.Bound {
		q := parseView(r.View)
		b.Binds(q)
		return b.Query(q, nil, false)
	})
	b.Catalog, b.Access.As = outer, enclosing
	if err != nil {
		panic(inView(err, t, pos))
	}
	names := lists.Map(r.Names, func(name string) sql.Ident { return sql.Ident{Name: name, Pos: sql.NoPos} })
	return named(rel, alias, names, t.Columns, pos)
}

// inView moves an error in a view's text to where the view is used.
func inView(err error, t *sql.TableName, pos int) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	c := *e
	c.Pos = pos
	if c.Detail == "" {
		c.Detail = "The error is in the text of view " + t.Name.Dotted() + "."
	}
	return &c
}

func derivedTable(b *scope.Binder, t *sql.DerivedTable, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	if t.Lateral {
		outer := &scope.Exprs{Binder: b, Scope: before, Env: env, Clause: "FROM clause of their own query level"}
		env = &scope.Environment{Parent: env, Outer: outer}
	} else {
		env = &scope.Environment{Parent: env, Beside: before}
	}
	b.CountRelation(int(t.Pos))
	return named(b.Query(t.Query, env, false), t.Alias.Name, nil, t.Columns, int(t.Pos))
}

func tableFile(b *scope.Binder, t *sql.TableFile) (algebra.Node, *scope.Scope) {
	return file(b, t.Path, nil, t.Alias.Name, t.Columns, int(t.Pos))
}

// file binds a file or glob that stands in FROM.
func file(b *scope.Binder, path string, options map[string]string, alias string, rename []sql.Ident, pos int) (algebra.Node, *scope.Scope) {
	b.CountRelation(pos)
	r, err := b.Catalog.File(path, options)
	if err != nil {
		panic(value.At(err, pos))
	}
	if r == nil {
		panic(value.ErrorAt(pos, value.CodeFeatureNotSupported, "reading the file %q is not supported here", path))
	}
	if alias == "" {
		alias = fileAlias(path)
	}
	return Scan(b, r, alias, rename, pos)
}

// tableFunc binds a function in FROM: one that returns rows, one that reads a file, one
// of the catalog's relations, or any other, which returns one row.
func tableFunc(b *scope.Binder, t *sql.TableFunc, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	name := strings.TrimPrefix(strings.TrimPrefix(t.Call.Name.Dotted(), "pg_catalog."), "information_schema.")
	if len(t.Beside) == 0 {
		if user := call.FindUser(inFrom(b, env, before), t.Call); user != nil && user.ReturnsRows() {
			return userTable(t, user)
		}
	}
	if len(t.Beside) > 0 {
		return setFunctionTable(b, t, name, env, before)
	}
	if record := recordFunction(inFrom(b, env, before), t, name); record != nil || len(t.Defined) > 0 {
		return recordTable(t, record)
	}
	if f := function.Find(function.Set, name); f != nil && f.Query != "" {
		return sqlTable(b, t, f.Query, env, before)
	} else if f != nil {
		return setFunctionTable(b, t, name, env, before)
	}
	if name == "hierarchy_elements" {
		return hierarchyElements(b, t)
	}
	formats := map[string]string{"read_csv": "csv", "read_parquet": "parquet", "read_arrow": "arrow"}
	format, ok := formats[name]
	if !ok {
		return relationFunc(b, t, name, env, before)
	}
	if t.Ordinality {
		panic(term.NotSupported(t.Call.Pos, "WITH ORDINALITY of the table function "+name+" is"))
	}
	if len(t.Call.Args) != 1 {
		panic(value.ErrorAt(int(t.Call.Pos), value.CodeUndefinedFunction, "%s takes one argument, the path", name))
	}
	path, ok := t.Call.Args[0].(*sql.Literal)
	if !ok || path.Kind != sql.StringLiteral {
		panic(value.ErrorAt(int(t.Call.Pos), value.CodeInvalidParameter, "the path of %s must be a string literal", name))
	}
	return file(b, path.Text, map[string]string{"format": format}, t.Alias.Name, t.Columns, int(t.Call.Pos))
}

// hierarchyElements binds hierarchy_elements('h') in FROM.
func hierarchyElements(b *scope.Binder, t *sql.TableFunc) (algebra.Node, *scope.Scope) {
	pos := int(t.Call.Pos)
	b.CountRelation(pos)
	elements := elementsOf(b, t)
	alias := t.Alias.Name
	if alias == "" {
		alias = "hierarchy_elements"
	}
	return Scan(b, elements, alias, t.Columns, pos)
}

// relationFunc binds a function in FROM that the catalog has, or else one that gives
// one row.
func relationFunc(b *scope.Binder, t *sql.TableFunc, name string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	if len(t.Call.Args) == 0 {
		path := t.Call.Name.Parts()
		alias := path[len(path)-1]
		path[len(path)-1] += "()"
		rel, err := b.Catalog.Relation(path)
		if err != nil {
			panic(value.At(err, int(t.Call.Pos)))
		}
		if rel != nil && t.Ordinality {
			panic(term.NotSupported(t.Call.Pos, "WITH ORDINALITY of the table function "+name+" is"))
		}
		if rel != nil {
			if t.Alias.Name != "" {
				alias = t.Alias.Name
			}
			return Scan(b, rel, alias, t.Columns, int(t.Call.Pos))
		}
	}
	return setFunctionTable(b, t, name, env, before)
}
