package write

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// DeleteRows runs DELETE.
func DeleteRows(ctx context.Context, s *session.Session, stmt *sql.Delete) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	return changeRows(ctx, s, stmt.Table, "DELETE", stmt.Returning != nil, func() (*planner.ChangePlan, error) {
		return planner.BuildDelete(stmt, catalog.Of(s), query.Options(s))
	}), nil
}

// UpdateRows runs UPDATE.
func UpdateRows(ctx context.Context, s *session.Session, stmt *sql.Update) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	return changeRows(ctx, s, stmt.Table, "UPDATE", stmt.Returning != nil, func() (*planner.ChangePlan, error) {
		return planner.BuildUpdate(stmt, catalog.Of(s), query.Options(s))
	}), nil
}

// changeRows runs DELETE or UPDATE: a query finds the rows and computes what
// becomes of them, then the blocks that hold them are written anew. The table is
// locked before it is read, so that nothing that others commit is lost.
func changeRows(ctx context.Context, s *session.Session, table sql.Name, verb string, returning bool, build func() (*planner.ChangePlan, error)) *result.Result {
	name := sqlstate.Must(s.ChangedName(table))
	var res *result.Result
	var rows int
	sqlstate.Check(s.ChangeOf(name, verb, func(tx *store.Tx) (err error) {
		defer sqlstate.Catch(&err)
		plan := lockAndBuild(ctx, s, tx, name, changePrivileges[verb], build, func(p *planner.ChangePlan) *planner.Plan { return p.Source })
		c := sqlstate.Must(query.Weave(s, plan.Source, false))
		res = sqlstate.Must(query.Execute(ctx, s, c))
		picks := sqlstate.Must(store.Picks(res.Rows, 0, s.Meter))
		rows = len(picks)
		rewrite(ctx, s, tx, name, plan.Set, 1, picks, res.Rows)
		if returning {
			res = returned(res, picks, 1+len(plan.Set))
		}
		return nil
	}))
	tag := fmt.Sprintf("%s %d", verb, rows)
	if !returning {
		return &result.Result{Tag: tag}
	}
	res.Tag = tag
	return res
}

// lockAndBuild binds a statement that changes a table, once the table is locked. Where the
// session's role may not, an error of the statement itself comes first.
func lockAndBuild[P any](ctx context.Context, s *session.Session, tx *store.Tx, name string, needs access.Privileges, build func() (P, error), source func(P) *planner.Plan) (plan P) {
	if err := catalog.MayChange(s, name, needs); err != nil {
		_, wrong := build()
		sqlstate.Check(cmp.Or(wrong, err))
		return plan
	}
	sqlstate.Check(tx.Lock(ctx, name))
	plan = sqlstate.Must(build())
	sqlstate.Check(catalog.Permit(s, source(plan).Access))
	return plan
}

// changePrivileges are what the statements need.
var changePrivileges = map[string]access.Privileges{"UPDATE": access.Update, "DELETE": access.Delete}

// rewrite changes the rows of a table that picks name: rel has the new values of the columns
// set from its column first on; without any the rows are removed.
func rewrite(ctx context.Context, s *session.Session, tx *store.Tx, name string, set []int, first int, picks []store.Pick, rel runtime.Relation) {
	if len(picks) == 0 {
		return
	}
	table := sqlstate.Must(tx.Table(ctx, name))
	change := &store.Change{Picks: picks}
	if len(set) > 0 {
		change.Rel, change.Set = rel, set
		for i := range set {
			change.From = append(change.From, first+i)
		}
	}
	next := sqlstate.Must(tx.Rewrite(ctx, table, change, s.Settings.Threads))
	if len(set) > 0 {
		sqlstate.Check(CheckRows(ctx, s, next, table, picks))
	}
	tx.Update(next)
	checkKeys(ctx, s, tx, next, func(key []int) bool {
		return slices.ContainsFunc(key, func(c int) bool { return slices.Contains(set, c) })
	})
}

// returned is what RETURNING returns: the columns behind the first own ones, one
// row for each row of the table that was changed.
func returned(res *result.Result, picks []store.Pick, own int) *result.Result {
	if int64(len(picks)) == res.Count() {
		return res.Behind(own, "")
	}
	return pickedBehind(res, picks, own)
}

// pickedBehind is the rows that picks name, in their order, without the first own columns.
func pickedBehind(res *result.Result, picks []store.Pick, own int) *result.Result {
	out := res.Behind(own, "")
	types := make([]algebra.Type, len(out.Columns))
	ordinals := make([]int, len(out.Columns))
	for i, c := range out.Columns {
		types[i], ordinals[i] = result.StoredType(c.Type.Type), own+i
	}
	out.Rows = sqlstate.Must(store.Picked(res.Rows, picks, types, ordinals))
	return out
}

// Truncate runs TRUNCATE.
func Truncate(ctx context.Context, s *session.Session, stmt *sql.Truncate) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(s.Change("TRUNCATE TABLE", func(tx *store.Tx) (err error) {
		defer sqlstate.Catch(&err)
		for _, n := range stmt.Names {
			name := sqlstate.Must(s.TargetName(n))
			sqlstate.Check(catalog.MayChange(s, name, access.Truncate))
			if err := tx.Truncate(ctx, name); err != nil {
				return session.At(err, n[0].Pos)
			}
			if stmt.Restart {
				tx.RestartOwned(name)
			}
		}
		return nil
	}))
	return &result.Result{Tag: "TRUNCATE TABLE"}, nil
}
