package store

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Refunction replaces a function by one with the same key.
func (tx *Tx) Refunction(f *Function) { tx.set(f.key, f) }

// namers says of each table and domain that is not dropped whose expressions call a dropped function, or name a
// dropped type, that it depends on that.
func (tx *Tx) namers(gone map[string]bool) (lines []string) {
	state := tx.State()
	if tx.Names == nil {
		return nil
	}
	for _, named := range state.Objects() {
		kind := KindOf(named)
		if !gone[KeyOf(named)] || kind != KindFunction && kind != KindType {
			continue
		}
		depends := func(what string) {
			lines = append(lines, fmt.Sprintf("%s depends on %s %s", what, kind, tx.written(named)))
		}
		names := func(text string) bool { return tx.Names(text, named) }
		for _, o := range state.Objects() {
			switch o := o.(type) {
			case *Table:
				if !gone[KeyOf(o)] && slices.ContainsFunc(o.expressions(), names) {
					depends("table " + tx.written(o))
				}
			case *UserType:
				if !gone[KeyOf(o)] && slices.ContainsFunc(domainTexts(o), names) {
					depends("type " + tx.written(o))
				}
			}
		}
	}
	return lines
}

// domainTexts are the texts of the expressions of a type that is a domain.
func domainTexts(t *UserType) (texts []string) {
	d, ok := t.Of.(*algebra.Domain)
	if !ok {
		return nil
	}
	if d.Default != "" {
		texts = append(texts, d.Default)
	}
	for _, check := range d.Checks {
		texts = append(texts, check.Text)
	}
	return texts
}

// expressions are the texts of the expressions of a table.
func (t *Table) expressions() (texts []string) {
	for i := range t.def.Columns {
		if c := &t.def.Columns[i]; c.Generated() != "" {
			texts = append(texts, c.Generated())
		} else if c.Default != "" {
			texts = append(texts, c.Default)
		}
	}
	for _, c := range t.def.Checks {
		texts = append(texts, c.Text)
	}
	for _, k := range t.def.Keys {
		if k.Index.Computed() {
			texts = append(texts, k.Index.Exprs...)
		}
		if k.Index != nil && k.Index.Where != "" {
			texts = append(texts, k.Index.Where)
		}
	}
	if t.def.By != nil {
		for _, key := range t.def.By.Keys {
			if !key.Is {
				texts = append(texts, key.Text)
			}
		}
	}
	return texts
}
