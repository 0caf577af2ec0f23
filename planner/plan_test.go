package planner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// TestPlans holds the plan of each query of testdata/plans after every rule
// that changed it. A file's first line names its catalog: -- ssb.
func TestPlans(t *testing.T) {
	files, err := filepath.Glob("testdata/plans/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			cat := loadCatalog(t, "testdata/"+strings.TrimPrefix(first, "-- ")+".catalog")
			plan, err := Build(parseQuery(t, string(text)), cat, Options{Verify: true, Trace: true})
			if err != nil {
				t.Fatal(err)
			}
			goldenPlan(t, strings.TrimSuffix(file, ".sql")+".plan", planText(plan))
		})
	}
}

func planText(plan *Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "== columns\n%s\n== bound\n%s", columnsText(plan.Columns), algebra.FormatWithIDs(plan.Bound))
	for _, step := range plan.Steps {
		if step.Changed {
			fmt.Fprintf(&b, "== %s\n%s", step.Rule, algebra.FormatWithIDs(step.After))
		}
	}
	return b.String()
}

func goldenPlan(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

func BenchmarkPlanSSB(b *testing.B) {
	cat := loadCatalog(b, "testdata/ssb.catalog")
	text, err := os.ReadFile("testdata/plans/ssb_q4_1.sql")
	if err != nil {
		b.Fatal(err)
	}
	stmt, err := sql.Parse(string(text))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(stmt.(*sql.Query), cat, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
