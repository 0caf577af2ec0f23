// Package fill loads generated data into Cubeloom.
package fill

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// Tables creates the tables of a set in db and fills them.
func Tables(ctx context.Context, db *cubeloom.DB, set workload.Set, opts workload.Options) error {
	loaders := make(map[string]*loader)
	session := db.Session()
	for _, t := range set.Tables() {
		if _, err := session.Query(ctx, t.DDL); err != nil {
			return fmt.Errorf("creating %s: %w", t.Name, err)
		}
		l, err := db.Loader(ctx, t.Name)
		if err != nil {
			return err
		}
		defer l.Close()
		loaders[t.Name] = &loader{Loader: l, most: 4 * db.Threads()}
	}
	err := set.Generate(ctx, opts, func(table string, rec arrow.Record) error { return loaders[table].add(ctx, rec) })
	if err != nil {
		return err
	}
	for _, l := range loaders {
		if err := l.flush(ctx); err != nil {
			return err
		}
		if err := l.Commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

// loader collects the records of a table, so that many are encoded at the same time.
type loader struct {
	*cubeloom.Loader
	records []arrow.Record
	most    int
}

// add takes a record, which the caller keeps.
func (l *loader) add(ctx context.Context, rec arrow.Record) error {
	rec.Retain()
	l.records = append(l.records, rec)
	if len(l.records) < l.most {
		return nil
	}
	return l.flush(ctx)
}

// flush appends what has been collected.
func (l *loader) flush(ctx context.Context) error {
	err := l.Append(ctx, l.records...)
	for _, rec := range l.records {
		rec.Release()
	}
	l.records = l.records[:0]
	return err
}
