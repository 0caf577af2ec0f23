package write

import (
	"github.com/cubeloom/cubeloom/planner/bind/call"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
)

// NewBinder makes a binder of statements over a catalog, which is used once.
func NewBinder(cat scope.Catalog, opts *scope.Options) *scope.Binder {
	return scope.NewBinder(cat, opts, scope.Grammar{Expr: expression.Bind, Call: call.Bind, Query: query.Bind, Write: inWith})
}

// Statement binds a query, or a statement that changes rows.
func Statement(b *scope.Binder, stmt sql.Statement) *Bound {
	env := &scope.Environment{Top: true}
	b.Binds(stmt)
	b.Binds(b.Opts.Around)
	if b.Opts.Around != nil {
		env = query.With(b, b.Opts.Around, env)
	}
	if q, ok := stmt.(*sql.Query); ok {
		return &Bound{Returns: true, Rows: b.Query(q, env, false).Node}
	}
	return bindChange(b, stmt.(sql.Change), env)
}

// bindChange binds a statement that changes rows.
func bindChange(b *scope.Binder, stmt sql.Change, env *scope.Environment) *Bound {
	switch stmt := stmt.(type) {
	case *sql.Insert:
		return insert(b, stmt, env)
	case *sql.Update:
		return update(b, stmt, env)
	case *sql.Delete:
		return deletion(b, stmt, env)
	}
	return merge(b, stmt.(*sql.Merge), env)
}

// inWith binds a statement in WITH, and describes what it returns; nil without RETURNING.
func inWith(b *scope.Binder, stmt sql.Change, env *scope.Environment) *scope.Relation {
	bound := bindChange(b, stmt, env)
	if !bound.Returns {
		return nil
	}
	rel := &scope.Relation{Momentary: true}
	for _, c := range bound.Rows.Columns()[bound.Own:] {
		rel.Columns = append(rel.Columns, scope.CatalogColumn{Name: c.Name, Type: c.Type})
	}
	return rel
}
