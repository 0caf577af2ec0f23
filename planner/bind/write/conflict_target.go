package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// conflictTarget binds what ON CONFLICT says of keys.
type conflictTarget struct {
	*scope.Binder
	ins      *sql.Insert
	target   *scope.Relation
	alias    string
	proposed []algebra.Column // the rows to insert
	written  *scope.Access    // of the INSERT; nil where the table is open to all
}

// keys are those that ON CONFLICT means: that of a name, one of what it lists, or all.
func (c *conflictTarget) keys() []scope.Key {
	on := c.ins.OnConflict
	meant := func(key scope.Key) bool { return key.Index == nil && key.Name == on.Constraint.Name }
	switch {
	case !on.HasTarget():
		return c.target.Keys
	case on.Constraint.Name == "":
		meant = c.inferred()
	}
	if i := slices.IndexFunc(c.target.Keys, meant); i >= 0 {
		return c.target.Keys[i : i+1]
	}
	if on.Constraint.Name != "" {
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q for table %q does not exist", on.Constraint.Name, c.target.Ref.Name))
	}
	panic(value.Errorf(value.CodeInvalidColumnReference,
		"there is no unique or exclusion constraint matching the ON CONFLICT specification"))
}

// inferred reports of a key whether it has the columns and expressions that ON CONFLICT lists, and no
// other. The condition of a partial index must be part of that which stands behind them.
func (c *conflictTarget) inferred() func(scope.Key) bool {
	on := c.ins.OnConflict
	sc := inSchema(scope.New(c.alias, c.proposed), c.target, c.ins.Table, c.ins.Alias)
	sc.Guard(c.written)
	x := &scope.Exprs{Binder: c.Binder, Scope: sc, Clause: "ON CONFLICT clauses", Alone: "index expression"}
	var listed, conds []algebra.Expr
	for _, id := range on.Columns {
		listed = append(listed, x.Resolve(sql.Name{{Name: id.Name, Pos: on.List}}).Col.Ref())
	}
	for _, e := range on.Exprs {
		listed = append(listed, indexPart(x, e, false))
	}
	if x.Alone = "index predicate"; on.Matching != nil {
		conds = algebra.Conjuncts(convert.Condition(x, on.Matching, "WHERE"))
	}
	return func(key scope.Key) bool {
		parts, cond := c.parts(&key, scope.New(c.alias, c.proposed))
		return containsAll(listed, parts) && containsAll(parts, listed) && (cond == nil || containsAll(conds, algebra.Conjuncts(cond)))
	}
}

// parts are what a key is of, over the columns of a row of the table, and the condition of a partial
// index; nil for none.
func (c *conflictTarget) parts(key *scope.Key, row *scope.Scope) (parts []algebra.Expr, cond algebra.Expr) {
	if !key.Index.Computed() {
		for _, column := range key.Columns {
			parts = append(parts, row.Cols[column].Col.Ref())
		}
		return parts, nil
	}
	x := &scope.Exprs{Binder: c.Binder, Scope: row}
	for _, text := range key.Index.Exprs {
		parts = append(parts, indexPart(x, parsed(text), false))
	}
	if key.Index.Where != "" {
		cond = indexPart(x, parsed(key.Index.Where), true)
	}
	return parts, cond
}

// containsAll reports whether all of some expressions are among others.
func containsAll(among, exprs []algebra.Expr) bool {
	return !slices.ContainsFunc(exprs, func(e algebra.Expr) bool { return !algebra.Contains(among, e) })
}
