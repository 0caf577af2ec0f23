// Package walkthrough writes docs/one-query.md, which follows one query through all
// stages. Everything that a stage prints comes from the engine, and every Go
// function from the source, so that the page cannot say what is no longer so.
package walkthrough

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"text/template"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/fill"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

const (
	page  = "../../docs/one-query.md"
	query = "Q2.1"
	scale = 0.1
)

var update = flag.Bool("update", false, "write docs/one-query.md")

// TestPage compares the page with what the engine prints today.
func TestPage(t *testing.T) {
	parsed, err := template.New("page.tmpl").Funcs(stages(t)).ParseFiles("page.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := parsed.Execute(&want, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Errorf("%s is not what the stages print today, from %q on: run go test ./tests/walkthrough -update", page, difference(want.String(), string(have)))
	}
}

// difference returns the first line of want that have does not have there.
func difference(want, have string) string {
	lines := strings.Split(have, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(lines) || lines[i] != line {
			return line
		}
	}
	return "the end"
}

// stages are the functions of the template: what each stage prints of the query.
func stages(t *testing.T) template.FuncMap {
	text := ssbQuery(t)
	session := openBenchmark(t)
	explain := func(option string) string { return explained(t, session, option, text) }
	return template.FuncMap{
		"text":         func() string { return text },
		"intermediate": func() (string, error) { return intermediate(text) },
		"bound":        func() (string, error) { return paragraph(explain("RULES"), "bound algebra") },
		"rules":        func() string { return ruleNames(explain("RULES")) },
		"rule":         func(name string) (string, error) { return paragraph(explain("RULES"), "rule "+name+":") },
		"groups":       func() string { return boxes(explain("FUSION")) },
		"fusion":       func(title string) (string, error) { return paragraph(explain("FUSION"), title) },
		"kernel":       func(name string) (string, error) { return paragraph(explain("KERNEL"), fmt.Sprintf("kernel %q", name)) },
		"launch":       func(name string) (string, error) { return launchSteps(explain("LAUNCH"), name) },
		"cuda":         func(entry string) (string, error) { return cudaEntry(explain("CUDA"), entry) },
		"rows":         func(n int) (string, error) { return firstRows(session, text, n) },
		"source":       goFunction,
	}
}

// ssbQuery returns the text of the query.
func ssbQuery(t *testing.T) string {
	t.Helper()
	for _, q := range workload.SSBQueries() {
		if strings.HasSuffix(q.Name, strings.TrimPrefix(query, "Q")) {
			return strings.TrimSpace(q.SQL)
		}
	}
	t.Fatalf("the benchmark has no query %s", query)
	return ""
}

// openBenchmark returns a session over the tables of the benchmark, on the CPU.
func openBenchmark(t *testing.T) *cubeloom.Session {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := fill.Tables(context.Background(), db, workload.SSB{SF: scale}, workload.Options{}); err != nil {
		t.Fatal(err)
	}
	session := db.Session()
	for _, set := range []string{"SET device = cpu", "SET threads = 2"} {
		if _, err := session.Query(context.Background(), set); err != nil {
			t.Fatal(err)
		}
	}
	return session
}

// explained returns the lines that EXPLAIN prints.
func explained(t *testing.T, session *cubeloom.Session, option, text string) string {
	t.Helper()
	rows, err := answer(session, fmt.Sprintf("EXPLAIN (%s) %s", option, text))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(rows, "\n") + "\n"
}

// intermediate returns the query as Vitess parses it.
func intermediate(text string) (string, error) {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return "", err
	}
	carrier, err := sqlstate.Try(cursor.Query)
	return carrier.Text, err
}

// paragraph returns the lines from the one that begins with title to the next empty one.
func paragraph(text, title string) (string, error) {
	at := strings.Index("\n"+text, "\n"+title)
	if at < 0 {
		return "", fmt.Errorf("nothing printed begins with %q:\n%s", title, text)
	}
	found, _, _ := strings.Cut(text[at:], "\n\n")
	return strings.TrimRight(found, "\n"), nil
}

// ruleNames lists the rules that changed the plan, in their order.
func ruleNames(text string) string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^rule (\w+):`).FindAllStringSubmatch(text, -1) {
		names = append(names, "`"+m[1]+"`")
	}
	return strings.Join(names, ", ")
}
