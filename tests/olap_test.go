package tests

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/tests/reference"
)

const olapPage = "../docs/olap.md"

var updateOLAP = flag.Bool("update-olap", false, "write the results of docs/olap.md")

// olapBlock is a block of SQL of the page; want is that of its result behind it.
type olapBlock struct{ sql, want string }

// olapBlocks are the blocks of the page and what stands between them: before block i
// stands text[i].
func olapBlocks(t *testing.T) (text []string, blocks []olapBlock) {
	t.Helper()
	page, err := os.ReadFile(olapPage)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(page)
	for {
		before, from, found := strings.Cut(rest, "```sql\n")
		text = append(text, before)
		if !found {
			return text, blocks
		}
		var b olapBlock
		b.sql, rest, _ = strings.Cut(from, "```\n")
		if result, ok := strings.CutPrefix(rest, "\n```text\n"); ok {
			b.want, rest, _ = strings.Cut(result, "```\n")
		}
		blocks = append(blocks, b)
	}
}

// TestOLAPPage holds that the page of OLAP idioms is true; -update-olap writes its results.
func TestOLAPPage(t *testing.T) {
	db := openEngine(t)
	text, blocks := olapBlocks(t)
	queries := 0
	var page strings.Builder
	for i, b := range blocks {
		got := runBlock(t, db, b.sql)
		if got != "" {
			queries++
		}
		if got != b.want && !*updateOLAP {
			t.Errorf("%s\ngives\n%s\nwant\n%s", b.sql, got, b.want)
		}
		page.WriteString(text[i] + "```sql\n" + b.sql + "```\n")
		if got != "" {
			page.WriteString("\n```text\n" + got + "```\n")
		}
	}
	if queries < 12 {
		t.Errorf("the page has %d queries", queries)
	}
	if *updateOLAP {
		page.WriteString(text[len(text)-1])
		if err := os.WriteFile(olapPage, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runBlock runs the statements of a block, and returns what the last one does: a line of
// names and one for each row.
func runBlock(t *testing.T, db *engine, sql string) string {
	t.Helper()
	var out strings.Builder
	err := db.session.Run(context.Background(), sql, func(res *cubeloom.Result) error {
		rows, err := reference.Read(res)
		if err != nil {
			return err
		}
		out.Reset()
		if len(rows.Columns) == 0 {
			return nil
		}
		names := make([]string, len(rows.Columns))
		for i, c := range rows.Columns {
			names[i] = c.Name
		}
		out.WriteString(strings.Join(names, "|") + "\n")
		for _, row := range rows.Rows {
			out.WriteString(reference.Line(row) + "\n")
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return out.String()
}
