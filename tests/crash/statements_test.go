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
	roles bool // it changes roles
}

// maxRows is from how many rows on a table gets no more.
const maxRows = 60

// drawStatement draws a statement that changes the tables, views and roles of a prefix:
// roles only where that is set.
func drawStatement(r *rand.Rand, m *model, prefix string, number int, roles bool) statement {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.tables)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) < 3 && r.IntN(6) == 0 {
		return createTable(r, m, prefix, number, names)
	}
	if roles && r.IntN(8) == 0 {
		return drawRole(r, m, prefix, number)
	}
	name := names[r.IntN(len(names))]
	if r.IntN(6) == 0 {
		return drawGrant(r, m, prefix, name, number)
	}
	if r.IntN(3) == 0 {
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
	if r.IntN(2) == 0 {
		return statement{sql: "CREATE TABLE " + name + " (k integer PRIMARY KEY, v text, f double precision)",
			apply: func(m *model) { m.tables[name] = &table{keys: []string{keyText("", true, "k")}, notNull: true} }}
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
	switch kind := r.IntN(10); {
	case kind >= 8:
		return drawReference(m, name)
	case kind == 0:
		return statement{sql: "DROP TABLE " + name + " CASCADE", apply: func(m *model) {
			delete(m.tables, name)
			m.refer(name, "")
			delete(m.governed, name)
			for v := range m.views {
				if m.views[v].reads == name {
					delete(m.views, v)
					delete(m.governed, v)
				}
			}
		}}
	case kind == 1 && !viewed:
		to := fmt.Sprintf("%s%d", prefix, number)
		return statement{sql: fmt.Sprintf("ALTER TABLE %s RENAME TO %s", name, to), apply: func(m *model) {
			m.tables[to] = m.tables[name].renamedFrom(name)
			delete(m.tables, name)
			m.refer(name, to)
			if g, ok := m.governed[name]; ok {
				m.governed[to] = g
				delete(m.governed, name)
			}
		}}
	case kind == 2:
		return drawAlter(r, m, name, number)
	case kind == 3:
		return statement{sql: "TRUNCATE " + name + " CASCADE", apply: func(m *model) {
			m.alter(name, func(t *table) { t.rows = nil })
			m.deleteReferring()
		}}
	case kind == 4:
		return drawTemporary(r, prefix)
	case kind > 5:
		return drawMaterialized(m, "m"+prefix, name, number)
	}
	v := view{text: fmt.Sprintf("SELECT k + %d AS k FROM %s", number, name), reads: name}
	return statement{sql: fmt.Sprintf("CREATE OR REPLACE VIEW v%s AS %s", prefix, v.text), apply: func(m *model) { m.views["v"+prefix] = v }}
}

// drawMaterialized makes a materialized view of a table, or refreshes the one that there is, or drops
// it.
func drawMaterialized(m *model, name, reads string, number int) statement {
	old, ok := m.views[name]
	switch {
	case !ok:
		v := view{text: fmt.Sprintf("SELECT k + %d AS k FROM %s", number, reads), reads: reads, materialized: true}
		return statement{sql: fmt.Sprintf("CREATE MATERIALIZED VIEW %s AS %s", name, v.text), apply: func(m *model) { m.refresh(name, v, number) }}
	case number%4 == 0:
		return statement{sql: "DROP MATERIALIZED VIEW " + name, apply: func(m *model) { delete(m.views, name) }}
	}
	var added int
	if _, err := fmt.Sscanf(old.text, "SELECT k + %d", &added); err != nil {
		panic(err)
	}
	return statement{sql: "REFRESH MATERIALIZED VIEW " + name, apply: func(m *model) { m.refresh(name, old, added) }}
}

// refresh gives a materialized view the rows of the table that it reads.
func (m *model) refresh(name string, v view, added int) {
	v.rows = nil
	for _, r := range m.tables[v.reads].rows {
		v.rows = append(v.rows, r.k+added)
	}
	m.views[name] = v
}

// refer has what refers to one table refer to another one, or with "" to none.
func (m *model) refer(from, to string) {
	for name, t := range m.tables {
		if t.refers == from {
			m.alter(name, func(t *table) { t.refers = to })
		}
	}
}

// deleteReferring deletes the rows that refer to rows that are gone.
func (m *model) deleteReferring() {
	for range m.tables { // as long as a chain of them can be
		for name, t := range m.tables {
			if t.refers == "" {
				continue
			}
			there := map[int]bool{}
			for _, r := range m.tables[t.refers].rows {
				there[r.k] = true
			}
			m.changeRows(name, func(r row) (row, bool) { return r, there[r.k] })
		}
	}
}

// renamedFrom is the table after it lost a name, of which the primary key keeps its own.
func (t *table) renamedFrom(name string) *table {
	next := *t
	next.keys = slices.Clone(t.keys)
	for i, key := range next.keys {
		next.keys[i] = strings.Replace(key, "[ ", "["+name+"_pkey ", 1)
	}
	return &next
}

// drawTemporary draws statements about a temporary table, of which nothing is kept.
func drawTemporary(r *rand.Rand, prefix string) statement {
	more := []string{"", "INSERT INTO own%s VALUES (1, 'x')", "UPDATE own%s SET v = 'y'", "DROP TABLE own%s"}[r.IntN(4)]
	if more != "" {
		more = "; " + fmt.Sprintf(more, prefix)
	}
	return statement{sql: fmt.Sprintf("CREATE TEMPORARY TABLE IF NOT EXISTS own%s AS SELECT i AS k, 'text ' || i AS v FROM generate_series(1, 50) g(i)%s", prefix, more), apply: func(*model) {}}
}

// alter changes a table.
func (m *model) alter(name string, change func(*table)) {
	next := *m.tables[name]
	change(&next)
	m.tables[name] = &next
}

// drawAlter draws a statement that changes columns or keys of a table.
func drawAlter(r *rand.Rand, m *model, name string, number int) statement {
	t := m.tables[name]
	change := func(action string, apply func(*table)) statement {
		return statement{sql: "ALTER TABLE " + name + " " + action, apply: func(m *model) { m.alter(name, apply) }}
	}
	switch kind := r.IntN(8); {
	case kind == 0 && !t.isKeyed():
		return change("ADD PRIMARY KEY (k)", func(t *table) {
			t.keys, t.notNull = append(slices.Clip(t.keys), keyText("", true, "k")), true
		})
	case kind == 1 && len(t.keys) < 3:
		own := fmt.Sprint("u", number)
		if number%2 == 0 {
			const definition = "btree (lower(v), k) INCLUDE (f) WHERE (k > 0)"
			return statement{sql: "CREATE UNIQUE INDEX " + own + " ON " + name + " USING " + definition, apply: func(m *model) {
				m.alter(name, func(t *table) { t.keys = append(slices.Clip(t.keys), keyText(own, false, definition)) })
			}}
		}
		return change("ADD CONSTRAINT "+own+" UNIQUE (v, k)", func(t *table) {
			t.keys = append(slices.Clip(t.keys), keyText(own, false, "v", "k"))
		})
	case kind == 2 && len(t.keys) > 0 && !strings.Contains(t.keys[len(t.keys)-1], "[ "):
		last := strings.TrimPrefix(strings.Fields(t.keys[len(t.keys)-1])[0], "[")
		drop := "ALTER TABLE " + name + " DROP CONSTRAINT " + last + " CASCADE"
		if strings.Contains(t.keys[len(t.keys)-1], "btree") {
			drop = "DROP INDEX " + last
		}
		return statement{sql: drop, apply: func(m *model) {
			if key := m.tables[name].keys; strings.Contains(key[len(key)-1], " true ") {
				m.refer(name, "")
			}
			m.alter(name, func(t *table) { t.keys = t.keys[:len(t.keys)-1] })
		}}
	case kind == 3:
		return change(fmt.Sprintf("ALTER v SET DEFAULT 'd%d'", number), func(t *table) { t.preset = fmt.Sprintf("'d%d'", number) })
	case kind == 4 && len(t.extras) > 0:
		gone := t.extras[0].name()
		return statement{sql: "ALTER TABLE " + name + " DROP COLUMN " + gone, apply: func(m *model) {
			m.alter(name, func(t *table) { t.extras = t.extras[1:] })
			m.forgetColumn(name, gone)
		}}
	case kind == 5 && len(t.extras) > 0:
		return change("ALTER "+t.extras[0].name()+" TYPE bigint", func(t *table) {
			t.extras = slices.Clone(t.extras)
			t.extras[0].wide = true
		})
	case len(t.extras) < 3:
		return change(fmt.Sprintf("ADD COLUMN x%d integer DEFAULT %d", number, number), func(t *table) {
			t.extras = append(slices.Clip(t.extras), extra{number: number})
		})
	}
	return change("ALTER v DROP DEFAULT", func(t *table) { t.preset = "" })
}

// drawReference draws a statement that has a table refer to one that has all of its keys, or to none
// any more.
func drawReference(m *model, name string) statement {
	t := m.tables[name]
	if t.refers != "" {
		return statement{sql: "ALTER TABLE " + name + " DROP CONSTRAINT parent", apply: func(m *model) {
			m.alter(name, func(t *table) { t.refers = "" })
		}}
	}
	for _, to := range slices.Sorted(maps.Keys(m.tables)) {
		if to[0] == name[0] && m.hasKeysOf(t, to) {
			return statement{sql: "ALTER TABLE " + name + " ADD CONSTRAINT parent FOREIGN KEY (k) REFERENCES " + to + " ON DELETE CASCADE", apply: func(m *model) {
				m.alter(name, func(t *table) { t.refers = to })
			}}
		}
	}
	return statement{sql: "ALTER TABLE " + name + " ALTER v DROP DEFAULT", apply: func(m *model) {
		m.alter(name, func(t *table) { t.preset = "" })
	}}
}

// isKeyed reports whether a table has a primary key.
func (t *table) isKeyed() bool {
	return slices.ContainsFunc(t.keys, func(key string) bool { return strings.Contains(key, " true ") })
}

// hasKeysOf reports whether a table has a primary key, and in it all of the keys of another.
func (m *model) hasKeysOf(t *table, to string) bool {
	return m.tables[to].isKeyed() && !slices.ContainsFunc(t.rows, func(own row) bool {
		return !slices.ContainsFunc(m.tables[to].rows, func(r row) bool { return r.k == own.k })
	})
}

// drawRows draws a statement that changes the rows of a table.
func drawRows(r *rand.Rand, m *model, name string, number int) statement {
	t := m.tables[name]
	mod := 2 + r.IntN(4)
	rest := r.IntN(mod)
	where := fmt.Sprintf("WHERE k %% %d = %d", mod, rest)
	kind := r.IntN(8)
	switch {
	case len(t.rows) > maxRows:
		kind = 5
	case t.refers != "" && t.refers != name:
		kind = 3 + kind%3 // new rows would refer to none
	}
	switch kind {
	case 6, 7:
		return drawMixed(name, mod, rest, fmt.Sprintf("m%d", number%7), kind == 6)
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
			m.deleteReferring()
		}}
	}
	return drawInsert(r, name, t, number, kind == 0)
}

// drawMixed draws a statement that updates some rows of a table and removes others.
func drawMixed(name string, mod, rest int, text string, isMerge bool) statement {
	other := (rest + 1) % mod
	set, updated, removed := fmt.Sprintf("SET v = '%s', f = f + 1", text), fmt.Sprintf("k %% %d = %d", mod, rest), fmt.Sprintf("k %% %d = %d", mod, other)
	s := statement{sql: fmt.Sprintf("WITH d AS (DELETE FROM %s WHERE %s RETURNING k) UPDATE %[1]s %[3]s WHERE %[4]s", name, removed, set, updated)}
	if isMerge {
		s.sql = fmt.Sprintf("MERGE INTO %s USING (VALUES (0)) AS s (z) ON true WHEN MATCHED AND %s THEN UPDATE %s WHEN MATCHED AND %s THEN DELETE", name, updated, set, removed)
	}
	s.apply = func(m *model) {
		m.changeRows(name, func(r row) (row, bool) {
			if r.k%mod == rest {
				r.v, r.f = text, r.f+1
			}
			return r, r.k%mod != other
		})
		m.deleteReferring()
	}
	return s
}

// drawInsert draws an INSERT, or a COPY.
func drawInsert(r *rand.Rand, name string, t *table, number int, isCopy bool) statement {
	more, extras := "", ""
	for _, x := range t.extras {
		more += ", " + x.name()
		extras += fmt.Sprintf("\t%d", x.number)
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
		m.alter(name, func(t *table) { t.rows = append(slices.Clip(t.rows), rows...) })
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
	m.alter(name, func(t *table) {
		var rows []row
		for _, r := range t.rows {
			if r, keep := change(r); keep {
				rows = append(rows, r)
			}
		}
		t.rows = rows
	})
}
