package codegen_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// tables is a catalog of tables in memory.
type tables map[string]*store.Table

func (c tables) Relation(name []string) (*planner.Relation, error) {
	t := c[name[len(name)-1]]
	if t == nil {
		return nil, nil
	}
	r := &planner.Relation{Ref: algebra.TableRef{Name: t.Name(), Handle: t, Rows: t.Rows(), Exact: true}}
	for i, col := range t.Columns() {
		r.Columns = append(r.Columns, planner.CatalogColumn{
			Name: col.Name, Type: col.Type, NotNull: col.NotNull, Stats: t.Stats(i),
		})
	}
	return r, nil
}

func (tables) Type([]string) (algebra.UserType, error) { return nil, nil }

func (tables) Functions([]string) ([]*planner.UserFunction, error) { return nil, nil }

func (c tables) File(string, map[string]string) (*planner.Relation, error) { return nil, nil }

// addTable fills a table; the cells of a row are Go values, nil for NULL.
func (c tables) addTable(t *testing.T, name string, cols []store.Column, rows ...[]any) {
	t.Helper()
	table, err := store.NewTable(store.Definition{Name: name, Columns: cols})
	if err != nil {
		t.Fatal(err)
	}
	app := table.Append()
	batch := app.NewBatch()
	for _, row := range rows {
		vals := make([]value.Value, len(row))
		for i, cell := range row {
			vals[i] = cellOf(cell, cols[i].Type)
		}
		if err := batch.AppendRow(vals); err != nil {
			t.Fatal(err)
		}
	}
	part, err := batch.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if err := app.Add(part); err != nil {
		t.Fatal(err)
	}
	if c[name], err = app.Finish(); err != nil {
		t.Fatal(err)
	}
}

func cellOf(cell any, typ algebra.Type) value.Value {
	switch x := cell.(type) {
	case int:
		if typ.Kind == algebra.Decimal || typ.Kind == algebra.Numeric {
			return value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(int64(x)), Scale: typ.Scale}}
		}
		return value.Value{Kind: value.Int, I: int64(x)}
	case float64:
		return value.Value{Kind: value.Float, F: x}
	case string:
		return value.Value{Kind: value.Text, S: x}
	case bool:
		return value.Value{Kind: value.Bool, B: x}
	}
	return value.Value{}
}

// shops is a small database with NULLs, duplicates and dangling keys.
func shops(t *testing.T) tables {
	c := tables{}
	c.addTable(t, "sales", []store.Column{
		{Name: "shop", Type: algebra.TInt32}, {Name: "item", Type: algebra.TText},
		{Name: "day", Type: algebra.TDate}, {Name: "price", Type: algebra.TDecimal(12, 2)},
		{Name: "n", Type: algebra.TInt64}, {Name: "f", Type: algebra.TFloat64},
	},
		[]any{1, "pen", 9000, 150, 3, 0.5},
		[]any{1, "pen", 9001, 250, 4, 1.5},
		[]any{2, "ink", 9400, 1000, 1, 2.5},
		[]any{2, nil, 9400, nil, 2, nil},
		[]any{nil, "pen", 9800, 99, nil, 4.0},
		[]any{7, "cap", 9800, 1, 10, 8.0},
	)
	c.addTable(t, "shops", []store.Column{
		{Name: "id", Type: algebra.TInt32, NotNull: true}, {Name: "city", Type: algebra.TText}, {Name: "big", Type: algebra.TBool},
	},
		[]any{1, "Bonn", true}, []any{2, "Kiel", false}, []any{3, "Bonn", nil}, []any{4, nil, true},
	)
	return c
}

// run executes a query in one configuration and returns its rows as text.
func run(t *testing.T, c tables, query string, opts fusion.Options, exec runtime.RunOptions) ([]string, error) {
	t.Helper()
	stmt, err := sql.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	plan, err := planner.Build(stmt.(*sql.Query), c, planner.Options{Verify: true})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	_, prog := generate(t, plan.Root, opts)
	exec.Account = runtime.NewAccount(0)
	res, err := runtime.Execute(context.Background(), prog, runtime.Everywhere(cpu.New(), len(prog.Steps)), &exec)
	if err != nil {
		return nil, err
	}
	return rowTexts(t, res.Rows, prog), nil
}

func rowTexts(t *testing.T, rel runtime.Relation, prog *codegen.Program) []string {
	t.Helper()
	all := make([]int, len(prog.Output))
	for i := range all {
		all[i] = i
	}
	var rows []string
	for i := range rel.Blocks() {
		block, err := rel.Load(i, all)
		if err != nil {
			t.Fatal(err)
		}
		for r := range block.Rows {
			cells := make([]string, len(all))
			for k, c := range prog.Output {
				cells[k] = (&algebra.Const{Val: block.Cols[k].Value(r, c.Type), Typ: c.Type}).String()
			}
			rows = append(rows, strings.Join(cells, " "))
		}
	}
	return rows
}

// configurations are ways to execute that must not change an answer.
func configurations() map[string]fusion.Options {
	return map[string]fusion.Options{
		"woven":   {Fusion: true},
		"unwoven": {},
		"tight":   {Fusion: true, Budget: operators.Resources{Registers: 36, Shared: 2048}},
		"cut":     {Fusion: true, Budget: operators.Resources{Registers: 33, Shared: 48 << 10}, Device: true}, // by what a device takes
	}
}

func check(t *testing.T, c tables, query, want string) {
	t.Helper()
	for name, opts := range configurations() {
		for _, exec := range []runtime.RunOptions{{Threads: 1, VectorRows: 1}, {Threads: 2}} {
			got, err := run(t, c, query, opts, exec)
			if err != nil {
				t.Errorf("%s (%s): %v", query, name, err)
				continue
			}
			lines := strings.Split(want, "; ")
			if want == "" {
				lines = nil
			}
			if !strings.Contains(query, "ORDER BY") {
				slices.Sort(got)
				slices.Sort(lines)
			}
			if !slices.Equal(got, lines) {
				t.Errorf("%s (%s):\n got %s\nwant %s", query, name, strings.Join(got, "; "), strings.Join(lines, "; "))
			}
		}
	}
}

func TestAnswers(t *testing.T) {
	c := shops(t)
	for _, tc := range [][2]string{
		{"SELECT 1 + 1, 'a' || 'b', NULL", "2 'ab' NULL"},
		{"SELECT shop, price FROM sales WHERE item = 'pen'", "1 1.50; 1 2.50; NULL 0.99"},
		{"SELECT price * n FROM sales WHERE n > 2", "4.50; 10.00; 0.10"},
		{"SELECT count(*), count(n), sum(n), avg(price), min(item), max(day) FROM sales",
			"6 5 20 3.0000000000000000 'cap' date '1996-10-31'"},
		{"SELECT item, sum(price) FROM sales GROUP BY item", "'pen' 4.99; 'ink' 10.00; 'cap' 0.01; NULL NULL"},
		{"SELECT upper(item), count(*) FROM sales GROUP BY upper(item)", "'PEN' 3; 'INK' 1; 'CAP' 1; NULL 1"},
		{"SELECT CASE WHEN n > 2 THEN 'many' ELSE item END AS c, count(*) FROM sales GROUP BY 1", "'many' 3; 'ink' 1; NULL 1; 'pen' 1"},
		{"SELECT CASE WHEN n <> 0 THEN 12 / n END FROM sales WHERE shop = 1", "4; 3"},
		{"SELECT extract(year FROM day), count(*) FROM sales GROUP BY 1", "1994 2; 1995 2; 1996 2"},
		{"SELECT shop FROM sales WHERE shop IN (1, 7, 100000000000)", "1; 1; 7"},
		{"SELECT DISTINCT shop FROM sales", "1; 2; 7; NULL"},
		{"SELECT stddev(n), var_pop(f) FROM sales WHERE shop = 1", "0.70710678118654752440 0.25"},
		{"SELECT item FROM sales ORDER BY item DESC NULLS LAST, n LIMIT 3 OFFSET 1", "'pen'; 'pen'; 'ink'"},
		{"SELECT n FROM sales WHERE n IS NOT NULL ORDER BY n LIMIT 2", "1; 2"},
		{"SELECT sum(n) FILTER (WHERE item = 'pen'), count(DISTINCT shop), sum(DISTINCT shop) FROM sales", "7 3 10"},
		{"SELECT max(city) FROM shops WHERE id > 10", "NULL"},
		{"SELECT count(*) FROM shops WHERE id > 10", "0"},
		{"SELECT count(*) FROM shops WHERE (id - id)::bigint = NULL", "0"},
	} {
		check(t, c, tc[0], tc[1])
	}
}

func TestJoinAnswers(t *testing.T) {
	c := shops(t)
	for _, tc := range [][2]string{
		{"SELECT city, sum(n) FROM sales JOIN shops ON shop = id GROUP BY city", "'Bonn' 7; 'Kiel' 3"},
		{"SELECT item, city FROM sales LEFT JOIN shops ON shop = id AND big", "'pen' 'Bonn'; 'pen' 'Bonn'; 'ink' NULL; NULL NULL; 'pen' NULL; 'cap' NULL"},
		{"SELECT item, id FROM sales RIGHT JOIN shops ON shop = id", "'pen' 1; 'pen' 1; 'ink' 2; NULL 2; NULL 3; NULL 4"},
		{"SELECT item, city FROM sales FULL JOIN shops ON shop = id",
			"'pen' 'Bonn'; 'pen' 'Bonn'; 'ink' 'Kiel'; NULL 'Kiel'; 'pen' NULL; 'cap' NULL; NULL 'Bonn'; NULL NULL"},
		{"SELECT a.id, b.id FROM shops a, shops b WHERE a.id < b.id AND a.city = b.city", "1 3"},
		{"SELECT count(*) FROM sales CROSS JOIN shops", "24"},
		{"SELECT s.item, t.item FROM sales s JOIN sales t ON s.item = t.item AND s.n < t.n", "'pen' 'pen'"},
		{"SELECT s.shop FROM sales s JOIN sales t ON s.price = t.n", "2"},
	} {
		check(t, c, tc[0], tc[1])
	}
}

func TestSetAnswers(t *testing.T) {
	c := shops(t)
	for _, tc := range [][2]string{
		{"SELECT shop FROM sales UNION ALL SELECT id FROM shops", "1; 1; 2; 2; NULL; 7; 1; 2; 3; 4"},
		{"SELECT shop FROM sales UNION SELECT id FROM shops", "1; 2; NULL; 7; 3; 4"},
		{"SELECT shop FROM sales INTERSECT SELECT id FROM shops", "1; 2"},
		{"SELECT shop FROM sales INTERSECT ALL SELECT shop FROM sales", "1; 1; 2; 2; NULL; 7"},
		{"SELECT shop FROM sales EXCEPT SELECT id FROM shops", "NULL; 7"},
		{"SELECT shop FROM sales EXCEPT ALL SELECT id FROM shops", "1; 2; NULL; 7"},
		{"SELECT item, 1.5 FROM sales WHERE n = 3 UNION ALL SELECT city, 2.25 FROM shops WHERE id = 1 UNION ALL VALUES ('x', 3)",
			"'pen' 1.5; 'Bonn' 2.25; 'x' 3"},
		{"SELECT sum(n) FROM sales UNION ALL SELECT avg(n) FROM sales", "20; 4.0000000000000000"},
		{"(SELECT id FROM shops ORDER BY id DESC LIMIT 1) UNION ALL (SELECT id FROM shops ORDER BY id LIMIT 1)", "4; 1"},
	} {
		check(t, c, tc[0], tc[1])
	}
}

func TestCubeAnswers(t *testing.T) {
	c := shops(t)
	for _, tc := range [][2]string{
		{"SELECT shop, item, count(*), sum(n), GROUPING(shop, item) FROM sales WHERE shop < 7 GROUP BY CUBE (shop, item)",
			"1 'pen' 2 7 0; 2 'ink' 1 1 0; 2 NULL 1 2 0; 1 NULL 2 7 1; 2 NULL 2 3 1; NULL 'pen' 2 7 2; NULL 'ink' 1 1 2; NULL NULL 1 2 2; NULL NULL 4 10 3"},
		{"SELECT item, avg(n) FROM sales GROUP BY ROLLUP (item) HAVING count(*) > 1", "'pen' 3.5000000000000000; NULL 4.0000000000000000"},
		{"SELECT shop, item, count(*) FROM sales WHERE n > 3 GROUP BY GROUPING SETS ((shop), (item), (shop))",
			"1 NULL 1; 7 NULL 1; NULL 'pen' 1; NULL 'cap' 1; 1 NULL 1; 7 NULL 1"},
		{"SELECT count(*), sum(n) FROM sales WHERE n > 100 GROUP BY GROUPING SETS ((), (shop))", "0 NULL"},
		{"SELECT shop, count(DISTINCT item) FROM sales WHERE shop < 3 GROUP BY ROLLUP (shop)", "1 1; 2 1; NULL 2"},
		{"SELECT upper(item), shop, count(DISTINCT n) FROM sales WHERE n < 4 GROUP BY CUBE (upper(item), shop)",
			"'PEN' 1 1; 'INK' 2 1; NULL 2 1; 'PEN' NULL 1; 'INK' NULL 1; NULL NULL 1; NULL 1 1; NULL 2 2; NULL NULL 3"},
		{"SELECT item, shop, count(DISTINCT n) FROM sales WHERE n < 3 GROUP BY CUBE (item, shop)",
			"'ink' 2 1; NULL 2 1; 'ink' NULL 1; NULL NULL 1; NULL 2 2; NULL NULL 2"},
		{"SELECT city, count(DISTINCT item) FROM sales FULL JOIN shops ON shop = id GROUP BY ROLLUP (city)",
			"'Bonn' 1; 'Kiel' 1; NULL 2; NULL 3"},
		{"SELECT x, count(*) FROM (SELECT shop AS x FROM sales UNION ALL SELECT id FROM shops) AS u WHERE x < 3 GROUP BY CUBE (x)",
			"1 3; 2 3; NULL 6"},
		{"SELECT sum(c) FROM (SELECT count(*) AS c FROM sales GROUP BY CUBE (shop, item)) AS u", "24"},
		{"SELECT shop, count(*) FROM sales GROUP BY CUBE (shop) UNION ALL SELECT id, 0 FROM shops WHERE id = 1 ORDER BY 1 NULLS FIRST, 2 LIMIT 3",
			"NULL 1; NULL 6; 1 0"},
		{"SELECT stddev_pop(f), stddev_pop(n), GROUPING(shop) FROM sales WHERE shop = 1 GROUP BY ROLLUP (shop)",
			"0.5 0.50000000000000000000 0; 0.5 0.50000000000000000000 1"},
	} {
		check(t, c, tc[0], tc[1])
	}
}

// TestErrors checks that an error in what is not taken is not raised, and one
// in what is taken is.
func TestErrors(t *testing.T) {
	c := shops(t)
	check(t, c, "SELECT id FROM shops WHERE id <> 2 AND 4 / (id - 2) > 1", "3; 4")
	check(t, c, "SELECT sum(4 / (id - 2)) FILTER (WHERE id > 2) FROM shops", "6")
	check(t, c, "SELECT coalesce(big, 1 / (id - id) > 0) FROM shops WHERE id < 3", "true; false")
	for name, opts := range configurations() {
		for query, want := range map[string]string{
			"SELECT 1 / (id - 2) FROM shops":                       value.CodeDivisionByZero,
			"SELECT id + 2147483647 FROM shops":                    value.CodeNumericOutOfRange,
			"SELECT (n * 100000)::smallint FROM sales WHERE n > 0": value.CodeNumericOutOfRange,
			"SELECT item::integer FROM sales":                      value.CodeInvalidText,
		} {
			_, err := run(t, c, query, opts, runtime.RunOptions{Threads: 1})
			if e, ok := err.(*value.Error); !ok || e.Code != want {
				t.Errorf("%s (%s): got %v, want %s", query, name, err, want)
			}
		}
	}
}

func TestBindingsOfValues(t *testing.T) {
	check(t, tables{}, "SELECT * FROM (VALUES (1, 'a', 1.50), (2, NULL, 2)) AS v (x, y, z) WHERE x > 0", fmt.Sprintf("1 'a' %s; 2 NULL %s", "1.50", "2"))
}
