package cuda_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

var comments = regexp.MustCompile(`//.*`)

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
		f, same := parsed(t, text), parsed(t, text)
		changeUnkeyed(same)
		shapes := cuda.PlainShapes(f)
		if key(f, shapes) != key(same, cuda.PlainShapes(same)) {
			t.Errorf("%s: a key depends on names of inputs, constants, positions or estimates", file)
		}
		m, err := target.Render(f, shapes)
		if err != nil {
			t.Fatal(err)
		}
		other, err := target.Render(same, shapes)
		if err != nil {
			t.Fatal(err)
		}
		if comments.ReplaceAllString(m.Source, "") != comments.ReplaceAllString(other.Source, "") {
			t.Errorf("%s: the code depends on what its key leaves out", file)
		}
		if moved := m.For(f, same); !slices.Equal(moved.Sites, other.Sites) || !slices.Equal(moved.Maps, other.Maps) {
			t.Errorf("%s: the module of a kernel with the same key has other places", file)
		}
		for i := range same.Values { // the code's variables have names like them
			same.Values[i].Name += "'"
		}
		if key(f, shapes) != key(same, shapes) {
			t.Errorf("%s: a key depends on the names of values", file)
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

func parsed(t *testing.T, text []byte) *kernel.Func {
	t.Helper()
	f, err := kernel.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// changeUnkeyed changes what a key leaves out, but for the names of values.
func changeUnkeyed(f *kernel.Func) {
	f.Name += "'"
	for i := range f.Inputs {
		f.Inputs[i].Name += "'"
	}
	for i := range f.Params {
		f.Params[i].Val = value.Value{Kind: value.Int, I: 41}
	}
	for _, in := range cuda.Instructions(nil, f.Body) {
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
