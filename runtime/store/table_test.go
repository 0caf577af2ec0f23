package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

// appended returns the version of t with more rows.
func appended(t *Table, rows [][]value.Value) (*Table, error) {
	a := t.Append()
	b := a.NewBatch()
	for _, row := range rows {
		if err := b.AppendRow(row); err != nil {
			return nil, err
		}
	}
	p, err := b.Seal()
	if err != nil {
		return nil, err
	}
	if err := a.Add(p); err != nil {
		return nil, err
	}
	return a.Finish()
}

// drawColumns draws the columns of a table.
func drawColumns(t *rapid.T) []Column {
	var columns []Column
	for i, typ := range storetest.Types(t, storetest.All) {
		columns = append(columns, Column{Name: fmt.Sprint("c", i), Type: typ})
	}
	return columns
}

func columnTypes(columns []Column) []algebra.Type {
	types := make([]algebra.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	return types
}

func TestAppendedRowsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t)
		table, err := NewTable(Definition{Name: "t", Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		var all [][]value.Value
		for range rapid.IntRange(1, 6).Draw(t, "appends") {
			old, want := table, len(all)
			rows := storetest.Table(t, columnTypes(columns), 40)
			if table, err = appended(table, rows); err != nil {
				t.Fatal(err)
			}
			all = append(all, rows...)
			checkTable(t, table, all)
			checkTable(t, old, all[:want])
		}
	})
}

// checkTable compares a table with the rows that it must have, and its
// statistics with them.
func checkTable(t *rapid.T, table *Table, want [][]value.Value) {
	checkRewritten(t, table, want)
	for c, col := range table.Columns() {
		if s, n := table.Stats(c), distinctValues(c, want); s.Distinct > n*1.1+1 {
			t.Fatalf("column %d %v: estimate of %v distinct values, there are %v", c, col.Type, s.Distinct, n)
		}
	}
}

// distinctValues counts the distinct values of column c.
func distinctValues(c int, rows [][]value.Value) float64 {
	distinct := map[string]bool{}
	for _, row := range rows {
		if row[c].Kind != value.Null {
			distinct[fmt.Sprintf("%#v", row[c])] = true
		}
	}
	return float64(len(distinct))
}

// checkRewritten is checkTable for a table that had other rows before, which its
// estimates of distinct values may still count.
func checkRewritten(t *rapid.T, table *Table, want [][]value.Value) {
	got, err := storetest.Rows(table, columnTypes(table.Columns()))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || table.Rows() != int64(len(want)) {
		t.Fatalf("%d rows, Rows() = %d, want %d", len(got), table.Rows(), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("row %d: got %v, want %v", i, got[i], want[i])
		}
	}
	for n := range table.Blocks() {
		b, _ := table.Load(n, nil)
		for c, typ := range table.Types() {
			checkChunk(t, b.Cols[c], typ, b.Rows)
			if typ == kernel.Code && int64(max(len(b.Cols[c].Dict.Texts), 1)) != table.Stats(c).Codes {
				t.Fatalf("column %d: %d codes, of a dictionary of %d", c, table.Stats(c).Codes, len(b.Cols[c].Dict.Texts))
			}
		}
	}
	for c, col := range table.Columns() {
		checkStats(t, table.Stats(c), col, c, want)
	}
}

func checkChunk(t *rapid.T, c *runtime.Chunk, typ kernel.Type, rows int) {
	if c.Type != typ || c.Rows != rows {
		t.Fatalf("chunk of type %d with %d rows, want type %d with %d rows", c.Type, c.Rows, typ, rows)
	}
	nulls := 0
	if c.Valid != nil {
		nulls = runtime.ClearBits(c.Valid, 0, rows)
	}
	if nulls != c.Nulls || (nulls == 0) != (c.Valid == nil) {
		t.Fatalf("%d NULLs by the bitmap, %d by the count", nulls, c.Nulls)
	}
	if !c.HasRange {
		return
	}
	for _, v := range DecodeInts(nil, c, 0, rows) {
		if v < c.Min || v > c.Max {
			t.Fatalf("value %d outside %d … %d, NULL or not", v, c.Min, c.Max)
		}
	}
}

func checkStats(t *rapid.T, s algebra.Stats, col Column, c int, rows [][]value.Value) {
	nulls := int64(0)
	for _, row := range rows {
		v := row[c]
		if v.Kind == value.Null {
			nulls++
			continue
		}
		if !s.HasBounds {
			continue
		}
		i := v.I
		if v.Kind == value.Decimal {
			i = int64(v.Num.Coef.Lo)
		}
		if i < s.Min || i > s.Max {
			t.Fatalf("column %d: %d outside of %d … %d", c, i, s.Min, s.Max)
		}
	}
	if s.Nulls != nulls {
		t.Fatalf("column %d: %d NULLs, want %d", c, s.Nulls, nulls)
	}
	if n := distinctValues(c, rows); s.Distinct < n*0.9-1 {
		t.Fatalf("column %d %v: estimate of %v distinct values, there are %v", c, col.Type, s.Distinct, n)
	}
}

func TestRelationIsAppendedInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t)
		from, err := NewTable(Definition{Name: "from", Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		rows := storetest.Table(t, columnTypes(columns), 60)
		for i := 0; i < len(rows); i += 7 {
			if from, err = appended(from, rows[i:min(i+7, len(rows))]); err != nil {
				t.Fatal(err)
			}
		}
		to, _ := NewTable(Definition{Name: "to", Columns: columns})
		a := to.Append()
		ordinals := make([]int, len(columns))
		for i := range ordinals {
			ordinals[i] = i
		}
		ordinals[0] = -1
		if err := a.AddRelation(context.Background(), from, ordinals, 2); err != nil {
			t.Fatal(err)
		}
		if to, err = a.Finish(); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			rows[i][0] = value.Value{}
		}
		checkTable(t, to, rows)
	})
}

// textTableOf makes the version of a table t, with one column of text, that an
// appender makes; nil makes an empty one.
func textTableOf(t *testing.T, a *Appender) *Table {
	t.Helper()
	if a == nil {
		table, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "s", Type: algebra.TText}}})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// addTexts appends n texts made by text.
func addTexts(t *testing.T, a *Appender, n int, text func(i int) string) {
	t.Helper()
	b := a.NewBatch()
	for i := range n {
		b.Col(0).Text(text(i))
		if b.Full() || i == n-1 {
			p, err := b.Seal()
			if err == nil {
				err = a.Add(p)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkTexts checks that a table holds n texts made by text.
func checkTexts(t *testing.T, table *Table, n int, text func(i int) string) {
	t.Helper()
	got := 0
	for i := range table.Blocks() {
		b, err := table.Load(i, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Rows {
			if s := b.Cols[0].TextAt(row); s != text(got) {
				t.Fatalf("text %d is %q, want %q", got, s, text(got))
			}
			got++
		}
	}
	if got != n {
		t.Errorf("%d texts, want %d", got, n)
	}
}

// textTable is a table of n texts made by text.
func textTable(t *testing.T, n int, text func(i int) string) *Table {
	t.Helper()
	a := textTableOf(t, nil).Append()
	addTexts(t, a, n, text)
	table := textTableOf(t, a)
	checkTexts(t, table, n, text)
	return table
}

func TestDictionaryIsKeptWhileItPays(t *testing.T) {
	const rows = 2*runtime.BlockRows + 1000
	tests := []struct {
		name string
		rows int
		text func(i int) string
		want kernel.Type
	}{
		{"few values", rows, func(i int) string { return fmt.Sprint(i % 1000) }, kernel.Code},
		{"many values that come again", rows, func(i int) string { return fmt.Sprint(value.Hash64(uint64(i)) % 100_003) }, kernel.Code},
		{"as many as half a sample", rows, func(i int) string { return fmt.Sprint(i % 8000) }, kernel.Code},
		{"small table, all different", 2000, func(i int) string { return fmt.Sprint(i) }, kernel.Code},
		{"all different", rows, func(i int) string { return fmt.Sprint(i) }, kernel.Str},
		{"outgrown in the second block", rows, func(i int) string { return fmt.Sprint(max(i, runtime.BlockRows) % 70000) }, kernel.Str},
		{"outgrown slowly", 8 * runtime.BlockRows, func(i int) string { return fmt.Sprint(i / 3) }, kernel.Str},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := textTable(t, tt.rows, tt.text)
			if got := table.Types()[0]; got != tt.want || table.Stats(0).Dict != (tt.want == kernel.Code) {
				t.Errorf("kernel type %d, want %d; %+v", got, tt.want, table.Stats(0))
			}
		})
	}
}

func TestOldVersionKeepsItsDictionary(t *testing.T) {
	few := textTable(t, 1000, func(i int) string { return fmt.Sprint(i % 10) })
	a := few.Append()
	addTexts(t, a, 40000, func(i int) string { return fmt.Sprint("other", i) })
	many := textTableOf(t, a)
	if few.Types()[0] != kernel.Code || many.Types()[0] != kernel.Str {
		t.Errorf("types %v and %v", few.Types(), many.Types())
	}
	block, _ := few.Load(0, []int{0})
	if got := len(block.Cols[0].Dict.Texts); got != 10 {
		t.Errorf("the old version's dictionary has %d texts", got)
	}
	if n := many.Stats(0).Distinct; n < 39000 || n > 41000 {
		t.Errorf("distinct estimate %v", n)
	}
}

func TestEncodingsAreNarrow(t *testing.T) {
	const big = 1 << 40
	tests := []struct {
		lo, hi int64
		enc    runtime.Encoding
		base   int64
	}{
		{7, 7, runtime.EncConst, 7},
		{0, 255, runtime.EncU8, 0},
		{10, 200, runtime.EncU8, 0},
		{-1, 200, runtime.EncU8, -1},
		{big, big + 255, runtime.EncU8, big},
		{1, 256, runtime.EncU8, 1},
		{0, 256, runtime.EncU16, 0},
		{big, big + 65536, runtime.EncU32, big},
		{-1 << 31, 1<<31 - 1, runtime.EncU32, -1 << 31},
		{0, 1 << 32, runtime.EncI64, 0},
		{-1 << 63, 1<<63 - 1, runtime.EncI64, 0},
	}
	for _, tt := range tests {
		c := EncodeInts(kernel.I64, []int64{tt.lo, tt.hi, tt.lo}, nil, 0)
		if c.Enc != tt.enc || c.Base != tt.base {
			t.Errorf("%d … %d: encoding %d with base %d, want %d with %d", tt.lo, tt.hi, c.Enc, c.Base, tt.enc, tt.base)
		}
	}
}

func TestManySmallAppendsMakeFewBlocks(t *testing.T) {
	table, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "i", Type: algebra.TInt32}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		if table, err = appended(table, [][]value.Value{{{Kind: value.Int, I: int64(i)}}}); err != nil {
			t.Fatal(err)
		}
	}
	if table.Rows() != 3000 || table.Blocks() > 13 {
		t.Errorf("%d rows in %d blocks", table.Rows(), table.Blocks())
	}
}

func TestNotNullIsEnforced(t *testing.T) {
	table, err := NewTable(Definition{Name: "t", Columns: []Column{
		{Name: "a", Type: algebra.TInt32}, {Name: "b", Type: algebra.TText, NotNull: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = appended(table, [][]value.Value{{{Kind: value.Int, I: 1}, {}}})
	wantError(t, err, value.CodeNotNullViolation, `null value in column "b" of relation "t" violates not-null constraint`)
}

func TestDefinitionsAreChecked(t *testing.T) {
	_, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "a", Type: algebra.TInt32}, {Name: "a", Type: algebra.TText}}})
	wantError(t, err, value.CodeDuplicateColumn, `column "a" specified more than once`)
	_, err = NewTable(Definition{Name: "t"})
	wantError(t, err, value.CodeFeatureNotSupported, "tables without columns are not supported")
	many := make([]Column, maxColumns+1)
	_, err = NewTable(Definition{Name: "t", Columns: many})
	wantError(t, err, value.CodeTooManyColumns, "tables can have at most 1600 columns")
}

func wantError(t *testing.T, err error, code, message string) {
	t.Helper()
	var e *value.Error
	if !errors.As(err, &e) || e.Code != code || e.Message != message {
		t.Errorf("got %v, want %s: %s", err, code, message)
	}
}
