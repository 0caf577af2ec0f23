package planner

import (
	"testing"

	"github.com/cubeloom/cubeloom/planner/bind/aggregate"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/window"
	"github.com/cubeloom/cubeloom/planner/function"
)

// TestFormsOfFunctions checks that what rows of the catalogue name is there, and that
// nothing else is.
func TestFormsOfFunctions(t *testing.T) {
	used := map[any]bool{}
	for _, f := range function.All() {
		used[f.Form] = true
		for i := range f.Signatures {
			if code, ok := f.Signatures[i].Of.(function.Code); ok {
				used[code] = true
				if scalar.Codes[code] == nil {
					t.Errorf("%s: there is no code %q", f.Name, code)
				}
			}
		}
		if f.Kind == function.Window && window.Forms[f.Form] == nil {
			t.Errorf("%s: there is no form %q of window functions", f.Name, f.Form)
		}
	}
	for code := range scalar.Codes {
		if !used[code] {
			t.Errorf("no function is made of the code %q", code)
		}
	}
	for _, forms := range []map[function.Form]bool{keys(window.Forms), keys(expression.ArrayForms), keys(aggregate.OrderedForms)} {
		for form := range forms {
			if !used[form] {
				t.Errorf("no function has the form %q", form)
			}
		}
	}
}

func keys[V any](m map[function.Form]V) map[function.Form]bool {
	set := map[function.Form]bool{}
	for k := range m {
		set[k] = true
	}
	return set
}
