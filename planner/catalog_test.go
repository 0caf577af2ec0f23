package planner

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

// memCatalog is a catalog of relations by name.
type memCatalog map[string]*Relation

func (c memCatalog) Relation(name []string) (*Relation, error) { return c[name[len(name)-1]], nil }

func (memCatalog) Type([]string) (algebra.UserType, error) { return nil, nil }

func (memCatalog) Functions([]string) ([]*UserFunction, error) { return nil, nil }

func (c memCatalog) File(path string, _ map[string]string) (*Relation, error) {
	return c["file "+path], nil
}

// loadCatalog reads a catalog from a text: a line "table NAME ROWS" begins a
// table, and each line below it is a column: name, type, and then any of
// "null", "unique", "dict", "min N", "max N", "distinct N". A line "view NAME
// QUERY" is a view.
func loadCatalog(t testing.TB, path string) memCatalog {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cat := memCatalog{}
	var table *Relation
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "table":
			rows, err := strconv.ParseInt(words[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			table = &Relation{Ref: algebra.TableRef{Name: words[1], Rows: rows, Exact: true}}
			cat[words[1]] = table
		case words[0] == "view":
			cat[words[1]] = &Relation{View: strings.Join(words[2:], " ")}
		default:
			table.Columns = append(table.Columns, loadColumn(t, table.Ref.Rows, words))
		}
	}
	return cat
}

func loadColumn(t testing.TB, rows int64, words []string) CatalogColumn {
	t.Helper()
	typ, err := sqltype.Resolve(loadType(words[1]), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := CatalogColumn{Name: words[0], Type: typ, NotNull: true}
	for i := 2; i < len(words); i++ {
		number := func() int64 {
			i++
			n, err := strconv.ParseInt(words[i], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		switch words[i] {
		case "null":
			c.NotNull = false
			c.Stats.Nulls = rows / 10
		case "unique":
			c.Stats.Unique, c.Stats.Distinct = true, float64(rows)
		case "dict":
			c.Stats.Dict = true
		case "min":
			c.Stats.Min, c.Stats.HasBounds = number(), true
		case "max":
			c.Stats.Max = number()
		case "distinct":
			c.Stats.Distinct = float64(number())
		default:
			t.Fatalf("unknown word %q in a catalog", words[i])
		}
	}
	return c
}

// loadType reads a type without blanks, such as numeric(12,2).
func loadType(s string) sql.TypeName {
	name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	typ := sql.TypeName{Name: strings.ReplaceAll(name, "_", " "), Pos: sql.NoPos}
	for _, arg := range strings.Split(args, ",") {
		if n, err := strconv.Atoi(arg); err == nil {
			typ.Args = append(typ.Args, n)
		}
	}
	return typ
}

func parseQuery(t testing.TB, text string) *sql.Query {
	t.Helper()
	stmt, err := sql.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	q, ok := stmt.(*sql.Query)
	if !ok {
		t.Fatalf("%s is %T", text, stmt)
	}
	return q
}
