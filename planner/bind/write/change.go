// Package write binds what changes a table: INSERT, UPDATE, DELETE, COPY, defaults and new
// types of columns.
package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/check"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// deletion binds DELETE.
func deletion(b *scope.Binder, del *sql.Delete, env *scope.Environment) *Bound {
	c := &change{Binder: b}
	c.from(query.With(b, del.With, env), del.Table, del.Only, "delete from", del.Alias, del.Using)
	c.where(del.Where)
	returned := returning(c.Binder, del.Returning, c.scope, c.env)
	if c.written != nil {
		c.written.Delete = true
	}
	return c.rows(nil, term.PassOn([]algebra.Column{c.at}), returned)
}

// update binds UPDATE.
func update(b *scope.Binder, upd *sql.Update, env *scope.Environment) *Bound {
	c := &change{Binder: b}
	c.from(query.With(b, upd.With, env), upd.Table, upd.Only, "update", upd.Alias, upd.From)
	c.where(upd.Where)
	c.takeNext(upd.Set)
	after, values := c.after(upd.Set)
	returned := returning(c.Binder, upd.Returning, after, c.env)
	set, items := c.assignments(upd.Set, values)
	if err := check.Items(c.Opts.Meter, items); err != nil {
		panic(err)
	}
	if c.written != nil {
		c.written.Update, c.written.Written = true, c.named(upd.Set)
	}
	c.node = &algebra.Project{Input: c.node, Items: append(term.PassOn(c.node.Columns()), items...)}
	set, items = c.generate(after, set, items)
	c.locate(after)
	out := term.PassOn([]algebra.Column{c.at})
	for _, item := range items {
		out = append(out, term.PassOn([]algebra.Column{item.Column})...)
	}
	return c.rows(set, out, returned)
}

// rows completes the query.
func (c *change) rows(set []int, own, returned []algebra.Item) *Bound {
	node := &algebra.Project{Input: c.node, Items: append(slices.Clip(own), returned...)}
	return &Bound{Target: c.target, Set: set, Own: len(own), Returns: returned != nil, Rows: node}
}

// from binds the table that is changed, and the tables beside it, which cannot name it.
func (c *change) from(env *scope.Environment, name sql.Name, only bool, verb string, alias sql.Ident, beside []sql.TableExpr) {
	c.env = env
	c.target = targetTable(c.Binder, name, verb)
	pos := int(name[0].Pos)
	if c.target.Numbered == nil {
		panic(value.ErrorAt(pos, value.CodeWrongObjectType, "cannot %s table %q", verb, name.Dotted()))
	}
	c.CountRelation(pos)
	c.written = c.AccessTo(c.target)
	c.scanTarget(targetAlias(name, alias), only, pos)
	inSchema(c.scope, c.target, name, alias)
	if len(beside) == 0 {
		return
	}
	node, sc := query.From(c.Binder, beside, c.env)
	c.scope = c.scope.Join(sc, int(beside[0].Position()))
	c.node = &algebra.Join{Kind: algebra.JoinInner, Left: c.node, Right: node}
}

// scanTarget reads the table with the positions of its rows, which have no name.
func (c *change) scanTarget(alias string, only bool, pos int) {
	node, sc := query.Scan(c.Binder, c.target, alias, nil, pos)
	c.scope = sc
	numbered, at := query.Numbered(c.Binder, node.(*algebra.Scan), c.target)
	c.node, c.at = query.AddTableOID(c.Binder, c.target, query.OwnRows(c.Binder, c.target, numbered, only), sc), at
	c.scope.Guard(c.written)
}

func (c *change) where(e sql.Expr) {
	if e == nil {
		return
	}
	x := &scope.Exprs{Binder: c.Binder, Scope: c.scope, Env: c.env, Clause: "WHERE"}
	cond := convert.Condition(x, e, "WHERE")
	c.node = &algebra.Filter{Input: c.node, Conds: algebra.Conjuncts(cond)}
}

// returning binds RETURNING to the columns that it returns.
func returning(b *scope.Binder, items []sql.SelectItem, sc *scope.Scope, env *scope.Environment) []algebra.Item {
	if items == nil {
		return nil
	}
	s := &query.Block{Binder: b, Sel: &sql.Select{Items: items}, Env: env, Scope: sc}
	x := s.Exprs("RETURNING", false)
	s.SelectItems(x, false)
	out := make([]algebra.Item, len(s.Items))
	for i, item := range s.Items {
		out[i] = algebra.Item{
			Column: b.NewColumn(item.Name, item.Expr.Type(), algebra.CanBeNull(item.Expr)),
			Expr:   item.Expr,
		}
	}
	return out
}
