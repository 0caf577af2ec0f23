package sql

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const tableFile = "testdata/vitess_table.txt"

// tableCase is one row of the table: an input that Vitess's own verdict is
// known of, and what Parse makes of it.
type tableCase struct {
	name, verdict, input, want string
}

// readTable reads blocks of the form "case name verdict", input, "=> outcome".
func readTable(t *testing.T) (header string, cases []tableCase) {
	t.Helper()
	b, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimRight(string(b), "\n"), "\n\n")
	for _, block := range blocks[1:] {
		lines := strings.SplitN(block, "\n", 3)
		c := tableCase{input: lines[1]}
		if _, err := fmt.Sscanf(lines[0], "case %s %s", &c.name, &c.verdict); err != nil {
			t.Fatalf("%q: %v", lines[0], err)
		}
		if len(lines) == 3 {
			c.want = strings.TrimPrefix(lines[2], "=> ")
		}
		cases = append(cases, c)
	}
	return blocks[0], cases
}

// outcome is what Parse makes of a text, as text.
func outcome(text string) string {
	s, err := Parse(text)
	if err != nil {
		return describe(err)
	}
	return Format(s)
}

func describe(err error) string {
	var e *sqlstate.Error
	if !errors.As(err, &e) {
		return "error " + err.Error()
	}
	return fmt.Sprintf("error %s at %d: %s", e.Code, e.Pos, e.Message)
}

func TestVitessTable(t *testing.T) {
	header, cases := readTable(t)
	if len(cases) != 348 {
		t.Errorf("%d cases, want 348", len(cases))
	}
	var out strings.Builder
	out.WriteString(header + "\n")
	for _, c := range cases {
		got := outcome(c.input)
		fmt.Fprintf(&out, "\ncase %s %s\n%s\n=> %s\n", c.name, c.verdict, c.input, got)
		if got != c.want && !*update {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.input, got, c.want)
		}
	}
	if *update {
		if err := os.WriteFile(tableFile, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
