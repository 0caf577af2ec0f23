package store

import (
	"fmt"
	"slices"
)

// Refunction replaces a function by one with the same key.
func (tx *Tx) Refunction(f *Function) { tx.set(f.key, f) }

// callers says of each table that is not dropped whose expressions call a dropped function of a name
// that it depends on that.
func (tx *Tx) callers(gone map[string]bool) (lines []string) {
	state := tx.State()
	for _, f := range state.AllFunctions() {
		if !gone[f.key] {
			continue
		}
		for _, o := range state.Objects() {
			t, ok := o.(*Table)
			if ok && !gone[KeyOf(t)] && slices.ContainsFunc(t.expressions(), func(text string) bool { return tx.Calls != nil && tx.Calls(text, f) }) {
				lines = append(lines, fmt.Sprintf("table %s depends on function %s", tx.written(t), tx.written(f)))
			}
		}
	}
	return lines
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
