package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// insert binds INSERT INTO t (columns) query ON CONFLICT … RETURNING ….
func insert(b *scope.Binder, ins *sql.Insert, env *scope.Environment) *Bound {
	env = query.With(b, ins.With, env)
	target := targetTable(b, ins.Table, "insert into")
	columns := TargetColumns(target, ins.Columns, ins.Elements)
	written := b.AccessTo(target)
	if written != nil {
		written.Insert = true
	}
	node, given := insertSource(b, ins, target, columns, env)
	if written != nil {
		written.Written = columns[:given]
	}
	out := &Bound{Target: target, Own: len(target.Columns), Returns: ins.Returning != nil, Rows: node}
	rows := node.Columns()
	if ins.OnConflict != nil {
		t := conflictTarget{Binder: b, ins: ins, target: target, alias: targetAlias(ins.Table, ins.Alias), proposed: rows, written: written}
		c := &conflicts{conflictTarget: t, env: env}
		out.Rows, rows = c.bind(node)
		out.Conflict, out.Own = &c.made, c.made.own(len(target.Columns))
	}
	if ins.Returning == nil {
		return out
	}
	sc := inSchema(scope.New(targetAlias(ins.Table, ins.Alias), rows), target, ins.Table, ins.Alias)
	node = query.AddTableOID(b, target, out.Rows, sc)
	sc.Guard(written)
	returned := returning(b, ins.Returning, sc, env)
	out.Rows = &algebra.Project{Input: node, Items: append(term.PassOn(node.Columns()[:out.Own]), returned...)}
	return out
}

// insertSource binds the rows to insert and converts them to the table's shape. It also
// returns the number of columns that the statement lists.
func insertSource(b *scope.Binder, ins *sql.Insert, target *scope.Relation, columns []int, env *scope.Environment) (node algebra.Node, listed int) {
	node, next := insertRows(b, ins, target, columns, env)
	own := node.Columns()
	cols, nextCols := own[:len(own)-len(next)], own[len(own)-len(next):]
	if len(cols) > len(columns) {
		panic(value.ErrorAt(int(ins.Query.Pos), value.CodeSyntax, "INSERT has more expressions than target columns"))
	}
	if len(cols) < len(columns) && len(ins.Columns) > 0 {
		panic(value.ErrorAt(int(ins.Columns[len(cols)].Pos), value.CodeSyntax, "INSERT has more target columns than expressions"))
	}
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Env: env, Clause: "INSERT"}
	places := itemPlaces(ins.Query, len(cols))
	items := make([]algebra.Item, len(target.Columns))
	for i, col := range cols {
		item := &items[columns[i]]
		item.Expr = columnGiven(x, ins, i, &source{expr: col.Ref(), pos: places[i]}, &target.Columns[columns[i]], item.Expr)
	}
	for i, col := range nextCols {
		items[next[i]].Expr = assign(x, col.Ref(), target.Columns[next[i]], sql.NoPos)
	}
	for i := range items {
		c := &target.Columns[i]
		if items[i].Expr == nil {
			items[i].Expr = defaultOf(b, c)
		}
		items[i].Column = b.NewColumn(c.Name, c.Type, algebra.CanBeNull(items[i].Expr))
	}
	return generateAll(b, target, &algebra.Project{Input: node, Items: items}), len(cols)
}

// itemPlaces is where the n columns of a query stand: the items of its SELECT list, or the query
// where that does not have them one by one.
func itemPlaces(q *sql.Query, n int) []sql.Pos {
	if q == nil {
		return nil
	}
	places := slices.Repeat([]sql.Pos{q.Pos}, n)
	body, ok := q.Body.(*sql.Select)
	if !ok || len(body.Items) != n {
		return places
	}
	for i, item := range body.Items {
		places[i] = item.Expr.Position()
	}
	return places
}

// insertRows binds the query of an INSERT. The literals of VALUES take the
// types of the columns that they go into. Behind the columns that are given stand values of
// sequences, for the columns next.
func insertRows(b *scope.Binder, ins *sql.Insert, target *scope.Relation, columns []int, env *scope.Environment) (node algebra.Node, next []int) {
	q := ins.Query
	if q == nil { // DEFAULT VALUES: all columns are left out
		return &algebra.Values{Rows: make([][]value.Value, 1)}, nil
	}
	if v, ok := q.Body.(*sql.Values); ok && q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil {
		given := columns[:min(len(columns), len(v.Rows[0]))]
		checkGenerated(ins, target, given)
		next = generated(ins, target, given)
		node = insertValues(b, ins, v, target, columns, next, env)
		return node, next
	}
	rel := b.Query(q, env, true)
	types := make([]algebra.Type, len(rel.Columns()))
	for i := range types {
		types[i] = algebra.TText
		if i < len(columns) {
			types[i] = sqltype.Unlimited(givenType(ins, i, target.Columns[columns[i]].Type)) // what goes into it is checked against its length
		}
	}
	x := &scope.Exprs{Binder: b}
	node = query.TypeLiterals(x, rel.Node, types, itemPlaces(q, len(types)))
	given := columns[:min(len(columns), len(types))]
	checkGenerated(ins, target, given)
	next = generated(ins, target, given)
	node = nextOfRows(b, node, target, next, -1)
	return node, next
}

// insertValues binds VALUES, with the values of sequences for the columns next behind them.
func insertValues(b *scope.Binder, ins *sql.Insert, v *sql.Values, target *scope.Relation, columns, next []int, env *scope.Environment) algebra.Node {
	width := len(v.Rows[0])
	if width > len(columns) {
		panic(value.ErrorAt(int(v.Rows[0][len(columns)].Position()), value.CodeSyntax,
			"INSERT has more expressions than target columns"))
	}
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Env: env, Clause: "VALUES"}
	into := slices.Concat(columns[:width], next)
	rows := make([][]algebra.Expr, len(v.Rows))
	for r, row := range v.Rows {
		if len(row) != width {
			panic(value.ErrorAt(int(row[0].Position()), value.CodeSyntax, "VALUES lists must all be the same length"))
		}
		rows[r] = make([]algebra.Expr, len(into))
		for i, column := range into {
			rows[r][i] = valueFor(x, ins, i, cellOf(row, i, slices.Contains(next, column)), &target.Columns[column])
		}
	}
	names := lists.Map(into, func(column int) string { return target.Columns[column].Name })
	if query.AnyDepends(rows) {
		return query.UnionOfRows(b, names, rows)
	}
	n := &algebra.Values{Rows: make([][]value.Value, len(rows))}
	for i, name := range names {
		n.Cols = append(n.Cols, b.NewColumn(name, givenType(ins, i, target.Columns[into[i]].Type), true))
	}
	for r, row := range rows {
		for _, e := range row {
			n.Rows[r] = append(n.Rows[r], e.(*algebra.Const).Val)
		}
	}
	return n
}

// cellOf is what a row of VALUES has in a column: DEFAULT behind those that it gives, which take
// the values of sequences as generated ones do; what it gives for those does not count.
func cellOf(row []sql.Expr, i int, generated bool) sql.Expr {
	switch {
	case i >= len(row):
		return &sql.Default{Pos: sql.NoPos}
	case generated:
		return &sql.Literal{Kind: sql.NullLiteral, Pos: row[i].Position()}
	}
	return row[i]
}

// valueFor binds expression i of a row of VALUES as a value of a column, or of an element of it, and
// computes it where it does not depend on rows.
func valueFor(x *scope.Exprs, ins *sql.Insert, i int, e sql.Expr, c *scope.CatalogColumn) algebra.Expr {
	s := &source{expr: valueOrDefault(x, e), pos: e.Position()}
	var bound algebra.Expr
	if element := elementOf(ins, i); element != nil {
		s.column, s.element = ins.Columns[i], element
		bound = elementValue(x, s, c)
	} else {
		bound = assigned(x, s, c)
	}
	if term.Depends(bound) {
		return bound
	}
	return x.Constant(bound, int(e.Position()))
}

// columnGiven is what an INSERT makes of a column by what it gives for its column i: so far are the elements that
// are set before, nil for none.
func columnGiven(x *scope.Exprs, ins *sql.Insert, i int, s *source, c *scope.CatalogColumn, sofar algebra.Expr) algebra.Expr {
	element := elementOf(ins, i)
	if element == nil {
		return assigned(x, s, c)
	}
	if s.column, s.element = ins.Columns[i], element; sofar == nil {
		sofar = &algebra.Const{Typ: c.Type}
	}
	return withElement(x, s, c, sofar)
}
