package sql

import (
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// TestExportStatements parses the statements about exports, which PostgreSQL has not, and
// writes them again.
func TestExportStatements(t *testing.T) {
	for text, want := range map[string]string{
		"EXPORT DATABASE 'a''b'":                                "export database 'a''b'",
		"export database 'x' with (format csv, \"Odd\" (a, b))": "export database 'x' (format 'csv', \"Odd\" ('a', 'b'))",
		"Import Database E'\\x61'":                              "import database 'a'",
		"select export.import from export as import":            "select export.import from export as import",
	} {
		stmt, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := Format(stmt); got != want {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	for text, want := range map[string]string{
		"export": "42601", "export table 'x'": "42601", "export database x": "42601", "export database ''": "22023",
		"export database 'x' (": "42601", "export database 'x' to 'y'": "42601", "import 'x'": "42601", "import database": "42601",
		"import database 'x' (format csv)": "42601", "import foreign schema a": "0A000", "explain export database 'x'": "42601",
	} {
		var e *sqlstate.Error
		if _, err := Parse(text); !errors.As(err, &e) || e.Code != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
