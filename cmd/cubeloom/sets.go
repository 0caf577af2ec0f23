package main

import (
	"context"
	"fmt"
	"io"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/fill"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// overSet loads a set, has act work with it, and drops its tables.
func overSet(ctx context.Context, db *cubeloom.DB, set workload.Set, seed uint64, w io.Writer, act func()) {
	sqlstate.Check(loadSet(ctx, db, set, seed, w))
	act()
	sqlstate.Check(dropTables(ctx, db, set))
}

// loadSet has the tables of a set be in the database: those that it filled in an earlier run, or new
// ones, with a progress bar on w where that is a terminal. A comment on each says what it holds.
func loadSet(ctx context.Context, db *cubeloom.DB, set workload.Set, seed uint64, w io.Writer) error {
	content := fmt.Sprintf("%T%+v of seed %d", set, set, seed)
	if kept, err := sqlstate.Try(func() bool { return keepsSet(ctx, db, set, content) }); kept || err != nil {
		return err
	}
	progress := newBar(w, "generating")
	defer progress.finish()
	if err := fill.Tables(ctx, db, set, workload.Options{Seed: seed, Progress: progress.update}); err != nil {
		return err
	}
	for _, t := range set.Tables() {
		if _, err := db.Session().Query(ctx, fmt.Sprintf("COMMENT ON TABLE %s IS '%s'", t.Name, content)); err != nil {
			return err
		}
	}
	return nil
}

// keepsSet reports whether the database has the tables of a set with some content. It fails where a table has
// another.
func keepsSet(ctx context.Context, db *cubeloom.DB, set workload.Set, content string) bool {
	there := 0
	for _, t := range set.Tables() {
		res := sqlstate.Must(db.Session().Query(ctx, fmt.Sprintf("SELECT coalesce(obj_description(relation), '') FROM (SELECT to_regclass('%s')) AS t (relation) WHERE relation IS NOT NULL", t.Name)))
		for rows := res.Cursor(); rows.Next(); there++ {
			if had := rows.Text(0); had != content {
				panic(fmt.Errorf("table %s of the data directory holds other rows (%q): use another directory, or drop the table", t.Name, had))
			}
		}
	}
	if there > 0 && there < len(set.Tables()) {
		panic(fmt.Errorf("only %d of the %d tables are in the data directory: use another directory, or drop them", there, len(set.Tables())))
	}
	return there > 0
}

// dropTables drops the tables of a set.
func dropTables(ctx context.Context, db *cubeloom.DB, set workload.Set) error {
	for _, table := range set.Tables() {
		if _, err := db.Session().Query(ctx, "DROP TABLE "+table.Name); err != nil {
			return err
		}
	}
	return nil
}
