package planner

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestHugeStatements holds that statements which are huge, or stand for a huge
// plan, are planned or refused in a time in proportion to their text.
func TestHugeStatements(t *testing.T) {
	cat := loadCatalog(t, "testdata/huge.catalog")
	repeat := func(n int, f func(i int) string, sep string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = f(i)
		}
		return strings.Join(parts, sep)
	}
	ctes := "WITH c0 AS NOT MATERIALIZED (SELECT a FROM t), " + repeat(40, func(i int) string {
		n := strconv.Itoa(i)
		return "c" + strconv.Itoa(i+1) + " AS NOT MATERIALIZED (SELECT x.a FROM c" + n + " AS x, c" + n + " AS y)"
	}, ", ") + " SELECT * FROM c40"
	for _, tc := range []struct{ name, text, code string }{
		{"or", "SELECT a FROM t WHERE " + repeat(900, func(i int) string { return "a = " + strconv.Itoa(i) }, " OR "), ""},
		{"and", "SELECT a FROM t WHERE " + repeat(900, func(i int) string { return "a <> " + strconv.Itoa(i) }, " AND "), ""},
		{"in", "SELECT a FROM t WHERE a IN (" + repeat(100000, strconv.Itoa, ", ") + ")", ""},
		{"sum", "SELECT a FROM t WHERE a > " + repeat(100000, strconv.Itoa, " + "), "54001"},
		{"parentheses", "SELECT " + strings.Repeat("(", 1000) + "a" + strings.Repeat(")", 1000) + " FROM t", ""},
		{"common table expressions", ctes, "54001"},
		{"common table expressions that are computed once", strings.ReplaceAll(ctes, "NOT MATERIALIZED ", ""), ""},
		{"unions", repeat(3000, func(i int) string { return "SELECT " + strconv.Itoa(i) }, " UNION "), ""},
		{"too many unions", repeat(9000, func(i int) string { return "SELECT " + strconv.Itoa(i) }, " UNION ALL "), "54001"},
		{"joins", "SELECT 1 FROM " + repeat(64, func(i int) string { return "t AS t" + strconv.Itoa(i) }, ", "), ""},
		{"joins of many rows", "SELECT 1 FROM " + repeat(64, func(i int) string { return "large AS t" + strconv.Itoa(i) }, ", "), ""},
		{"items", "SELECT " + repeat(2000, strconv.Itoa, ", "), "54011"},
		{"groups", "SELECT 1 FROM t GROUP BY " + repeat(65, func(i int) string { return "a + " + strconv.Itoa(i) }, ", "), "54000"},
		{"subqueries", "SELECT " + repeat(30, func(i int) string {
			return "(SELECT count(*) FROM t AS y WHERE y.a <> x.a + " + strconv.Itoa(i) + ")"
		}, ", ") + " FROM t AS x", ""},
		{"conditions with subqueries", "SELECT a FROM t AS x WHERE " + repeat(30, func(i int) string {
			return "(SELECT count(*) FROM t AS y WHERE y.a <> x.a + " + strconv.Itoa(i) + ") > 1"
		}, " AND "), "54001"},
		{"values", "VALUES " + repeat(50000, func(i int) string { return "(" + strconv.Itoa(i) + ")" }, ", "), ""},
	} {
		stmt, err := sql.Parse(tc.text)
		if err == nil {
			start := time.Now()
			_, err = Build(stmt.(*sql.Query), cat, Options{})
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s took %v", tc.name, took)
			}
		}
		code := ""
		if e, ok := err.(*value.Error); ok {
			code = e.Code
		} else if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if code != tc.code {
			t.Errorf("%s: got %v, want code %q", tc.name, err, tc.code)
		}
	}
}

func TestParameters(t *testing.T) {
	cat := loadCatalog(t, "testdata/small.catalog")
	q := parseQuery(t, "SELECT a + $1, $4 FROM t WHERE g < $2 AND f LIKE $3 LIMIT $5")
	plan, err := Build(q, cat, Options{InferParams: true, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []algebra.Type{algebra.TInt32, algebra.TDate, algebra.TText, algebra.TText, algebra.TInt64}
	if len(plan.Params) != len(want) {
		t.Fatalf("got %v", plan.Params)
	}
	for i, typ := range want {
		if plan.Params[i] != typ {
			t.Errorf("$%d is %s, want %s", i+1, plan.Params[i], typ)
		}
	}
	text := func(s string) Param {
		return Param{Value: value.Value{Kind: value.Text, S: s}, Type: algebra.TUnknown}
	}
	five := Param{Value: value.Value{Kind: value.Int, I: 5}, Type: algebra.TInt32}
	plan, err = Build(q, cat, Options{Params: []Param{five, text("1999-12-31"), text("x%"), {}, text("3")}, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := algebra.Format(plan.Root); !strings.Contains(got, "date '1999-12-31'") || !strings.Contains(got, "limit 3") {
		t.Errorf("got\n%s", got)
	}
	_, err = Build(parseQuery(t, "SELECT $1 + 1, $1 = 'x'::text"), cat, Options{InferParams: true})
	if e, ok := err.(*value.Error); !ok || e.Code != "42P08" && e.Code != value.CodeUndefinedFunction {
		t.Errorf("got %v", err)
	}
}
