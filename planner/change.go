package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// change binds a DELETE or UPDATE.
type change struct {
	*binder
	env    *environment
	target *Relation
	// written is what becomes of the target; nil where it is open to all.
	written *Access
	node    algebra.Node
	scope   *scope
	own     []algebra.Column // the table's columns
	at      algebra.Column   // the position of its row
}

// changed is a bound DELETE or UPDATE: the table, the columns that are set, and the rows as
// ChangePlan has them.
type changed struct {
	target *Relation
	set    []int
	rows   algebra.Node
}

// deletion binds DELETE.
func (b *binder) deletion(del *sql.Delete) (*changed, error) {
	c := &change{binder: b}
	err := c.from(del.With, del.Table, "delete from", del.Alias, del.Using)
	if err != nil {
		return nil, err
	}
	if err := c.where(del.Where); err != nil {
		return nil, err
	}
	returned, err := c.returning(del.Returning, c.scope, c.env)
	if err != nil {
		return nil, err
	}
	if c.written != nil {
		c.written.Delete = true
	}
	return c.rows(nil, append(passOn([]algebra.Column{c.at}), returned...)), nil
}

// update binds UPDATE.
func (b *binder) update(upd *sql.Update) (*changed, error) {
	c := &change{binder: b}
	err := c.from(upd.With, upd.Table, "update", upd.Alias, upd.From)
	if err != nil {
		return nil, err
	}
	if err := c.where(upd.Where); err != nil {
		return nil, err
	}
	after, values := c.after(upd.Set)
	returned, err := c.returning(upd.Returning, after, c.env)
	if err != nil {
		return nil, err
	}
	set, items, err := c.assignments(upd.Set, values)
	if err != nil {
		return nil, err
	}
	if err := itemErrors(c.opts.Meter, items); err != nil {
		return nil, err
	}
	if c.written != nil {
		c.written.Update, c.written.Written = true, set
	}
	c.node = &algebra.Project{Input: c.node, Items: append(passOn(c.node.Columns()), items...)}
	out := passOn([]algebra.Column{c.at})
	for _, item := range items {
		out = append(out, passOn([]algebra.Column{item.Column})...)
	}
	return c.rows(set, append(out, returned...)), nil
}

// rows completes the query.
func (c *change) rows(set []int, items []algebra.Item) *changed {
	return &changed{target: c.target, set: set, rows: &algebra.Project{Input: c.node, Items: items}}
}

// from binds WITH, the table that is changed, and the tables beside it, which
// cannot name it.
func (c *change) from(with *sql.With, name sql.Name, verb string, alias sql.Ident, beside []sql.TableExpr) error {
	var err error
	if c.env, err = c.with(with, nil); err != nil {
		return err
	}
	if c.target, err = c.targetTable(name, verb); err != nil {
		return err
	}
	pos := int(name[0].Pos)
	if c.target.Numbered == nil {
		return value.ErrorAt(pos, value.CodeWrongObjectType, "cannot %s table %q", verb, nameText(name))
	}
	if err := c.countRelation(pos); err != nil {
		return err
	}
	c.written = c.accessTo(c.target)
	if err := c.scanTarget(targetAlias(name, alias), pos); err != nil {
		return err
	}
	if len(beside) == 0 {
		return nil
	}
	node, sc, err := c.binder.from(beside, c.env)
	if err != nil {
		return err
	}
	if c.scope, err = c.scope.join(sc, tablePos(beside[0])); err != nil {
		return err
	}
	c.node = &algebra.Join{Kind: algebra.JoinInner, Left: c.node, Right: node}
	return nil
}

// scanTarget reads the table with the positions of its rows, which have no name.
func (c *change) scanTarget(alias string, pos int) error {
	numbered := *c.target
	numbered.Ref.Handle = c.target.Numbered
	position := CatalogColumn{Type: algebra.TInt64, NotNull: true}
	if rows := c.target.Ref.Rows; rows > 0 {
		position.Stats = algebra.Stats{HasBounds: true, Max: rows - 1, Distinct: float64(rows), Unique: true}
	}
	numbered.Columns = append(numbered.Columns[:len(numbered.Columns):len(numbered.Columns)], position)
	var err error
	if c.node, c.scope, err = c.scan(&numbered, alias, nil, pos); err != nil {
		return err
	}
	cols := c.node.Columns()
	c.own, c.at = cols[:len(cols)-1], cols[len(cols)-1]
	c.scope.cols = c.scope.cols[:len(c.own)]
	c.scope.guard(c.written)
	return nil
}

func (c *change) where(e sql.Expr) error {
	if e == nil {
		return nil
	}
	x := &exprBinder{binder: c.binder, scope: c.scope, env: c.env, clause: "WHERE"}
	cond, err := x.condition(e, "WHERE")
	if err != nil {
		return err
	}
	c.node = &algebra.Filter{Input: c.node, Conds: algebra.Conjuncts(cond)}
	return nil
}

// targetTable finds the table that a statement changes.
func (b *binder) targetTable(name sql.Name, verb string) (*Relation, error) {
	pos := int(name[0].Pos)
	target, err := b.lookUp(name)
	switch {
	case err != nil:
		return nil, err
	case target == nil:
		return nil, value.ErrorAt(pos, value.CodeUndefinedTable, "relation %q does not exist", nameText(name))
	case target.View != "":
		return nil, value.ErrorAt(pos, value.CodeWrongObjectType, "cannot %s view %q", verb, nameText(name))
	}
	return target, nil
}

// targetAlias is what the expressions of a statement call the table that it
// changes.
func targetAlias(name sql.Name, alias sql.Ident) string {
	if alias.Name != "" {
		return alias.Name
	}
	return name[len(name)-1].Name
}

// returning binds RETURNING to the columns that it gives.
func (b *binder) returning(items []sql.SelectItem, sc *scope, env *environment) ([]algebra.Item, error) {
	if items == nil {
		return nil, nil
	}
	s := &block{binder: b, sel: &sql.Select{Items: items}, env: env, scope: sc}
	x := s.exprs("RETURNING", false)
	if err := s.selectItems(x, false); err != nil {
		return nil, err
	}
	out := make([]algebra.Item, len(s.items))
	for i, item := range s.items {
		out[i] = algebra.Item{
			Column: b.newColumn(item.name, item.expr.Type(), algebra.CanBeNull(item.expr)),
			Expr:   item.expr,
		}
	}
	return out, nil
}
