package dialect

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestIntermediate shows the text that package sql has Vitess parse.
func TestIntermediate(t *testing.T) {
	const name = "testdata/intermediate.txt"
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(string(b)), "\n\n") {
		text, want, _ := strings.Cut(block, "\n=> ")
		c, err := NewCursor(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sqlstate.Try(c.Query)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != want && !*update {
			t.Errorf("%s\n got %s\nwant %s", text, got.Text, want)
		}
		out = append(out, text+"\n=> "+got.Text)
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(out, "\n\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
