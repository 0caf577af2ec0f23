package store

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// written is what messages call an object.
func (tx *Tx) written(o Object) string {
	if tx.Written == nil {
		return o.Name()
	}
	return tx.Written(o)
}

// Dependents says of each view that reads one of some objects, or such a view, and of each function that
// depends on one, on what it depends, and adds it to seen. Those of seen are left out.
func (tx *Tx) Dependents(names []string, seen map[string]bool) (lines []string) {
	state := tx.State()
	var visit func(name string)
	visit = func(name string) {
		o := state.Lookup(name)
		for _, v := range state.Dependents(name) {
			key := KeyOf(v)
			if seen[key] {
				continue
			}
			seen[key] = true
			lines = append(lines, fmt.Sprintf("%s %s depends on %s %s", KindOf(v), tx.written(v), KindOf(o), tx.written(o)))
			visit(key)
		}
		for _, f := range state.functionsOn(name) {
			if !seen[f.key] {
				seen[f.key] = true
				lines = append(lines, fmt.Sprintf("%s %s depends on %s %s", KindFunction, tx.written(f), KindOf(o), tx.written(o)))
				visit(f.key)
			}
		}
	}
	for _, name := range names {
		visit(name)
	}
	return lines
}

// StillRead is the error of dropping objects on which others depend, as lines say.
func StillRead(what string, lines []string) error {
	return &value.Error{
		Code: value.CodeDependentObjects, Pos: value.NoPos,
		Message: fmt.Sprintf("cannot drop %s because other objects depend on %s", what, itOrThem(what)),
		Detail:  strings.Join(lines, "\n"),
		Hint:    "Use DROP ... CASCADE to drop the dependent objects too.",
	}
}

// severalObjects is what messages call more than one object.
const severalObjects = "desired object(s)"

func itOrThem(what string) string {
	if what == severalObjects {
		return "them"
	}
	return "it"
}
