package tests

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/fill"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/share"
	"github.com/cubeloom/cubeloom/tests/slt"
)

// A benchmark is a generated data set with questions whose answers by
// PostgreSQL are in testdata/answers.
type benchmark struct {
	name    string
	set     workload.Set
	queries []workload.Query
}

func benchmarks() []benchmark {
	cube := func(skew float64) workload.Cube {
		return workload.Cube{Name: "cells", Rows: 4000, Dims: 6, Card: 9, Skew: skew}
	}
	return []benchmark{
		{"ssb", workload.SSB{SF: 0.05}, workload.SSBQueries()},
		{"tpch", tpch.Data{SF: 0.01}, tpch.Queries(0.01)},
		{"cube-uniform", cube(0), cube(0).Queries()},
		{"cube-zipf", cube(1), cube(1).Queries()},
	}
}

// shownRows is the number of rows up to which an answer is written out; of
// longer ones there is a hash.
const shownRows = 40

// describe writes an answer in the form of the files, the rows sorted.
func describe(q workload.Query, r *reference.Result) string {
	sorted := r.Sorted()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rows, sha256 %x\n", q.Name, len(sorted.Rows), sha256.Sum256([]byte(sorted.String())))
	if len(sorted.Rows) <= shownRows {
		b.WriteString(sorted.String())
	}
	return b.String()
}

func answersFile(b benchmark) string { return filepath.Join("testdata", "answers", b.name+".txt") }

// TestAnswers runs the benchmarks' queries under every configuration; of these a share, where one is asked for.
func TestAnswers(t *testing.T) {
	for _, b := range benchmarks() {
		want, err := os.ReadFile(answersFile(b))
		if err != nil {
			t.Fatal(err)
		}
		db := openEngine(t)
		db.load(t, b.set)
		for _, c := range share.Some(t, b.name, configurations()) {
			t.Run(b.name+"/"+c.String(), func(t *testing.T) {
				db.configure(t, c)
				checkAnswers(t, db, b, string(want))
			})
		}
	}
}

func checkAnswers(t *testing.T, db slt.Database, b benchmark, want string) {
	t.Helper()
	for _, q := range b.queries {
		r, err := db.Query(context.Background(), q.SQL)
		if err != nil {
			t.Errorf("%s: %v", q.Name, err)
			continue
		}
		if at := outOfOrder(r, q.OrderBy); at > 0 {
			t.Errorf("%s: row %d is out of order", q.Name, at)
		}
		if got := describe(q, r); !strings.Contains(want, got) {
			t.Errorf("%s", got)
		}
	}
}

// outOfOrder is the first row, from 1, that breaks an order; 0 for none.
func outOfOrder(r *reference.Result, keys []workload.Key) int {
	for i := 1; i < len(r.Rows); i++ {
		for _, k := range keys {
			c := reference.CompareCells(r.Rows[i-1][k.Column], r.Rows[i][k.Column], r.Columns[k.Column].Type)
			if k.Desc {
				c = -c
			}
			if c > 0 {
				return i + 1
			}
			if c < 0 {
				break
			}
		}
	}
	return 0
}

// load creates the tables of a set and fills them.
func (e *engine) load(t testing.TB, set workload.Set) {
	t.Helper()
	if err := fill.Tables(context.Background(), e.db, set, workload.Options{}); err != nil {
		t.Fatal(err)
	}
}
