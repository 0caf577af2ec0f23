//go:build reference

package tests

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// TestScriptsAsWithPostgres has psql run the scripts under testdata/psql, each
// in one session, here and in PostgreSQL: results, command tags, notices, and
// errors with their details and places.
func TestScriptsAsWithPostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	files, err := filepath.Glob("testdata/psql/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	theirs := "host=" + pg.Dir() + " user=postgres dbname=postgres"
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, want := runScript(t, ctx, serve(t), string(script)), runScript(t, ctx, theirs, string(script))
			for i := range got {
				if !sameAnswer(got[i].text, want[i].text) {
					t.Errorf("%s\ngot\n%s\nwant\n%s", got[i].statement, got[i].text, want[i].text)
				}
			}
		})
	}
}

// answer is what psql writes for a statement.
type answer struct{ statement, text string }

// runScript has psql run the statements of a script in one session.
func runScript(t *testing.T, ctx context.Context, target, script string) []answer {
	t.Helper()
	pieces := scriptPieces(t, script)
	const mark = "-=-=-\n"
	var in strings.Builder
	in.WriteString("\\set VERBOSITY verbose\nDROP TABLE IF EXISTS t, u CASCADE;\n")
	for _, p := range pieces {
		in.WriteString("\\echo " + mark + p + "\n")
	}
	cmd := psql(ctx, target)
	cmd.Stdin = strings.NewReader(in.String())
	parts := strings.Split(output(t, cmd), mark)[1:]
	if len(parts) != len(pieces) {
		t.Fatalf("%d answers to %d statements: %s", len(parts), len(pieces), parts)
	}
	answers := make([]answer, len(parts))
	for i, p := range pieces {
		answers[i] = answer{p, temporarySchema.ReplaceAllString(parts[i], "pg_temp\n")}
	}
	return answers
}

// scriptPieces are the statements of a script, each with the data of COPY behind it.
func scriptPieces(t *testing.T, script string) []string {
	t.Helper()
	var pieces []string
	for script != "" {
		cut := cubeloom.CutCopy(script)
		statements, err := sql.Split(cut.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements {
			pieces = append(pieces, s.Text+";")
		}
		if cut.Ended {
			pieces[len(pieces)-1] += "\n" + cut.Data + "\\."
		}
		script = cut.Rest
	}
	return pieces
}

// temporarySchema is the name that PostgreSQL gives the schema of a session's temporary tables.
var temporarySchema = regexp.MustCompile(`pg_temp_\d+\n`)

// place is where psql shows an error's place. PostgreSQL knows none for what
// happens while a statement runs, where Cubeloom names the expression.
var place = regexp.MustCompile(`(?m)^LINE \d+:.*\n.*\n`)

// sameAnswer compares, but for places that PostgreSQL does not give.
func sameAnswer(got, want string) bool {
	return got == want || !place.MatchString(want) && place.ReplaceAllString(got, "") == want
}
