package cubeloom

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
)

// deleteRows runs DELETE.
func (s *Session) deleteRows(ctx context.Context, stmt *sql.Delete) (*answer, error) {
	return s.changeRows(ctx, stmt.Table, "DELETE", stmt.Returning != nil, func() (*planner.ChangePlan, error) {
		return planner.BuildDelete(stmt, s.catalog(), s.planOptions())
	})
}

// updateRows runs UPDATE.
func (s *Session) updateRows(ctx context.Context, stmt *sql.Update) (*answer, error) {
	return s.changeRows(ctx, stmt.Table, "UPDATE", stmt.Returning != nil, func() (*planner.ChangePlan, error) {
		return planner.BuildUpdate(stmt, s.catalog(), s.planOptions())
	})
}

// changeRows runs DELETE or UPDATE: a query finds the rows and computes what
// becomes of them, then the blocks that hold them are written anew. The table is
// locked before it is read, so that nothing that others commit is lost.
func (s *Session) changeRows(ctx context.Context, table sql.Name, verb string, returning bool, build func() (*planner.ChangePlan, error)) (*answer, error) {
	name, err := s.targetName(table)
	if err != nil {
		return nil, err
	}
	var res *answer
	var rows int
	err = s.changeOf(name, verb, func(tx *store.Tx) error {
		if err := s.mayChange(name, changePrivileges[verb]); err != nil {
			_, wrong := build()
			return cmp.Or(wrong, err)
		}
		if err := tx.Lock(ctx, name); err != nil {
			return err
		}
		plan, err := build()
		if err == nil {
			err = s.permit(plan.Source.Access)
		}
		if err != nil {
			return err
		}
		c, err := s.weave(plan.Source, false)
		if err != nil {
			return err
		}
		if res, err = s.execute(ctx, c); err != nil {
			return err
		}
		picks, err := store.Picks(res.rows, 0, s.meter)
		if err != nil {
			return err
		}
		rows = len(picks)
		if err := s.rewrite(ctx, tx, name, plan, picks, res.rows); err != nil || !returning {
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
		return &answer{Tag: tag}, nil
	}
	res.Tag = tag
	return res, nil
}

// changePrivileges are what the statements need.
var changePrivileges = map[string]access.Privileges{"UPDATE": access.Update, "DELETE": access.Delete}

// rewrite changes the rows of a table that picks name.
func (s *Session) rewrite(ctx context.Context, tx *store.Tx, name string, plan *planner.ChangePlan, picks []store.Pick, rel runtime.Relation) error {
	if len(picks) == 0 {
		return nil
	}
	table, err := tx.Table(ctx, name)
	if err != nil {
		return err
	}
	change := &store.Change{Picks: picks}
	if len(plan.Set) > 0 {
		change.Rel, change.Set = rel, plan.Set
		for i := range plan.Set {
			change.From = append(change.From, 1+i)
		}
	}
	next, err := tx.Rewrite(ctx, table, change, s.settings.Threads)
	if err != nil {
		return err
	}
	tx.Update(next)
	return s.checkKeys(ctx, tx, next, func(key []int) bool {
		return slices.ContainsFunc(key, func(c int) bool { return slices.Contains(plan.Set, c) })
	})
}

// returned is what RETURNING gives: the columns behind the first own ones, one
// row for each row of the table that was changed.
func returned(res *answer, picks []store.Pick, own int) (*answer, error) {
	out := res.behind(own, "")
	if int64(len(picks)) == res.count() {
		return out, nil
	}
	types := make([]algebra.Type, len(out.Columns))
	ordinals := make([]int, len(out.Columns))
	for i, c := range out.Columns {
		types[i], ordinals[i] = storedType(c.Type.Type), own+i
	}
	var err error
	out.rows, err = store.Picked(res.rows, picks, types, ordinals)
	return out, err
}

// truncate runs TRUNCATE.
func (s *Session) truncate(ctx context.Context, stmt *sql.Truncate) (*answer, error) {
	err := s.change("TRUNCATE TABLE", func(tx *store.Tx) error {
		for _, n := range stmt.Names {
			name, err := s.targetName(n)
			if err != nil {
				return err
			}
			if err := s.mayChange(name, access.Truncate); err != nil {
				return err
			}
			if err := tx.Truncate(ctx, name); err != nil {
				return at(err, n[0].Pos)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &answer{Tag: "TRUNCATE TABLE"}, nil
}
