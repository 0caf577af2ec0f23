package csvfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

var _ store.Source = (*File)(nil)

// openText writes a file and opens it.
func openText(t *testing.T, text string, options ...Option) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return Open(context.Background(), f, path, options)
}

func TestColumnsAreGuessed(t *testing.T) {
	tests := []struct {
		name, in string
		options  []Option
		want     string
		rows     int64
	}{
		{"header", "id,price,day,at,ok,name\n1,2.5,2024-01-02,2024-01-02 03:04:05,true,x\n", nil,
			"id bigint, price double precision, day date, at timestamp, ok boolean, name text", 1},
		{"no header", "1,a\n2,b\n", nil, "column0 bigint, column1 text", 2},
		{"all text with a header", "a,b\nx,y\nz,\n", nil, "a text, b text", 2},
		{"all text without", "x,y\nx,z\n", nil, "column0 text, column1 text", 2},
		{"header by option", "x,y\nx,z\n", []Option{{Name: "header"}}, "x text, y text", 1},
		{"no header by option", "x\n1\n", []Option{{Name: "header", Value: "false"}}, "column0 text", 2},
		{"integers and fractions", "v\n1\n2.5\n", nil, "v double precision", 2},
		{"NULLs", "a,b\n,1\n2,\n", nil, "a bigint, b bigint", 2},
		{"other delimiters", "a|b\n1|x,y\n", nil, "a bigint, b text", 1},
		{"given delimiter", "a|b,c\n1|x,2\n", []Option{{Name: "delim", Value: ","}}, "a|b text, c bigint", 1},
		{"all text by option", "a\n1\n", []Option{{Name: "all_varchar"}}, "a text", 1},
		{"names twice", "a,a,\n1,2,3\n", nil, "a bigint, a_1 bigint, column2 bigint", 1},
		{"byte order mark", "\ufeffa\n1\n", nil, "a bigint", 1},
		{"quoted", "\"a b\"\n\"x\ny\"\n", []Option{{Name: "header"}}, "a b text", 1},
		{"header alone", "a,b\n", nil, "a text, b text", 0},
		{"one row", "1,2", nil, "column0 bigint, column1 bigint", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := openText(t, tt.in, tt.options...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range f.Columns() {
				got = append(got, c.Name+" "+c.Type.String())
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("columns %s\n   want %s", s, tt.want)
			}
			if f.Rows() != tt.rows {
				t.Errorf("%d rows, want %d", f.Rows(), tt.rows)
			}
			loaded := 0
			for i := range f.Blocks() {
				b, err := f.Load(i, []int{0})
				if err != nil {
					t.Fatal(err)
				}
				loaded += b.Rows
			}
			if int64(loaded) != tt.rows {
				t.Errorf("%d rows in the blocks", loaded)
			}
		})
	}
}

func TestBlocksAreReadByColumn(t *testing.T) {
	var b strings.Builder
	const rows = 2*runtime.BlockRows + 10
	for i := range rows {
		fmt.Fprintf(&b, "%d,\"a\n%d\"\n", i, i)
	}
	f, err := openText(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	if f.Rows() != rows || f.Blocks() != 3 {
		t.Fatalf("%d rows in %d blocks", f.Rows(), f.Blocks())
	}
	n := 0
	for i := range f.Blocks() {
		block, err := f.Load(i, []int{1})
		if err != nil {
			t.Fatal(err)
		}
		if block.Cols[0] != nil {
			t.Error("a column was read that nobody asked for")
		}
		for row := range block.Rows {
			if got, want := block.Cols[1].TextAt(row), fmt.Sprintf("a\n%d", n); got != want {
				t.Fatalf("row %d: %q", n, got)
			}
			n++
		}
	}
	if n != rows {
		t.Errorf("%d rows read", n)
	}
}

func TestValueThatIsNotAsGuessedSaysWhere(t *testing.T) {
	var b strings.Builder
	for i := range 50000 {
		fmt.Fprintf(&b, "%d\n", i)
	}
	b.WriteString("oops\n")
	f, err := openText(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Load(0, []int{0})
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeInvalidText || !strings.Contains(e.Where, `line 50001, column column0: "oops"`) {
		t.Errorf("got %#v", err)
	}
	f.SetTypes([]algebra.Type{algebra.TText})
	if _, err := f.Load(0, []int{0}); err != nil {
		t.Errorf("as text: %v", err)
	}
}

func TestEmptyFile(t *testing.T) {
	var e *value.Error
	if _, err := openText(t, ""); !errors.As(err, &e) || e.Code != value.CodeBadCopyFormat {
		t.Errorf("empty file: %v", err)
	}
}
