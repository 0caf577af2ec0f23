package tests

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/slt"
)

// makeExampleTypes makes the types that examples name.
func makeExampleTypes(t *testing.T, db slt.Database) {
	t.Helper()
	if _, err := db.Query(context.Background(), "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')"); err != nil {
		t.Fatal(err)
	}
}

// exampleAnswer is the answer to a function's example as the catalogue writes it: its
// rows with commas between them.
func exampleAnswer(db slt.Database, f *function.Function) (string, error) {
	r, err := db.Query(context.Background(), "SELECT "+f.Example)
	if err != nil {
		return "", err
	}
	return column(r), nil
}

func column(r *reference.Result) string {
	cells := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		cells[i] = row[0].String()
	}
	return strings.Join(cells, ", ")
}

// TestFunctionExamples runs the example of each function.
func TestFunctionExamples(t *testing.T) {
	db := openEngine(t)
	makeExampleTypes(t, db)
	for _, f := range function.All() {
		switch got, err := exampleAnswer(db, f); {
		case err != nil:
			t.Errorf("SELECT %s: %v", f.Example, err)
		case got != f.Answer:
			t.Errorf("SELECT %s is %s, not %s", f.Example, got, f.Answer)
		}
	}
}

// functionsFile has a line for each function of PostgreSQL; pg_proc is made of those that
// the catalogue has.
const functionsFile = "../planner/pgcatalog/pgproc.txt"

// TestFunctionsAreDeclaredAsInPostgres compares volatility and behaviour on NULL with what
// PostgreSQL declares.
func TestFunctionsAreDeclaredAsInPostgres(t *testing.T) {
	text, err := os.ReadFile(functionsFile)
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string][]string{} // kind, volatility, parallel and strictness of each overload
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if strings.HasSuffix(strings.TrimSpace(line), " 17 19") && words[1] == "length" {
			continue // length(bytea, name) does not exist here
		}
		declared[words[1]] = append(declared[words[1]], words[2])
	}
	for _, f := range function.All() {
		want, strict := function.Immutable, true
		known := false
		for _, letters := range declared[f.Name] {
			if f.Kind != function.Scalar && f.Kind != function.Set || letters[0] != 'f' {
				continue
			}
			known = true
			strict = strict && letters[3] == 's'
			switch {
			case letters[1] == 'v':
				want = function.Volatile
			case letters[1] == 's' && want == function.Immutable:
				want = function.Stable
			}
		}
		if known && f.Volatility != want {
			t.Errorf("%s has the volatility %q, in PostgreSQL %q", f.Name, f.Volatility, want)
		}
		if known && strict != (f.Nulls == function.NullGivesNull) {
			t.Errorf("%s: behaviour on NULL is %q, in PostgreSQL strict is %v", f.Name, f.Nulls, strict)
		}
	}
}
