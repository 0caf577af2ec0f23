package crash

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A model is what a database should hold: tables, views, roles, and who may do what.
type model struct {
	tables   map[string]*table
	views    map[string]view
	governed map[string]governed // of tables and views, where anything was said of them
	roles    map[string]role
	members  map[string]bool // "role member": whether with admin option
	defaults map[string]bool // "role grantee" of default privileges
}

// table is a version of a table (k integer, v text, f double precision, …), whose
// further columns have the same value in all rows. It never changes.
type table struct {
	rows    []row
	extras  []extra
	keys    []string // as keyText writes them
	notNull bool     // of k
	preset  string   // the default of v
	refers  string   // the table that k refers to, and with whose rows its own are deleted; "": none
}

// extra is a column x1 whose default and values are 1.
type extra struct {
	number int
	wide   bool // bigint, and not integer
}

type row struct {
	k int
	v string
	f float64
}

// view is a view. A materialized one has the k of each row.
type view struct {
	text, reads  string
	materialized bool
	rows         []int
}

func newModel() *model {
	return &model{map[string]*table{}, map[string]view{}, map[string]governed{}, map[string]role{}, map[string]bool{}, map[string]bool{}}
}

func (m *model) clone() *model {
	return &model{maps.Clone(m.tables), maps.Clone(m.views), maps.Clone(m.governed), maps.Clone(m.roles), maps.Clone(m.members), maps.Clone(m.defaults)}
}

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
			extras += fmt.Sprintf("|%d", x.number)
		}
		lines = append(lines, name+t.definition())
		for _, r := range t.rows {
			lines = append(lines, fmt.Sprintf("%s:%d|%s|%g%s", name, r.k, r.v, r.f, extras))
		}
	}
	for name, v := range m.views {
		lines = append(lines, name+"="+v.text)
		if v.materialized {
			lines = append(lines, name+columnText("k", "integer", "", false))
		}
		for _, k := range v.rows {
			lines = append(lines, fmt.Sprintf("%s:%d", name, k))
		}
	}
	lines = append(lines, m.accessLines()...)
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// definition writes columns and keys.
func (t *table) definition() string {
	text := columnText("k", "integer", "", t.notNull) + columnText("v", "text", t.preset, false) + columnText("f", "double precision", "", false)
	for _, x := range t.extras {
		typ := "integer"
		if x.wide {
			typ = "bigint"
		}
		text += columnText(x.name(), typ, fmt.Sprint(x.number), false)
	}
	return text + strings.Join(slices.Sorted(slices.Values(t.keys)), "") + referenceText(t.refers)
}

func (x extra) name() string { return fmt.Sprint("x", x.number) }

func columnText(name, typ, preset string, notNull bool) string {
	return fmt.Sprintf(" (%s %s %s %t)", name, typ, preset, notNull)
}

func referenceText(to string) string {
	if to == "" {
		return ""
	}
	return " [k to k of " + to + "]"
}

func keyText(name string, primary bool, columns ...string) string {
	return fmt.Sprintf(" [%s %t %s]", name, primary, strings.Join(columns, ","))
}

// stateText writes a state in the same form.
func stateText(s *store.State) (string, error) {
	lines := stateAccess(s)
	for _, o := range s.Objects() {
		if v := store.QueryOf(o); v != nil {
			lines = append(lines, v.Name()+"="+v.Text)
		}
		if o, ok := o.(*store.Table); ok {
			lines = append(lines, o.Name()+stateDefinition(o))
			var err error
			if lines, err = appendRows(lines, o); err != nil {
				return "", err
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

func stateDefinition(t *store.Table) string {
	text := ""
	for _, c := range t.Columns() {
		text += columnText(c.Name, c.Type.String(), c.Default, c.NotNull)
	}
	var keys []string
	for _, key := range t.Keys() {
		if key.Index.Computed() {
			keys = append(keys, keyText(key.Name, false, key.Index.Definition(nil, false)))
			continue
		}
		var columns []string
		for _, c := range key.Columns {
			columns = append(columns, t.Columns()[c].Name)
		}
		keys = append(keys, keyText(key.Name, key.Primary, columns...))
	}
	slices.Sort(keys)
	text += strings.Join(keys, "")
	for _, k := range t.ForeignKeys() {
		text += referenceText(k.Table)
	}
	return text
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
