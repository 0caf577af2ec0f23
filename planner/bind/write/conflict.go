package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/check"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// conflicts binds ON CONFLICT.
type conflicts struct {
	conflictTarget
	env     *scope.Environment
	node    algebra.Node
	number  algebra.Column
	lookups []lookup
	made    Conflict
	change  *change      // DO UPDATE; nil without it
	changed *scope.Scope // what it leaves
}

// lookup is a key that proposed rows are looked up by.
type lookup struct {
	scope    *scope.Scope // of the table's row
	position algebra.Column
	first    algebra.Expr // the number of the first proposed row with the key
}

// bind adds what Conflict says to the proposed rows, and returns the columns that RETURNING
// names, too.
func (c *conflicts) bind(rows algebra.Node) (algebra.Node, []algebra.Column) {
	if c.target.Numbered == nil {
		panic(value.ErrorAt(int(c.ins.Table[0].Pos), value.CodeWrongObjectType, "cannot insert into table %q", c.ins.Table.Dotted()))
	}
	on := c.ins.OnConflict
	if on.Set != nil && !on.HasTarget() {
		e := value.ErrorAt(int(on.Pos), value.CodeSyntax, "ON CONFLICT DO UPDATE requires inference specification or constraint name")
		e.Hint = "For example, ON CONFLICT (column_name)."
		panic(e)
	}
	keys := c.keys()
	c.numberRows(rows)
	access := c.guard()
	for _, key := range keys {
		c.lookUp(&key, access)
	}
	c.made.Keys = len(c.lookups)
	return c.items(access)
}

// guard is what DO UPDATE does to the table; nil without it, and where the table is open to
// all.
func (c *conflicts) guard() *scope.Access {
	if c.ins.OnConflict.Set == nil {
		return nil
	}
	access := c.AccessTo(c.target)
	if access != nil {
		access.Update = true
	}
	return access
}

// numberRows numbers the proposed rows in their order.
func (c *conflicts) numberRows(rows algebra.Node) {
	c.number = c.NewColumn("number", algebra.TInt64, false)
	call := algebra.WindowCall{Column: c.number, Func: algebra.RowNumber, Frame: algebra.DefaultFrame()}
	c.node = &algebra.Window{Input: rows, Calls: []algebra.WindowCall{call}}
}

// lookUp finds the table's rows with the keys of the proposed ones, and the first proposed
// row with each key.
func (c *conflicts) lookUp(key *scope.Key, access *scope.Access) {
	pos := c.ins.OnConflict.Pos
	node, sc := query.Scan(c.Binder, c.target, c.alias, nil, int(pos))
	inSchema(sc, c.target, c.ins.Table, c.ins.Alias)
	numbered, position := query.Numbered(c.Binder, node.(*algebra.Scan), c.target)
	own := query.AddTableOID(c.Binder, c.target, query.OwnRows(c.Binder, c.target, numbered, false), sc)
	join := &algebra.Join{Kind: algebra.JoinLeft, Left: c.node, Right: own}
	x := &scope.Exprs{Binder: c.Binder, Scope: sc}
	parts, within := c.parts(key, sc)
	proposed, among := c.parts(key, scope.New(c.alias, c.proposed))
	partition := slices.Clip(proposed)
	var null []algebra.Expr
	for i, part := range proposed {
		equal := expression.Compare(x, algebra.Eq, part, parts[i], term.Operands{Op: "=", Left: pos, Right: pos, Pos: pos})
		join.Residual = append(join.Residual, equal)
		if algebra.CanBeNull(part) {
			null = append(null, term.IsNull(part))
		}
	}
	if within != nil {
		among = term.Call(algebra.IsTrue, algebra.TBool, sql.NoPos, among)
		join.Residual = append(join.Residual, within, among)
		partition, null = append(partition, among), append(null, term.NegateIf(true, among))
	}
	first := algebra.WindowCall{Column: c.NewColumn("first", algebra.TInt64, false), Func: algebra.WindowFunc(algebra.Min),
		Args: []algebra.Expr{c.number.Ref()}, Frame: algebra.DefaultFrame()}
	c.node = &algebra.Window{Input: join, PartitionBy: partition, Calls: []algebra.WindowCall{first}}
	l := lookup{scope: sc, first: first.Column.Ref()}
	if null != nil {
		l.first = &algebra.Case{Typ: algebra.TInt64, Else: l.first,
			Whens: []algebra.When{{Cond: term.Connect(algebra.Or, null, sql.NoPos), Then: &algebra.Const{Typ: algebra.TInt64}}}}
	}
	sc.Refresh(join)
	sc.Guard(access)
	l.position = position
	l.position.Nullable = true
	c.lookups = append(c.lookups, l)
}

// items computes what Conflict says of a row, and the columns that RETURNING names.
func (c *conflicts) items(access *scope.Access) (algebra.Node, []algebra.Column) {
	keep := c.NewColumn("keep", algebra.TBool, true)
	cond := algebra.Expr(&algebra.Const{Typ: algebra.TBool})
	var set []algebra.Item
	if c.ins.OnConflict.Set != nil {
		c.made.Set, set, cond = c.update(&c.lookups[0], access)
	}
	c.node = &algebra.Project{Input: c.node, Items: append(term.PassOn(c.node.Columns()), algebra.Item{Column: keep, Expr: cond})}
	for i := range set {
		set[i].Expr, set[i].Column.Nullable = where(keep.Ref(), set[i].Expr, nil), true
	}
	set = c.generate(set, keep)
	items := append(term.PassOn(c.proposed), set...)
	items = append(items, term.PassOn([]algebra.Column{c.number, keep})...)
	for i := range c.lookups {
		l := &c.lookups[i]
		items = append(items, algebra.Item{Column: l.position, Expr: l.position.Ref()},
			algebra.Item{Column: c.NewColumn("first", algebra.TInt64, true), Expr: l.first})
	}
	if set == nil || c.ins.Returning == nil {
		return &algebra.Project{Input: c.node, Items: items}, c.proposed
	}
	node, rows := c.after(items, set)
	return node, rows
}

// generate adds what becomes of generated columns to what is set, of the rows that are kept.
func (c *conflicts) generate(set []algebra.Item, keep algebra.Column) []algebra.Item {
	if c.change == nil || len(c.change.generated) == 0 {
		return set
	}
	c.change.node = &algebra.Project{Input: c.node, Items: append(term.PassOn(c.node.Columns()), set...)}
	c.change.guard = keep.Ref()
	c.made.Set, set = c.change.generate(c.changed, c.made.Set, set)
	c.node = c.change.node
	for i := range set {
		old := set[i].Column
		set[i] = algebra.Item{Column: c.NewColumn(old.Name, old.Type, true), Expr: old.Ref()}
	}
	return set
}

// update binds SET and WHERE of DO UPDATE; the latter is NULL where the table has no row with
// the key.
func (c *conflicts) update(l *lookup, access *scope.Access) (columns []int, set []algebra.Item, cond algebra.Expr) {
	on := c.ins.OnConflict
	excluded := scope.New("excluded", c.proposed)
	excluded.Guard(access)
	both := l.scope.Join(excluded, int(on.Pos))
	c.change = &change{Binder: c.Binder, env: c.env, target: c.target, scope: both}
	var values map[int]algebra.Column
	c.changed, values = c.change.after(on.Set)
	columns, set = c.change.assignments(on.Set, values)
	if err := check.Items(c.Opts.Meter, set); err != nil {
		panic(err)
	}
	if access != nil {
		access.Written = c.change.named(on.Set)
	}
	cond = &algebra.Const{Val: value.Value{Kind: value.Bool, B: true}, Typ: algebra.TBool}
	if on.Where != nil {
		x := &scope.Exprs{Binder: c.Binder, Scope: both, Env: c.env, Clause: "WHERE"}
		cond = convert.Condition(x, on.Where, "WHERE")
	}
	return columns, set, where(term.NotNull(l.position.Ref()), cond, nil)
}

// after adds the columns that a row has when it is stored to what items compute, and returns
// them: those that were proposed, or those of the table's row as DO UPDATE sets them.
func (c *conflicts) after(items, set []algebra.Item) (algebra.Node, []algebra.Column) {
	l := &c.lookups[0]
	var own []algebra.Column
	for i := range c.target.Columns {
		own = append(own, l.scope.Cols[i].Col)
	}
	computed := &algebra.Project{Input: c.node, Items: append(slices.Clip(items), term.PassOn(own)...)}
	for i, column := range c.made.Set {
		own[column] = set[i].Column
	}
	project := &algebra.Project{Input: computed, Items: slices.Clip(term.PassOn(computed.Columns()[:len(items)]))}
	found := term.NotNull(l.position.Ref())
	rows := make([]algebra.Column, len(own))
	for i, column := range own {
		e := where(found, column.Ref(), c.proposed[i].Ref())
		rows[i] = c.NewColumn(c.target.Columns[i].Name, column.Type, algebra.CanBeNull(e))
		project.Items = append(project.Items, algebra.Item{Column: rows[i], Expr: e})
	}
	return project, rows
}
