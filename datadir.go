package cubeloom

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk"
	"github.com/cubeloom/cubeloom/sql/value"
)

// DataCheck is what CheckData found.
type DataCheck struct {
	Tables, Views, Files int
	Rows                 int64
	Problems             int
	// Running reports whether another process had the directory open: what was checked
	// is the state that was the last one when the check began.
	Running bool
	// Unneeded are files in the directory that are not part of the database; of one
	// that runs they may be of its transactions.
	Unneeded []string
}

// CheckData verifies a data directory, which another process may have open, and
// changes nothing in it: the manifest, the checksums and values of all tables, their
// statistics and keys, and the texts of views. Each problem is given to report. It
// fails where there is no state that could be read at all.
func CheckData(ctx context.Context, path string, report func(problem error)) (DataCheck, error) {
	snapshot, err := disk.OpenSnapshot(path, true)
	if err != nil {
		return DataCheck{}, err
	}
	db := newDB(Options{Device: string(placement.Host), Threads: goruntime.GOMAXPROCS(0)}, store.NewCatalog(snapshot.State, snapshot))
	defer db.Close()
	c := DataCheck{Files: snapshot.Files(), Running: snapshot.Running}
	if snapshot.Damage == nil {
		c.Unneeded = snapshot.Unneeded()
	}
	found := func(problem error) {
		c.Problems++
		report(problem)
	}
	for _, damage := range snapshot.Damage {
		found(damage)
	}
	if err := snapshot.Check(ctx, found); err != nil {
		return c, err
	}
	s := db.Session()
	defer s.Close()
	for _, o := range snapshot.State.Objects() {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		switch o := o.(type) {
		case *store.View:
			c.Views++
			if err := s.checkView(ctx, o); err != nil {
				found(fmt.Errorf("view %q: %w", o.Name(), err))
			}
		case *store.Table:
			c.Tables++
			c.Rows += o.Rows()
			if err := s.checkStored(ctx, snapshot.State, o); err != nil {
				found(fmt.Errorf("table %q: %w", o.Name(), err))
			}
		}
	}
	return c, ctx.Err()
}

// checkView checks that a view can be read.
func (s *Session) checkView(ctx context.Context, v *store.View) error {
	_, err := s.Query(ctx, "EXPLAIN SELECT * FROM "+pgcatalog.Quote(v.Schema())+"."+pgcatalog.Quote(v.Name()))
	return err
}

// checkStored checks the constraints and keys of a table. What cannot be read has been reported.
func (s *Session) checkStored(ctx context.Context, state *store.State, t *store.Table) (err error) {
	ctx, leave := s.core.Enter(ctx)
	defer leave()
	valid := slices.DeleteFunc(slices.Clone(t.Checks()), func(c store.Check) bool { return c.NotValid })
	err = write.CheckRows(ctx, s.core, state, store.KeyOf(t), t.Rechecked(valid), nil, nil)
	for i, key := range t.Keys() {
		if err == nil && key.Enforced() {
			err = write.CheckKey(ctx, s.core, state, t, i)
		}
	}
	for i := range t.ForeignKeys() {
		if k := &t.ForeignKeys()[i]; err == nil && !k.NotValid {
			err = write.CheckReferences(ctx, s.core, state, t, k)
		}
	}
	var e *Error
	if errors.As(err, &e) && e.Code == value.CodeDataCorrupted {
		return nil
	}
	return err
}

// DataBackup is what Backup has written.
type DataBackup struct {
	Files int
	Bytes int64
	// Running reports whether another process had the directory open.
	Running bool
}

// Backup copies the last complete state of a data directory, which another process
// may have open and change, to a directory that is empty or not there. It verifies
// what it copies. A copy that did not come to its end does not open. To restore a
// backup, open it or a copy of it.
func Backup(ctx context.Context, path, to string) (DataBackup, error) {
	snapshot, err := disk.OpenSnapshot(path, false)
	if err != nil {
		return DataBackup{}, err
	}
	defer snapshot.Close()
	summary, err := snapshot.Backup(ctx, to)
	return DataBackup{summary.Files, summary.Bytes, snapshot.Running}, err
}
