package planner

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestRulesKeepResults runs every query of testdata over small random tables:
// as it was bound, optimized, and optimized without each rule in turn that had changed it.
func TestRulesKeepResults(t *testing.T) {
	queries := testQueries(t)
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 11))
		cat := loadCatalog(t, "testdata/small.catalog")
		in := &interpreter{data: fillTables(rng, cat)}
		for _, q := range queries {
			checkRules(t, cat, in, q)
		}
	}
}

// testQueries are the queries of testdata that bind, and whose result does not
// depend on how rows that tie are ordered, or on chance.
func testQueries(t *testing.T) []string {
	var queries []string
	files, _ := filepath.Glob("testdata/bind/*.txt")
	goldens, _ := filepath.Glob("testdata/rules/*.txt")
	plans, _ := filepath.Glob("testdata/plans/*.sql")
	cat := loadCatalog(t, "testdata/small.catalog")
	for _, file := range append(slices.Concat(files, goldens), "testdata/rules.sql") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		queries = append(queries, strings.Split(string(text), "\n")...)
	}
	for _, file := range plans {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		queries = append(queries, string(text))
	}
	var usable []string
	for _, text := range queries {
		if strings.HasPrefix(text, "=>") || strings.Contains(text, "LIMIT") || strings.Contains(text, "FETCH") || strings.Contains(text, "random()") || strings.Contains(text, "now()") {
			continue
		}
		stmt, err := sql.Parse(text)
		if err != nil {
			continue
		}
		if q, ok := stmt.(*sql.Query); ok {
			if _, err := Build(q, cat, Options{}); err == nil {
				usable = append(usable, text)
			}
		}
	}
	if len(usable) < 100 {
		t.Fatalf("only %d queries", len(usable))
	}
	return usable
}

func checkRules(t *testing.T, cat Catalog, in *interpreter, text string) {
	t.Helper()
	run := func(disable string) (*Plan, string, error) {
		plan, err := Build(parseQuery(t, text), cat, Options{Verify: true, Trace: true, Disable: map[string]bool{disable: true}})
		if err != nil {
			t.Fatalf("%s without %q: %v", text, disable, err)
		}
		got, err := in.result(plan.Root)
		return plan, got, err
	}
	plan, got, err := run("")
	want, wantErr := in.result(plan.Bound)
	if wantErr != nil {
		return // rules may move an error's evaluation, though not into a guarded place
	}
	check := func(what string, plan *Plan, got string, err error) {
		if err != nil || got != want {
			t.Fatalf("%s\n%s: %v\n%s\ngave\n%swant\n%s", text, what, err, planText(plan), got, want)
		}
	}
	check("all rules", plan, got, err)
	in.checkRanges(t, text, plan.Root)
	for _, name := range missed(plan) {
		plan, got, err := run(name)
		check("without "+name, plan, got, err)
	}
}

// missed are the rules without which a plan may be another one: those that changed it. Where a
// part of it is planned on its own, which its steps do not tell of, these are all rules.
func missed(plan *Plan) []string {
	var changed, all []string
	apart := planApart(plan.Bound)
	for _, step := range plan.Steps {
		all = append(all, step.Rule)
		if step.Changed {
			changed = append(changed, step.Rule)
			apart = apart || planApart(step.After)
		}
	}
	if apart {
		return all
	}
	return changed
}

// planApart reports whether a plan has parts that are planned on their own.
func planApart(n algebra.Node) (found bool) {
	algebra.Walk(n, func(n algebra.Node) bool {
		switch n.(type) {
		case *algebra.Spool, *algebra.Recursive:
			found = true
		}
		return !found
	})
	return found
}

// result runs a plan and returns its rows as sorted text.
func (in *interpreter) result(n algebra.Node) (string, error) {
	rows, err := in.run(n)
	if err != nil {
		return "", err
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		for _, c := range n.Columns() {
			if v := r[c.ID]; v.Kind == value.Null {
				lines[i] += "NULL\t"
				if !c.Nullable {
					return "", fmt.Errorf("NULL in %s, which is not nullable", c.Name)
				}
			} else {
				lines[i] += eval.Format(v, c.Type) + "\t"
			}
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n") + "\n", nil
}

// checkRanges holds that all values lie in the ranges that are proven for
// their columns.
func (in *interpreter) checkRanges(t *testing.T, text string, n algebra.Node) {
	t.Helper()
	rows, err := in.run(n)
	if err != nil {
		t.Fatal(err)
	}
	ranges := algebra.ColumnRanges(n)
	for _, c := range n.Columns() {
		rng, ok := ranges[c.ID]
		if !ok {
			continue
		}
		for _, r := range rows {
			v := r[c.ID]
			x := value.Int128Of(v.I)
			if v.Kind == value.Decimal {
				x = v.Num.Coef
			}
			if v.Kind == value.Int || v.Kind == value.Decimal {
				if !rng.Contains(algebra.Range{Lo: x, Hi: x}) {
					t.Fatalf("%s: %s is %s, proven was %s..%s", text, c.Name, x, rng.Lo, rng.Hi)
				}
			}
		}
	}
	if limit, ok := algebra.MaxRows(n); ok && int64(len(rows)) > limit {
		t.Fatalf("%s: %d rows, proven were at most %d", text, len(rows), limit)
	}
}

// fillTables makes a few random rows for each table, and the statistics that
// are true of them.
func fillTables(rng *rand.Rand, cat memCatalog) map[string][][]value.Value {
	data := make(map[string][][]value.Value)
	names := make([]string, 0, len(cat))
	for name := range cat {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		r := cat[name]
		rows := make([][]value.Value, rng.IntN(9))
		for i := range rows {
			rows[i] = make([]value.Value, len(r.Columns))
		}
		for k := range r.Columns {
			fillColumn(rng, &r.Columns[k], rows, k)
		}
		r.Ref.Rows, r.Ref.Sample = int64(len(rows)), algebra.NewSample(rows)
		data[name] = rows
	}
	return data
}

func fillColumn(rng *rand.Rand, c *CatalogColumn, rows [][]value.Value, k int) {
	unique := c.Stats.Unique
	c.Stats = algebra.Stats{Unique: unique, Dict: c.Stats.Dict}
	for i := range rows {
		if !c.NotNull && rng.IntN(4) == 0 {
			c.Stats.Nulls++
			continue
		}
		n := int64(rng.IntN(7)) - 1
		if unique {
			n = int64(i)
		}
		v := randomValue(n, c.Type)
		rows[i][k] = v
		x := v.I
		if v.Kind == value.Decimal {
			x, _ = v.Num.Coef.Int64()
		}
		if _, ranged := algebra.TypeRange(c.Type); !ranged {
			continue
		}
		if !c.Stats.HasBounds {
			c.Stats.HasBounds, c.Stats.Min, c.Stats.Max = true, x, x
		}
		c.Stats.Min, c.Stats.Max = min(c.Stats.Min, x), max(c.Stats.Max, x)
	}
}

func randomValue(n int64, typ algebra.Type) value.Value {
	switch typ.Kind {
	case algebra.Bool:
		return value.Value{Kind: value.Bool, B: n > 2}
	case algebra.Float64:
		return value.Value{Kind: value.Float, F: float64(n) / 2}
	case algebra.Decimal:
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(n * 125), Scale: typ.Scale}}
	case algebra.Numeric:
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(n * 125), Scale: uint8(n + 1)}}
	case algebra.Text:
		return value.Value{Kind: value.Text, S: string(rune('m' + n))}
	case algebra.Date:
		return value.Value{Kind: value.Int, I: 8760 + n*100}
	case algebra.Timestamp, algebra.TimestampTZ:
		return value.Value{Kind: value.Int, I: (8760 + n*100) * 86400e6}
	case algebra.Interval:
		return value.Value{Kind: value.Intervals, Interval: value.Interval{Days: int32(n)}}
	}
	return value.Value{Kind: value.Int, I: n}
}
