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
)

// DeleteRows runs DELETE.
func DeleteRows(ctx context.Context, s *session.Session, stmt *sql.Delete) (*result.Result, error) {
	return changeRows(ctx, s, stmt.Table, "DELETE", stmt.Returning != nil, func() (*planner.ChangePlan, error) {
		return planner.BuildDelete(stmt, catalog.Of(s), query.Options(s))
	})
}

// UpdateRows runs UPDATE.
func UpdateRows(ctx context.Context, s *session.Session, stmt *sql.Update) (*result.Result, error) {
	return changeRows(ctx, s, stmt.Table, "UPDATE", stmt.Returning != nil, func() (*planner.ChangePlan, error) {
		return planner.BuildUpdate(stmt, catalog.Of(s), query.Options(s))
	})
}

// changeRows runs DELETE or UPDATE: a query finds the rows and computes what
// becomes of them, then the blocks that hold them are written anew. The table is
// locked before it is read, so that nothing that others commit is lost.
func changeRows(ctx context.Context, s *session.Session, table sql.Name, verb string, returning bool, build func() (*planner.ChangePlan, error)) (*result.Result, error) {
	name, err := s.ChangedName(table)
	if err != nil {
		return nil, err
	}
	var res *result.Result
	var rows int
	err = s.ChangeOf(name, verb, func(tx *store.Tx) error {
		plan, err := lockAndBuild(ctx, s, tx, name, changePrivileges[verb], build, func(p *planner.ChangePlan) *planner.Plan { return p.Source })
		if err != nil {
			return err
		}
		c, err := query.Weave(s, plan.Source, false)
		if err != nil {
			return err
		}
		if res, err = query.Execute(ctx, s, c); err != nil {
			return err
		}
		picks, err := store.Picks(res.Rows, 0, s.Meter)
		if err != nil {
			return err
		}
		rows = len(picks)
		if err := rewrite(ctx, s, tx, name, plan.Set, 1, picks, res.Rows); err != nil || !returning {
			return err
		}
		res, err = returned(res, picks, 1+len(plan.Set))
		return err
	})
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf("%s %d", verb, rows)
	if !returning {
		return &result.Result{Tag: tag}, nil
	}
	res.Tag = tag
	return res, nil
}

// lockAndBuild binds a statement that changes a table, once the table is locked. Where the
// session's role may not, an error of the statement itself comes first.
func lockAndBuild[P any](ctx context.Context, s *session.Session, tx *store.Tx, name string, needs access.Privileges, build func() (P, error), source func(P) *planner.Plan) (plan P, err error) {
	if err := catalog.MayChange(s, name, needs); err != nil {
		_, wrong := build()
		return plan, cmp.Or(wrong, err)
	}
	if err := tx.Lock(ctx, name); err != nil {
		return plan, err
	}
	if plan, err = build(); err != nil {
		return plan, err
	}
	return plan, catalog.Permit(s, source(plan).Access)
}

// changePrivileges are what the statements need.
var changePrivileges = map[string]access.Privileges{"UPDATE": access.Update, "DELETE": access.Delete}

// rewrite changes the rows of a table that picks name: rel has the new values of the columns
// set from its column first on; without any the rows are removed.
func rewrite(ctx context.Context, s *session.Session, tx *store.Tx, name string, set []int, first int, picks []store.Pick, rel runtime.Relation) error {
	if len(picks) == 0 {
		return nil
	}
	table, err := tx.Table(ctx, name)
	if err != nil {
		return err
	}
	change := &store.Change{Picks: picks}
	if len(set) > 0 {
		change.Rel, change.Set = rel, set
		for i := range set {
			change.From = append(change.From, first+i)
		}
	}
	next, err := tx.Rewrite(ctx, table, change, s.Settings.Threads)
	if err != nil {
		return err
	}
	if len(set) > 0 {
		if err := CheckRows(ctx, s, next, table); err != nil {
			return err
		}
	}
	tx.Update(next)
	return checkKeys(ctx, s, tx, next, func(key []int) bool {
		return slices.ContainsFunc(key, func(c int) bool { return slices.Contains(set, c) })
	})
}

// returned is what RETURNING returns: the columns behind the first own ones, one
// row for each row of the table that was changed.
func returned(res *result.Result, picks []store.Pick, own int) (*result.Result, error) {
	if int64(len(picks)) == res.Count() {
		return res.Behind(own, ""), nil
	}
	return pickedBehind(res, picks, own)
}

// pickedBehind is the rows that picks name, in their order, without the first own columns.
func pickedBehind(res *result.Result, picks []store.Pick, own int) (*result.Result, error) {
	out := res.Behind(own, "")
	types := make([]algebra.Type, len(out.Columns))
	ordinals := make([]int, len(out.Columns))
	for i, c := range out.Columns {
		types[i], ordinals[i] = result.StoredType(c.Type.Type), own+i
	}
	var err error
	out.Rows, err = store.Picked(res.Rows, picks, types, ordinals)
	return out, err
}

// Truncate runs TRUNCATE.
func Truncate(ctx context.Context, s *session.Session, stmt *sql.Truncate) (*result.Result, error) {
	err := s.Change("TRUNCATE TABLE", func(tx *store.Tx) error {
		for _, n := range stmt.Names {
			name, err := s.TargetName(n)
			if err != nil {
				return err
			}
			if err := catalog.MayChange(s, name, access.Truncate); err != nil {
				return err
			}
			if err := tx.Truncate(ctx, name); err != nil {
				return session.At(err, n[0].Pos)
			}
			if stmt.Restart {
				tx.RestartOwned(name)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &result.Result{Tag: "TRUNCATE TABLE"}, nil
}
