package function

import (
	"strings"
	"testing"
)

// TestRows checks that each row says what its function is, once.
func TestRows(t *testing.T) {
	seen := map[key]bool{}
	for _, f := range All() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if k := (key{name, f.Kind}); seen[k] {
				t.Errorf("%s %s has two rows", f.Kind, name)
			} else {
				seen[k] = true
			}
		}
		if !strings.HasSuffix(f.Text, ".") || f.Example == "" {
			t.Errorf("%s has no sentence or no example", f.Name)
		}
		if len(f.Signatures) == 0 && len(f.Usage) == 0 {
			t.Errorf("%s does not say how it is called", f.Name)
		}
		made := 0
		for _, is := range []bool{f.Form != "" && f.Window == "", f.Accumulator != "", f.Window != "", f.Query != "" && f.Form == "", f.OfSession} {
			if is {
				made++
			}
		}
		for i := range f.Signatures {
			if f.Signatures[i].Of == nil && f.Kind == Scalar {
				t.Errorf("%s is made of nothing", f.Name)
			}
			if _, ok := f.Signatures[i].Of.(SQL); ok && f.Kind == Aggregate && i == 0 {
				made++
			}
		}
		if made > 1 || made == 0 && (f.Kind != Scalar || len(f.Signatures) == 0) {
			t.Errorf("%s is made of %d things", f.Name, made)
		}
	}
}

func TestFind(t *testing.T) {
	if f := Find(Aggregate, "every"); f == nil || f.Name != "bool_and" {
		t.Error("every is not bool_and")
	}
	if Find(Scalar, "rank") != nil || Find(Window, "rank") == nil || Find(Aggregate, "rank") == nil {
		t.Error("rank is a window function and an aggregate")
	}
	if Has("whole quotient") || !Has("unnest") {
		t.Error("names that SQL cannot call are none of functions")
	}
	if !Refused(Scalar, "current_time") || Refused(Aggregate, "to_jsonb") {
		t.Error("current_time is a scalar function that does not exist")
	}
}
