package crash

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A statement changes the database, and a model as it should.
type statement struct {
	sql   string
	data  string // of COPY, which names no file
	apply func(*model)
}

// maxRows is from how many rows on a table gets no more.
const maxRows = 60

// drawStatement draws a statement that changes the tables of a prefix.
func drawStatement(r *rand.Rand, m *model, prefix string, number int) statement {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.tables)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) < 3 && r.IntN(6) == 0 {
		return createTable(r, m, prefix, number, names)
	}
	name := names[r.IntN(len(names))]
	if r.IntN(4) == 0 {
		return drawDefinition(r, m, prefix, name, number)
	}
	return drawRows(r, m, name, number)
}

func createTable(r *rand.Rand, m *model, prefix string, number int, names []string) statement {
	name := fmt.Sprintf("%s%d", prefix, number)
	if len(names) > 0 && r.IntN(2) == 0 {
		from := m.tables[names[0]]
		return statement{sql: fmt.Sprintf("CREATE TABLE %s AS SELECT k, v, f FROM %s", name, names[0]),
			apply: func(m *model) { m.tables[name] = &table{rows: from.rows} }}
	}
	return statement{sql: "CREATE TABLE " + name + " (k integer, v text, f double precision)",
		apply: func(m *model) { m.tables[name] = &table{} }}
}

// drawDefinition draws a statement that changes the definition of a table, or a view.
func drawDefinition(r *rand.Rand, m *model, prefix, name string, number int) statement {
	viewed := false
	for _, v := range m.views {
		viewed = viewed || v.reads == name
	}
	switch kind := r.IntN(6); {
	case kind == 0:
		return statement{sql: "DROP TABLE " + name + " CASCADE", apply: func(m *model) {
			delete(m.tables, name)
			maps.DeleteFunc(m.views, func(_ string, v view) bool { return v.reads == name })
		}}
	case kind == 1 && !viewed:
		to := fmt.Sprintf("%s%d", prefix, number)
		return statement{sql: fmt.Sprintf("ALTER TABLE %s RENAME TO %s", name, to), apply: func(m *model) {
			m.tables[to] = m.tables[name]
			delete(m.tables, name)
		}}
	case kind == 2 && len(m.tables[name].extras) < 3:
		return statement{sql: fmt.Sprintf("ALTER TABLE %s ADD COLUMN x%d integer DEFAULT %d", name, number, number), apply: func(m *model) {
			t := m.tables[name]
			m.tables[name] = &table{t.rows, append(slices.Clip(t.extras), number)}
		}}
	case kind == 3:
		return statement{sql: "TRUNCATE " + name, apply: func(m *model) { m.tables[name] = &table{extras: m.tables[name].extras} }}
	}
	v := view{fmt.Sprintf("SELECT k + %d AS k FROM %s", number, name), name}
	return statement{sql: fmt.Sprintf("CREATE OR REPLACE VIEW v%s AS %s", prefix, v.text), apply: func(m *model) { m.views["v"+prefix] = v }}
}

// drawRows draws a statement that changes the rows of a table.
func drawRows(r *rand.Rand, m *model, name string, number int) statement {
	t := m.tables[name]
	mod := 2 + r.IntN(4)
	rest := r.IntN(mod)
	where := fmt.Sprintf("WHERE k %% %d = %d", mod, rest)
	kind := r.IntN(6)
	if len(t.rows) > maxRows {
		kind = 5
	}
	switch kind {
	case 3, 4:
		text := fmt.Sprintf("u%d", number%7)
		return statement{sql: fmt.Sprintf("UPDATE %s SET v = '%s', f = f + 1 %s", name, text, where), apply: func(m *model) {
			m.changeRows(name, func(r row) (row, bool) {
				if r.k%mod == rest {
					r.v, r.f = text, r.f+1
				}
				return r, true
			})
		}}
	case 5:
		return statement{sql: fmt.Sprintf("DELETE FROM %s %s", name, where), apply: func(m *model) {
			m.changeRows(name, func(r row) (row, bool) { return r, r.k%mod != rest })
		}}
	}
	return drawInsert(r, name, t, number, kind == 0)
}

// drawInsert draws an INSERT, or a COPY.
func drawInsert(r *rand.Rand, name string, t *table, number int, isCopy bool) statement {
	more, extras := "", ""
	for _, x := range t.extras {
		more += fmt.Sprintf(", x%d", x)
		extras += fmt.Sprintf("\t%d", x)
	}
	rows := make([]row, 1+r.IntN(20)>>r.IntN(5))
	var values, lines []string
	for i := range rows {
		k := number*100 + i
		rows[i] = row{k, fmt.Sprintf("t%d", k%(3+number%50)), float64(k) / 4}
		values = append(values, fmt.Sprintf("(%d, '%s', %g)", k, rows[i].v, rows[i].f))
		lines = append(lines, fmt.Sprintf("%d\t%s\t%g%s\n", k, rows[i].v, rows[i].f, extras))
	}
	s := statement{apply: func(m *model) {
		t := m.tables[name]
		m.tables[name] = &table{append(slices.Clip(t.rows), rows...), t.extras}
	}}
	if isCopy {
		s.sql, s.data = fmt.Sprintf("COPY %s (k, v, f%s)", name, more), strings.Join(lines, "")
	} else {
		s.sql = fmt.Sprintf("INSERT INTO %s (k, v, f) VALUES %s", name, strings.Join(values, ", "))
	}
	return s
}

// changeRows changes each row of a table, and keeps those for which change says so.
func (m *model) changeRows(name string, change func(row) (row, bool)) {
	t := m.tables[name]
	next := &table{extras: t.extras}
	for _, r := range t.rows {
		if r, keep := change(r); keep {
			next.rows = append(next.rows, r)
		}
	}
	m.tables[name] = next
}
