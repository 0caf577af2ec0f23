package crash

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// A model is what the tables and views of a database should be.
type model struct {
	tables map[string]*table
	views  map[string]view
}

// table is a version of a table (k integer, v text, f double precision, …), whose
// further columns have the same value in all rows. It never changes.
type table struct {
	rows   []row
	extras []int
}

type row struct {
	k int
	v string
	f float64
}

type view struct{ text, reads string }

func newModel() *model { return &model{map[string]*table{}, map[string]view{}} }

func (m *model) clone() *model { return &model{maps.Clone(m.tables), maps.Clone(m.views)} }

// with is the model after changes.
func (m *model) with(changes ...func(*model)) *model {
	m = m.clone()
	for _, change := range changes {
		change(m)
	}
	return m
}

// text writes the model in a form of its own.
func (m *model) text() string {
	var lines []string
	for name, t := range m.tables {
		extras := ""
		for _, x := range t.extras {
			extras += fmt.Sprintf("|%d", x)
		}
		lines = append(lines, name)
		for _, r := range t.rows {
			lines = append(lines, fmt.Sprintf("%s:%d|%s|%g%s", name, r.k, r.v, r.f, extras))
		}
	}
	for name, v := range m.views {
		lines = append(lines, name+"="+v.text)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// stateText writes a state in the same form.
func stateText(s *store.State) (string, error) {
	var lines []string
	for _, o := range s.Objects() {
		switch o := o.(type) {
		case *store.View:
			lines = append(lines, o.Name()+"="+o.Text)
		case *store.Table:
			lines = append(lines, o.Name())
			var err error
			if lines, err = appendRows(lines, o); err != nil {
				return "", err
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

func appendRows(lines []string, t *store.Table) ([]string, error) {
	ordinals := make([]int, len(t.Columns()))
	for i := range ordinals {
		ordinals[i] = i
	}
	for n := range t.Blocks() {
		b, err := t.Load(n, ordinals)
		if err != nil {
			return nil, err
		}
		for i := range b.Rows {
			line := t.Name() + ":"
			for c, col := range t.Columns() {
				if c > 0 {
					line += "|"
				}
				line += cellText(b.Cols[c].Value(i, col.Type), col.Type)
			}
			lines = append(lines, line)
		}
	}
	return lines, nil
}

func cellText(v value.Value, t algebra.Type) string {
	switch t.Kind {
	case algebra.Text:
		return v.S
	case algebra.Float64:
		return fmt.Sprintf("%g", v.F)
	}
	return fmt.Sprint(v.I)
}
