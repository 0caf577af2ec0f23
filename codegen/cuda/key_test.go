package cuda_test

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// What a key leaves out makes no difference to the code, and what is in the code
// makes one to the key.
func TestKey(t *testing.T) {
	files, err := filepath.Glob("testdata/*.kernel")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, same := parsed(t, string(text)), parsed(t, string(text))
		changeUnkeyed(same)
		shapes := cuda.PlainShapes(f)
		if key(f, shapes) != key(same, cuda.PlainShapes(same)) {
			t.Errorf("%s: a key depends on names, constants, positions or estimates", file)
		}
		m, err := target.Render(f, shapes)
		if err != nil {
			t.Fatal(err)
		}
		other, err := target.Render(same, shapes)
		if err != nil {
			t.Fatal(err)
		}
		if m.Source != other.Source {
			t.Errorf("%s: the source depends on what its key leaves out", file)
		}
		if named := m.Named(same); unnamed(same, named) != m.Source || named == m.Source {
			t.Errorf("%s: a source with names differs in more than names:\n%s", file, named)
		}
		if moved := m.For(f, same); !slices.Equal(moved.Sites, other.Sites) || !slices.Equal(moved.Maps, other.Maps) {
			t.Errorf("%s: the module of a kernel with the same key has other places", file)
		}
		same.Values[0].Nullable = !same.Values[0].Nullable
		if key(f, shapes) == key(same, shapes) {
			t.Errorf("%s: a key does not depend on values", file)
		}
		if wider := slices.Clone(shapes); len(wider) > 0 && key(f, wider[:len(wider)-1]) == key(f, shapes) {
			t.Errorf("%s: a key does not depend on shapes", file)
		}
	}
}

// parsed is the kernel of a text.
func parsed(t *testing.T, text string) *kernel.Func {
	t.Helper()
	f, err := kerneltext.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := kernel.Verify(f); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return f
}

// unnamed takes the names that changeUnkeyed has given back out of a source.
func unnamed(f *kernel.Func, source string) string {
	for i, in := range f.Inputs {
		source = strings.ReplaceAll(source, in.Name, fmt.Sprintf("in%d", i))
	}
	return given.ReplaceAllString(source, "v$1")
}

// given finds the names that changeUnkeyed gives to values.
var given = regexp.MustCompile(`\b[a-z]\w*_of_value_([0-9]+)`)

// changeUnkeyed changes what a key leaves out.
func changeUnkeyed(f *kernel.Func) {
	f.Name += "'"
	for i := range f.Inputs {
		f.Inputs[i].Name = fmt.Sprintf("the input of number %d", i)
	}
	for i := range f.Values {
		f.Values[i].Name = "Name/of value" // and its number
	}
	for i := range f.Params {
		f.Params[i].Val = value.Value{Kind: value.Int, I: 41}
	}
	for _, in := range f.Instructions() {
		if c, ok := in.(*kernel.Compute); ok {
			c.Pos += 7
		}
	}
	if agg, ok := f.Sink.(*kernel.Aggregate); ok {
		agg.Groups += 3
	}
}

func key(f *kernel.Func, shapes []cuda.InputShape) string {
	return string(cuda.AppendKey(nil, f, shapes))
}
