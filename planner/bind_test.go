package planner

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outcome describes what binding a query gives: its columns, or its error.
func outcome(cat Catalog, text string) string {
	stmt, err := sql.Parse(text)
	if err != nil {
		return errorText(err)
	}
	switch stmt.(type) {
	case *sql.Query, *sql.Insert:
		plan, err := BuildStatement(stmt, cat, Options{Verify: true})
		if err != nil {
			return errorText(err)
		}
		return columnsText(plan.Source.Columns)
	}
	return fmt.Sprintf("%T", stmt)
}

func columnsText(cols []algebra.Column) string {
	texts := make([]string, len(cols))
	for i, c := range cols {
		texts[i] = c.Name + " " + c.Type.String()
		if !c.Nullable {
			texts[i] += " not null"
		}
	}
	return strings.Join(texts, ", ")
}

func errorText(err error) string {
	var e *value.Error
	if !errors.As(err, &e) {
		return "DEFECT " + err.Error()
	}
	return fmt.Sprintf("ERROR %s at %d: %s", e.Code, e.Pos, e.Message)
}

// TestBind holds the output columns, or the error, of each query in the files
// of testdata/bind: a query a line, what it gives on the next line behind =>.
func TestBind(t *testing.T) {
	cat := loadCatalog(t, "testdata/small.catalog")
	files, err := filepath.Glob("testdata/bind/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { bindFile(t, cat, file) })
	}
}

func bindFile(t *testing.T, cat Catalog, path string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out strings.Builder
	lines := bufio.NewScanner(f)
	query, line := "", 0
	check := func(want string) {
		got := "=> " + outcome(cat, query)
		fmt.Fprintln(&out, got)
		if got != want && !*update {
			t.Errorf("%s:%d: %s\n got %s\nwant %s", path, line, query, got, want)
		}
		query = ""
	}
	for lines.Scan() {
		line++
		switch text := lines.Text(); {
		case strings.HasPrefix(text, "=>"):
			check(text)
		case text == "" || strings.HasPrefix(text, "#"):
			if query != "" {
				check("nothing")
			}
			fmt.Fprintln(&out, text)
		default:
			if query != "" {
				check("nothing")
			}
			query = text
			fmt.Fprintln(&out, text)
		}
	}
	if query != "" {
		check("nothing")
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
