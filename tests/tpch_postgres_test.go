//go:build reference

package tests

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var tpchScale = flag.Float64("tpch-sf", tpch.MinSF, "scale factor at which TPC-H is compared with PostgreSQL")

// tpchIndexes let PostgreSQL answer the correlated queries of the larger scales.
const tpchIndexes = `
CREATE UNIQUE INDEX ON part (p_partkey);
CREATE UNIQUE INDEX ON supplier (s_suppkey);
CREATE UNIQUE INDEX ON customer (c_custkey);
CREATE UNIQUE INDEX ON orders (o_orderkey);
CREATE INDEX ON orders (o_custkey);
CREATE UNIQUE INDEX ON partsupp (ps_partkey, ps_suppkey);
CREATE UNIQUE INDEX ON lineitem (l_orderkey, l_linenumber);
CREATE INDEX ON lineitem (l_partkey, l_suppkey);
ANALYZE`

// TestTPCHAgreesWithPostgres holds that the 22 queries have PostgreSQL's answers in
// every configuration, decimals by value and scale.
func TestTPCHAgreesWithPostgres(t *testing.T) {
	set, queries := tpch.Data{SF: *tpchScale}, tpch.Queries(*tpchScale)
	want := tpchAnswers(t, set, queries)
	db := openEngine(t)
	db.load(t, set)
	for _, c := range configurations() {
		t.Run(c.String(), func(t *testing.T) {
			db.configure(t, c)
			start := time.Now()
			for i, q := range queries {
				got, err := db.Query(context.Background(), q.SQL)
				if err == nil {
					err = reference.Compare(got, want[i], false)
				}
				if err != nil {
					t.Errorf("%s: %v", q.Name, err)
					continue
				}
				if at := outOfOrder(got, q.OrderBy); at > 0 {
					t.Errorf("%s: row %d is out of order", q.Name, at)
				}
			}
			t.Logf("%d queries at scale %v in %v", len(queries), *tpchScale, time.Since(start).Round(time.Millisecond))
		})
	}
}

// tpchAnswers are PostgreSQL's answers.
func tpchAnswers(t *testing.T, set tpch.Data, queries []workload.Query) []*reference.Result {
	ctx, db := context.Background(), startPostgres(t)
	if err := db.Load(ctx, set, workload.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(ctx, tpchIndexes); err != nil {
		t.Fatal(err)
	}
	var answers []*reference.Result
	for _, q := range queries {
		r, err := db.Query(ctx, q.SQL)
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		answers = append(answers, r)
	}
	return answers
}
