package parquetfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

var _ store.Source = (*File)(nil)

var ctx = context.Background()

// written draws a table and writes it to path, with a row group per append.
func written(t *rapid.T, path string) [][]value.Value {
	types := storetest.Types(t, slices.DeleteFunc(slices.Clone(storetest.All), func(t algebra.Type) bool {
		return t.Kind == algebra.Interval || t.Kind == algebra.Numeric
	}))
	var columns []store.Column
	for i, typ := range types {
		columns = append(columns, store.Column{Name: fmt.Sprint("c", i), Type: typ})
	}
	rows := storetest.Table(t, types, 40)
	file, err := encode(columns, rows)
	if err == nil {
		err = os.WriteFile(path, file, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// encode makes a Parquet file of rows.
func encode(columns []store.Column, rows [][]value.Value) ([]byte, error) {
	table, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
	if err != nil {
		return nil, err
	}
	app := table.Append()
	for half := range slices.Chunk(rows, max(1, len(rows)*3/4)) {
		batch := app.NewBatch()
		for _, row := range half {
			if err := batch.AppendRow(row); err != nil {
				return nil, err
			}
		}
		part, err := batch.Seal()
		if err == nil {
			err = app.Add(part)
		}
		if err != nil {
			return nil, err
		}
	}
	if table, err = app.Finish(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = Write(ctx, &out, table, columns)
	return out.Bytes(), err
}

func TestFilesReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	rapid.Check(t, func(t *rapid.T) {
		want := written(t, path)
		in, err := openPath(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := storetest.Rows(in, typesOf(in))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || in.Rows() != int64(len(want)) {
			t.Fatalf("%d rows, Rows() = %d, want %d", len(got), in.Rows(), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("row %d: got %v, want %v", i, got[i], want[i])
			}
		}
		checkBounds(t, in, got)
	})
}

func typesOf(s store.Source) []algebra.Type {
	var types []algebra.Type
	for _, c := range s.Columns() {
		types = append(types, c.Type)
	}
	return types
}

// checkBounds checks that Range and Stats hold for the rows.
func checkBounds(t *rapid.T, in *File, rows [][]value.Value) {
	at := 0
	for n := range in.Blocks() {
		b, _ := in.Load(n, nil)
		for c := range in.Columns() {
			lo, hi, all, ok := in.Range(n, c)
			s := in.Stats(c)
			for i := at; i < at+b.Rows; i++ {
				v := rows[i][c]
				x := v.I
				if v.Kind == value.Decimal {
					x = int64(v.Num.Coef.Lo)
				}
				switch {
				case v.Kind == value.Null && all:
					t.Fatalf("row %d column %d is NULL", i, c)
				case v.Kind != value.Null && ok && (x < lo || x > hi):
					t.Fatalf("row %d column %d: %d outside of %d … %d", i, c, x, lo, hi)
				case v.Kind != value.Null && s.HasBounds && (x < s.Min || x > s.Max):
					t.Fatalf("row %d column %d: %d outside of the column's %d … %d", i, c, x, s.Min, s.Max)
				}
			}
		}
		at += b.Rows
	}
}

// TestTimestampsKeepTheirKind writes timestamps with and without time zone.
func TestTimestampsKeepTheirKind(t *testing.T) {
	columns := []store.Column{{Name: "a", Type: algebra.TTimestamp}, {Name: "b", Type: algebra.TTimestampTZ}, {Name: "c", Type: algebra.TDate}}
	file, err := encode(columns, [][]value.Value{{{Kind: value.Int, I: 1}, {Kind: value.Int, I: -1}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := openPath(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(in.Columns(), columns) {
		t.Errorf("the columns are %v", in.Columns())
	}
}

func TestRowGroupsHaveBounds(t *testing.T) {
	columns := []store.Column{
		{Name: "i", Type: algebra.TInt32}, {Name: "d", Type: algebra.TDecimal(30, 2)}, {Name: "t", Type: algebra.TTimestamp},
	}
	var rows [][]value.Value
	for i := range int64(100) {
		rows = append(rows, []value.Value{
			{Kind: value.Int, I: i}, {Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(-i), Scale: 2}}, {Kind: value.Int, I: 1000 * i},
		})
	}
	file, err := encode(columns, rows)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := openPath(path)
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]int64{{75, 99}, {-99, -75}, {75000, 99000}}
	for c, w := range want {
		lo, hi, all, ok := in.Range(1, c)
		if lo != w[0] || hi != w[1] || !all || !ok {
			t.Errorf("column %d: %d … %d, %v, %v, want %v", c, lo, hi, all, ok, w)
		}
	}
	b, err := in.Load(0, []int{1})
	if err != nil || b.Cols[0] != nil || b.Cols[1] == nil || b.Rows != 75 {
		t.Errorf("Load of column 1 gave %v, %v", b, err)
	}
}

// encodeNested makes a Parquet file of a record, with two row groups.
func encodeNested(t *rapid.T, rec arrow.Record) []byte {
	var out bytes.Buffer
	table := array.NewTableFromRecords(rec.Schema(), []arrow.Record{rec})
	if err := pqarrow.WriteTable(table, &out, max(1, rec.NumRows()*2/3), nil, pqarrow.DefaultWriterProps()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestNestedColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	rapid.Check(t, func(t *rapid.T) {
		rec, want := storetest.Nested(t)
		if err := os.WriteFile(path, encodeNested(t, rec), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := openPath(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := storetest.Rows(in, typesOf(in))
		if err != nil {
			t.Fatal(err)
		}
		storetest.CheckNested(t, rows, want)
	})
}

func TestDamagedNestedFilesAreErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	rapid.Check(t, func(t *rapid.T) {
		rec, _ := storetest.Nested(t)
		damage(t, path, encodeNested(t, rec))
	})
}

// TestUnknownTypesFailWhenRead reads the other columns of a file that has some of types
// that SQL lacks.
func TestUnknownTypesFailWhenRead(t *testing.T) {
	short := &arrow.FixedSizeBinaryType{ByteWidth: 1}
	list := arrow.ListOf(short)
	pair := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "b", Type: short})
	millis := arrow.FixedWidthTypes.Time32ms
	fields := arrow.NewSchema([]arrow.Field{{Name: "l", Type: list}, {Name: "p", Type: pair}, {Name: "b", Type: short},
		{Name: "t", Type: millis, Nullable: true}, {Name: "i", Type: arrow.PrimitiveTypes.Int64}}, nil)
	rows := array.NewRecordBuilder(memory.DefaultAllocator, fields)
	if err := rows.UnmarshalJSON([]byte(`{"l": ["YQ=="], "p": {"a": 3, "b": "YQ=="}, "b": "YQ==", "t": "10:00:00.5", "i": 4}`)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(fields, out, nil, pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.Write(rows.NewRecord())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	in, err := openPath(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := in.Load(0, []int{3, 4})
	if err != nil || b.Cols[3].Value(0, algebra.TTime).I != 36000500000 || b.Cols[4].Value(0, algebra.TInt64).I != 4 {
		t.Errorf("Load gave %v, %v", b, err)
	}
	if lo, hi, _, ok := in.Range(0, 3); lo != 36000500000 || hi != lo || !ok {
		t.Errorf("the times are from %d to %d, %v", lo, hi, ok)
	}
	for i, want := range []string{"list<", "struct<", "fixed_size_binary"} {
		_, err := in.Load(0, []int{i})
		wantCode(t, err, value.CodeFeatureNotSupported)
		if !strings.Contains(err.Error(), fmt.Sprintf("column %q has the type %s", in.Columns()[i].Name, want)) {
			t.Error(err)
		}
	}
}

func TestDamagedFilesAreErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	columns := []store.Column{{Name: "a", Type: algebra.TText}, {Name: "b", Type: algebra.TInt32}, {Name: "c", Type: algebra.TTime}, {Name: "d", Type: algebra.TUUID}}
	file, err := encode(columns, [][]value.Value{{{Kind: value.Text, S: "x"}, {Kind: value.Int, I: 1}, {Kind: value.Int, I: value.MaxTime}, {Kind: value.Text, S: "00000000-0000-0000-0000-00000000000f"}}, {{}, {}, {}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		damage(t, path, file)
	})
}

// damage damages a file, writes it to path and reads it: it may be sound, or fail with a user error.
func damage(t *rapid.T, path string, file []byte) {
	damaged := slices.Clone(file)
	if rapid.Bool().Draw(t, "cut") {
		damaged = damaged[:rapid.IntRange(0, len(damaged)-1).Draw(t, "length")]
	} else {
		damaged[rapid.IntRange(0, len(damaged)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
	}
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := openPath(path)
	if err == nil {
		_, err = storetest.Rows(in, typesOf(in))
	}
	var e *value.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("not a user error: %v", err)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(path, []byte("not a Parquet file at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openPath(path)
	wantCode(t, err, value.CodeDataCorrupted)
	err = Write(ctx, &bytes.Buffer{}, emptyTable(t), []store.Column{{Name: "i", Type: algebra.TInterval}})
	wantCode(t, err, value.CodeFeatureNotSupported)
}

func emptyTable(t *testing.T) runtime.Relation {
	table, err := store.NewTable(store.Definition{Name: "t", Columns: []store.Column{{Name: "i", Type: algebra.TInterval}}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *value.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestBigEndian(t *testing.T) {
	tests := []struct {
		in   []byte
		want int64
		ok   bool
	}{
		{[]byte{1}, 1, true}, {[]byte{0xff}, -1, true}, {[]byte{0x80, 0}, -32768, true}, {nil, 0, false},
		{[]byte{0, 0x7f, 255, 255, 255, 255, 255, 255, 255}, 1<<63 - 1, true},
		{[]byte{0, 0x80, 0, 0, 0, 0, 0, 0, 0}, 0, false},
		{[]byte{0xff, 0x80, 0, 0, 0, 0, 0, 0, 0}, -1 << 63, true},
		{[]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, 0, false},
	}
	for _, tt := range tests {
		if got, ok := bigEndian(tt.in); ok != tt.ok || ok && got != tt.want {
			t.Errorf("% x: %d, %v", tt.in, got, ok)
		}
	}
}

// openPath opens the file of a path.
func openPath(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return Open(f, path)
}
