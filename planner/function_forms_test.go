package planner

import (
	"testing"

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
				if codes[code] == nil {
					t.Errorf("%s: there is no code %q", f.Name, code)
				}
			}
		}
		if f.Kind == function.Window && windowForms[f.Form] == nil {
			t.Errorf("%s: there is no form %q of window functions", f.Name, f.Form)
		}
	}
	for code := range codes {
		if !used[code] {
			t.Errorf("no function is made of the code %q", code)
		}
	}
	for _, forms := range []map[function.Form]bool{keys(windowForms), keys(arrayForms), keys(orderedForms)} {
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
