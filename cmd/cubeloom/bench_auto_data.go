package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"golang.org/x/sync/errgroup"
)

// autoSet is data with the queries that are asked of it.
type autoSet struct {
	name    string
	data    workload.Set
	queries []workload.Query
}

// autoSource is a way in which the data is kept.
type autoSource struct {
	name   string
	folder string // of the tables; "": they are files
	views  string // statements that make the files the tables
}

// autoSets are the data of some scale factors, and a cube's of some rows, the small ones first.
func autoSets(ssb, tpchs []float64, cubed int64) []autoSet {
	var all []autoSet
	for _, sf := range positive(ssb) {
		set := workload.SSB{SF: sf}
		sqlstate.Check(set.Validate())
		all = append(all, autoSet{fmt.Sprintf("ssb %g", sf), set, named(workload.SSBQueries(), "Q1.1", "Q4.1")})
	}
	for _, sf := range positive(tpchs) {
		set := tpch.Data{SF: sf}
		sqlstate.Check(set.Validate())
		all = append(all, autoSet{fmt.Sprintf("tpch %g", sf), set, named(tpch.Queries(sf), "Q1", "Q6", "Q9")})
	}
	if cubed > 0 {
		set := workload.Cube{Name: "cube", Rows: cubed, Dims: 4, Card: 10}
		sqlstate.Check(set.Validate())
		cube := workload.Query{Name: "cube", SQL: "SELECT d1, d2, d3, d4, count(*), sum(m) FROM cube GROUP BY CUBE (d1, d2, d3, d4) ORDER BY d1, d2, d3, d4"}
		all = append(all, autoSet{fmt.Sprintf("cube %d", cubed), set, []workload.Query{cube}})
	}
	slices.SortStableFunc(all, func(a, b autoSet) int { return int(a.rows() - b.rows()) })
	return all
}

// positive are the scale factors of data that is wanted.
func positive(all []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(all), func(sf float64) bool { return sf == 0 })
}

// named are the queries with some names.
func named(all []workload.Query, names ...string) []workload.Query {
	return slices.DeleteFunc(slices.Clone(all), func(q workload.Query) bool { return !slices.Contains(names, q.Name) })
}

// rows are those of the largest table.
func (s *autoSet) rows() (most int64) {
	for _, t := range s.data.Tables() {
		most = max(most, t.Rows)
	}
	return most
}

// hasDecimals reports whether a table has decimals: in CSV they are read as numbers of double precision, whose
// sums depend on the order of the rows.
func (s *autoSet) hasDecimals() bool {
	return slices.ContainsFunc(s.data.Tables(), func(t workload.Table) bool {
		return strings.Contains(t.DDL, "decimal") || strings.Contains(t.DDL, "numeric")
	})
}

// fileParts is of how many files a table is made, which are written at the same time.
const fileParts = 8

// writeParts writes every table as some files, and returns statements that make them tables.
func writeParts(ctx context.Context, set workload.Set, folder, format string) (views string, err error) {
	writing, ctx := errgroup.WithContext(ctx)
	parts := make([]chan part, fileParts)
	for i := range parts {
		files := &tableFiles{dir: filepath.Join(folder, fmt.Sprint(i)), format: format, open: make(map[string]*tableFile)}
		if err := os.MkdirAll(files.dir, 0o755); err != nil {
			return "", err
		}
		parts[i] = make(chan part, 1)
		writing.Go(func() error { return files.writeAll(parts[i]) })
	}
	next := make(map[string]int)
	err = set.Generate(ctx, workload.Options{Seed: 1}, func(table string, rec arrow.Record) error {
		rec.Retain()
		next[table]++
		select {
		case parts[next[table]%fileParts] <- part{table, rec}:
			return nil
		case <-ctx.Done(): // a file could not be written
			rec.Release()
			return context.Cause(ctx)
		}
	})
	for i := range parts {
		close(parts[i])
	}
	var text strings.Builder
	for _, t := range set.Tables() {
		fmt.Fprintf(&text, "CREATE VIEW %s AS SELECT * FROM '%s/*/%s.%s';\n", t.Name, folder, t.Name, format)
	}
	return text.String(), errors.Join(err, writing.Wait())
}

// part is rows of a table.
type part struct {
	table string
	rows  arrow.Record
}

// writeAll writes parts of tables, to the last one or an error.
func (f *tableFiles) writeAll(parts <-chan part) (err error) {
	for p := range parts {
		err = f.write(p.table, p.rows)
		p.rows.Release()
		if err != nil {
			break
		}
	}
	return errors.Join(err, f.close(err == nil))
}
