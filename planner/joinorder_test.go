package planner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// TestTPCHJoinOrders holds, for each of the queries of TPC-H with the
// statistics of scale 1, how its tables are joined: the build side on the
// right, the guessed rows of each join and of each filtered table behind it.
func TestTPCHJoinOrders(t *testing.T) {
	cat := loadCatalog(t, "testdata/tpch.catalog")
	files, err := filepath.Glob("../cmd/cubeloom/workload/tpch/queries/*.sql")
	if err != nil || len(files) != 22 {
		t.Fatal(len(files), "queries", err)
	}
	var out strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		q := strings.ReplaceAll(string(text), "$FRACTION", "0.0001")
		plan, err := Build(parseQuery(t, q), cat, Options{Verify: true})
		if err != nil {
			t.Fatal(file, err)
		}
		fmt.Fprintf(&out, "-- %s\n", strings.TrimSuffix(filepath.Base(file), ".sql"))
		writeJoins(&out, plan.Root, estimate.New(nil), 0)
	}
	goldenPlan(t, "testdata/tpch_joins.txt", out.String())
}

// writeJoins writes the joins, tables and aggregations of a plan.
func writeJoins(out *strings.Builder, n algebra.Node, est *estimate.Estimator, depth int) {
	var text string
	switch n := n.(type) {
	case *algebra.Join:
		text = string(n.Kind) + " join"
	case *algebra.Aggregate:
		text = "aggregate"
	case *algebra.Scan:
		text = n.Alias
	case *algebra.Filter:
		if scan, ok := n.Input.(*algebra.Scan); ok {
			fmt.Fprintf(out, "%*s%s filtered %.0f\n", 2*depth, "", scan.Alias, est.Rows(n))
			return
		}
		text = "filter"
	default:
		for _, in := range algebra.Inputs(n) {
			writeJoins(out, in, est, depth)
		}
		return
	}
	fmt.Fprintf(out, "%*s%s %.0f\n", 2*depth, "", text, est.Rows(n))
	for _, in := range algebra.Inputs(n) {
		writeJoins(out, in, est, depth+1)
	}
}

// joinShapes are FROM and WHERE clauses of joins of n relations of t.
var joinShapes = map[string]func(i, k int) bool{
	"chain":  func(i, k int) bool { return k == i+1 },
	"star":   func(i, k int) bool { return i == 0 },
	"clique": func(i, k int) bool { return true },
}

// joinShape is a query that joins n relations, of which those are linked that
// the shape says: each by columns of its own, so that no two links are one.
func joinShape(n int, linked func(i, k int) bool) (string, memCatalog) {
	cat := memCatalog{}
	var tables, conds []string
	for i := range n {
		name := fmt.Sprintf("t%d", i)
		rows := int64(1000) << (i % 7)
		r := &Relation{Ref: algebra.TableRef{Name: name, Rows: rows, Exact: true}}
		for k := range n {
			r.Columns = append(r.Columns, CatalogColumn{
				Name: fmt.Sprintf("c%d_%d", i, k), Type: algebra.TInt32, NotNull: true,
				Stats: algebra.Stats{HasBounds: true, Max: rows, Distinct: float64(rows / int64(k+1))},
			})
		}
		cat[name] = r
		tables = append(tables, name)
		for k := range n {
			if k > i && linked(i, k) {
				conds = append(conds, fmt.Sprintf("c%d_%d = c%d_%d", i, k, k, i))
			}
		}
	}
	return "SELECT count(*) FROM " + strings.Join(tables, ", ") + " WHERE " + strings.Join(conds, " AND "), cat
}

// TestJoinShapes holds that plans of large joins are sound: every condition is
// a key of a join, and there is no cross product.
func TestJoinShapes(t *testing.T) {
	for name, shape := range joinShapes {
		for _, n := range []int{2, 12, 13, 20} {
			text, cat := joinShape(n, shape)
			plan, err := Build(parseQuery(t, text), cat, Options{Verify: true})
			if err != nil {
				t.Fatal(name, n, err)
			}
			keys, joins := 0, 0
			algebra.Walk(plan.Root, func(node algebra.Node) bool {
				if join, ok := node.(*algebra.Join); ok {
					joins++
					keys += len(join.Keys)
					if len(join.Keys) == 0 {
						t.Errorf("%s of %d has a cross product\n%s", name, n, algebra.Format(plan.Root))
					}
				}
				return true
			})
			if joins != n-1 || keys != strings.Count(text, " = ") {
				t.Errorf("%s of %d has %d joins of %d keys\n%s", name, n, joins, keys, algebra.Format(plan.Root))
			}
		}
	}
}

// BenchmarkPlanJoins plans joins of twelve relations, from the syntax tree on.
func BenchmarkPlanJoins(b *testing.B) {
	for name, shape := range joinShapes {
		text, cat := joinShape(12, shape)
		q := parseQuery(b, text)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Build(q, cat, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
