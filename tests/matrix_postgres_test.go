//go:build reference

package tests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/jackc/pgx/v5/pgconn"
)

const rolesStatements = "testdata/roles/statements.sql"

// The kinds of role and of objects of the matrix.
var (
	roleKinds   = []string{"chief", "owner", "heir", "stranger_heir", "grantee", "steward", "plain"}
	objectKinds = []string{"owned", "granted", "foreign", "public_ones"}
)

// answer runs a line of the matrix in a transaction that is rolled back, and returns
// all that PostgreSQL would say: rows, tags, errors with their texts, notices.
func (m *matrixServer) answer(t *testing.T, role, line string) string {
	t.Helper()
	line = strings.ReplaceAll(line, "{out}", m.out)
	for _, of := range []string{"chief", "owner", "other"} {
		if place := "{" + of + "}"; strings.Contains(line, place) {
			line = strings.ReplaceAll(line, place, fmt.Sprint(m.connect(t, of, "target "+of).PID()))
		}
	}
	c := m.connect(t, role, role)
	if _, err := c.Exec(t.Context(), "BEGIN").ReadAll(); err != nil {
		t.Fatalf("%s: BEGIN: %v", role, err)
	}
	answer := m.run(t.Context(), c, line)
	if strings.Contains(line, "pg_terminate_backend") {
		m.sessions = map[string]*pgconn.PgConn{role: c}
	}
	if _, err := c.Exec(t.Context(), "ROLLBACK; RESET ALL; RESET ROLE; RESET SESSION AUTHORIZATION").ReadAll(); err != nil {
		t.Fatalf("%s: after %s: %v", role, line, err)
	}
	return answer
}

func (m *matrixServer) run(ctx context.Context, c *pgconn.PgConn, line string) string {
	if strings.HasSuffix(line, "FROM STDIN") {
		tag, err := c.CopyFrom(ctx, strings.NewReader(""), line)
		return describeAnswer(tag.String(), err)
	}
	if strings.HasSuffix(line, "TO STDOUT") {
		var rows bytes.Buffer
		_, err := c.CopyTo(ctx, &rows, line)
		return describeAnswer(rows.String(), err)
	}
	results, err := c.Exec(ctx, line).ReadAll()
	var out strings.Builder
	for _, r := range results {
		for _, row := range r.Rows {
			fmt.Fprintf(&out, "%s ", bytes.Join(row, []byte("|")))
		}
		if !strings.HasPrefix(line, "EXPLAIN") || len(r.Rows) == 0 {
			out.WriteString(r.CommandTag.String() + " ")
		}
	}
	if err == nil && strings.HasPrefix(line, "EXPLAIN") {
		return "a plan"
	}
	return describeAnswer(out.String(), err)
}

// describeAnswer is an answer as one line.
func describeAnswer(text string, err error) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\n", " "))
	var e *pgconn.PgError
	switch {
	case errors.As(err, &e):
		list := strings.Split(e.Detail, "\n")
		slices.Sort(list) // dependent objects come in the order of their OIDs
		e.Detail = strings.Join(list, ", ")
		text = strings.TrimSpace(text + " " + e.Severity + " " + e.Code + ": " + e.Message)
		for _, part := range []string{e.Detail, e.Hint} {
			if part != "" {
				text += " / " + part
			}
		}
	case err != nil:
		text += " " + err.Error()
	}
	return text
}

// matrixLines are the lines of the matrix, comments left out.
func matrixLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(rolesStatements)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	return lines
}

// matrixObject fills a line in for a kind of object.
func matrixObject(line, kind, dir string) string {
	table := kind
	if kind == "foreign" {
		table = `"foreign"`
	}
	if strings.Contains(line, "'{t}'") {
		line = strings.ReplaceAll(line, "relname = '{t}'", "relname = '"+kind+"'")
	}
	return strings.NewReplacer("{t}", table, "{v}", kind+"_view", "{new}", "new_one",
		"{file}", filepath.Join(dir, "rows.data"), "{out}", filepath.Join(dir, "{out}")).Replace(line)
}

// matrixDifferences are the answers that differ by design, by role and line.
var matrixDifferences = map[string]bool{
	// PostgreSQL looks at the system's columns too, on which nobody has privileges.
	"grantee REVOKE ALL ON granted FROM PUBLIC": true, "grantee REVOKE SELECT ON granted FROM grantee": true,
}

// TestRolesAsWithPostgres runs every statement of the matrix as every kind of role on
// every kind of object, here and in PostgreSQL, and compares all that they answer.
func TestRolesAsWithPostgres(t *testing.T) {
	ours, theirs, dir := startMatrix(t)
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	asked, different := 0, 0
	for _, line := range matrixLines(t) {
		kinds := objectKinds
		if !strings.Contains(line, "{t}") && !strings.Contains(line, "{v}") {
			kinds = kinds[:1]
		}
		for _, kind := range kinds {
			for _, role := range roleKinds {
				statement := matrixObject(line, kind, dir)
				asked++
				got, want := ours.answer(t, role, statement), theirs.answer(t, role, statement)
				if got != want && !matrixDifferences[role+" "+statement] {
					different++
					fmt.Fprintf(w, "%s\t%s\tgot\t%s\n\t\twant\t%s\n", role, statement, got, want)
				}
			}
		}
	}
	w.Flush()
	t.Logf("%d answers compared, %d differ", asked, different)
	if different > 0 {
		t.Errorf("answers that differ from PostgreSQL's:\n%s", table.String())
	}
}
