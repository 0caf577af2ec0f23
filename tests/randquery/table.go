package randquery

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Table is a small table of random rows.
type Table struct {
	Name    string
	Columns []Column
	// Rows holds the values as SQL literals.
	Rows [][]string
	// Extreme says that values may be the least or greatest of their type.
	Extreme bool
	// Copies is how often the rows are repeated with other values of k and s, 0 for once.
	Copies int
}

// A Column is a column of a Table.
type Column struct {
	Name string
	Kind Kind
	// Type is the type in CREATE TABLE.
	Type string
}

// Tables makes n tables named t0, t1, …. Every table has the columns k, an
// integer, and s, a text, for natural joins; the others have names of their own.
func Tables(seed uint64, n int) []Table {
	r := rand.New(rand.NewPCG(seed, 0x7461626c65))
	tables := make([]Table, n)
	for i := range tables {
		t := Table{Name: fmt.Sprintf("t%d", i), Columns: []Column{{"k", Int, "integer"}, {"s", Text, "text"}}}
		for c := range 3 + r.IntN(5) {
			kind := pick(r, columnKinds...)
			t.Columns = append(t.Columns, Column{fmt.Sprintf("c%d%d", i, c), kind, columnType(r, kind)})
		}
		// Some tables are empty, some have one row.
		for range pick(r, 0, 1, 3, 6, 8, 10, 12, 14, 16, 18, 20) {
			t.Rows = append(t.Rows, t.row(r))
		}
		if r.IntN(2) == 0 {
			t.sort(r)
		}
		tables[i] = t
	}
	return tables
}

func columnType(r *rand.Rand, k Kind) string {
	switch k {
	case Numeric:
		return pick(r, "numeric(10,2)", "numeric(6,3)", "numeric(18,0)", "numeric(30,6)", "numeric")
	case Text:
		return pick(r, "text", "varchar(10)")
	case Float:
		return pick(r, "double precision", "double precision", "real")
	}
	return k.typeName()
}

func (t Table) row(r *rand.Rand) []string {
	row := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		switch {
		case r.IntN(6) == 0:
			row[i] = "NULL"
		case c.Kind == Numeric:
			row[i] = fmt.Sprintf("%.3f", float64(r.IntN(200_000)-100_000)/1000)
			if c.Type == "numeric" {
				row[i] = strings.TrimSuffix(row[i], "0")
			}
		case c.Kind == Int && c.Name == "k":
			row[i] = fmt.Sprint(r.IntN(8))
		default:
			row[i] = literal(r, c.Kind)
		}
	}
	return row
}

// sort makes the rows stand in the order of k, which is then never NULL, and in half
// of the tables has no value twice.
func (t Table) sort(r *rand.Rand) {
	unique, k := r.IntN(2) == 0, 0
	for _, row := range t.Rows {
		row[0] = fmt.Sprint(k)
		if k += r.IntN(2); unique && row[0] == fmt.Sprint(k) {
			k++
		}
	}
}

// SQL is the statements that create and fill the table.
func (t Table) SQL() []string {
	var create strings.Builder
	fmt.Fprintf(&create, "CREATE TABLE %s (", t.Name)
	for i, c := range t.Columns {
		if i > 0 {
			create.WriteString(", ")
		}
		fmt.Fprintf(&create, "%s %s", c.Name, c.Type)
	}
	create.WriteString(")")
	statements := []string{create.String()}
	if len(t.Rows) > 0 {
		rows := make([]string, len(t.Rows))
		for i, row := range t.Rows {
			rows[i] = "(" + strings.Join(row, ", ") + ")"
		}
		statements = append(statements, fmt.Sprintf("INSERT INTO %s VALUES %s", t.Name, strings.Join(rows, ", ")))
	}
	if t.Copies > 0 {
		columns := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			columns[i] = c.Name
		}
		statements = append(statements, fmt.Sprintf("INSERT INTO %s SELECT k + 8 * n, s || n, %s FROM %[1]s, generate_series(1, %[3]d) AS n ORDER BY n, k",
			t.Name, strings.Join(columns[2:], ", "), t.Copies))
	}
	return statements
}
