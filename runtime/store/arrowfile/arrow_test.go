package arrowfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

var (
	_ store.Source = (*Records)(nil)
	_ store.Source = (*File)(nil)
)

var ctx = context.Background()

// drawTable draws a table and its rows. Intervals get microseconds that Arrow
// has room for.
func drawTable(t *rapid.T) (*store.Table, [][]value.Value) {
	types := storetest.Types(t, storetest.All)
	rows := storetest.Table(t, types, 30)
	var columns []store.Column
	for i, typ := range types {
		columns = append(columns, store.Column{Name: fmt.Sprint("c", i), Type: typ})
	}
	table, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	for len(rows) > 0 && err == nil {
		n := rapid.IntRange(1, len(rows)).Draw(t, "append")
		table, err = appended(table, rows[:n])
		rows = rows[n:]
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := storetest.Rows(table, types)
	if err != nil {
		t.Fatal(err)
	}
	return table, all
}

func appended(table *store.Table, rows [][]value.Value) (*store.Table, error) {
	app := table.Append()
	batch := app.NewBatch()
	for _, row := range rows {
		for i := range row {
			row[i].Interval.Micros %= 1 << 50
		}
		if err := batch.AppendRow(row); err != nil {
			return nil, err
		}
	}
	part, err := batch.Seal()
	if err != nil {
		return nil, err
	}
	if err := app.Add(part); err != nil {
		return nil, err
	}
	return app.Finish()
}

// sameRows compares what came back. Numerics have one scale per column then.
func sameRows(t *rapid.T, source store.Source, want [][]value.Value) {
	var types []algebra.Type
	for _, c := range source.Columns() {
		types = append(types, c.Type)
	}
	got, err := storetest.Rows(source, types)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || source.Rows() != int64(len(want)) {
		t.Fatalf("%d rows, Rows() = %d, want %d", len(got), source.Rows(), len(want))
	}
	for i := range want {
		for c := range want[i] {
			g, w := got[i][c], want[i][c]
			if g.Kind == value.Decimal && w.Kind == value.Decimal && g.Num.Cmp(w.Num) == 0 {
				continue
			}
			if !reflect.DeepEqual(g, w) {
				t.Fatalf("row %d column %d: got %v, want %v", i, c, g, w)
			}
		}
	}
}

func TestExportedRecordsImport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, want := drawTable(t)
		e, err := NewExporter(table, table.Columns())
		if err != nil {
			t.Fatal(err)
		}
		var records []arrow.Record
		for i := range e.Records() {
			rec, err := e.Record(i)
			if tooWide(err) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, rec)
		}
		r, err := array.NewRecordReader(e.Schema(), records)
		if err != nil {
			t.Fatal(err)
		}
		in, err := FromReader(r)
		if err != nil {
			t.Fatal(err)
		}
		sameRows(t, in, want)
	})
}

// tooWide reports whether numerics do not fit one scale.
func tooWide(err error) bool {
	var e *value.Error
	return errors.As(err, &e) && e.Code == value.CodeNumericOutOfRange
}

func TestFilesReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	rapid.Check(t, func(t *rapid.T) {
		table, want := drawTable(t)
		var file bytes.Buffer
		if err := Write(ctx, &file, table, table.Columns()); tooWide(err) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := openPath(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		sameRows(t, in, want)
	})
}

func TestNestedRecordsImport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec, want := storetest.Nested(t)
		from := rapid.IntRange(0, len(want)).Draw(t, "from")
		r, err := array.NewRecordReader(rec.Schema(), []arrow.Record{rec.NewSlice(int64(from), int64(len(want)))})
		if err != nil {
			t.Fatal(err)
		}
		in, err := FromReader(r)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := storetest.Rows(in, []algebra.Type{algebra.TJSONB})
		if err != nil {
			t.Fatal(err)
		}
		storetest.CheckNested(t, rows, want[from:])
	})
}

func TestDamagedFilesAreErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	var file bytes.Buffer
	table, err := store.NewTable(store.Definition{Name: "t", Columns: []store.Column{{Name: "a", Type: algebra.TText}, {Name: "b", Type: algebra.TInt32}}})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = appended(table, [][]value.Value{{{Kind: value.Text, S: "x"}, {Kind: value.Int, I: 1}}, {{}, {}}}); err != nil {
		t.Fatal(err)
	}
	if err := Write(ctx, &file, table, table.Columns()); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		damaged := slices.Clone(file.Bytes())
		if rapid.Bool().Draw(t, "cut") {
			damaged = damaged[:rapid.IntRange(0, len(damaged)-1).Draw(t, "length")]
		} else {
			damaged[rapid.IntRange(0, len(damaged)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		readOrFail(t, path)
	})
}

// TestFootersThatClaimTooMuch flips the high bits of every byte: a count of
// elements must not be believed before it is known to fit.
func TestFootersThatClaimTooMuch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	var file bytes.Buffer
	table, err := store.NewTable(store.Definition{Name: "t", Columns: []store.Column{{Name: "a", Type: algebra.TText}, {Name: "b", Type: algebra.TInt32}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(ctx, &file, table, table.Columns()); err != nil {
		t.Fatal(err)
	}
	for at := range file.Len() {
		for _, flip := range []byte{0x80, 0x40, 0x20, 0x02} {
			damaged := slices.Clone(file.Bytes())
			damaged[at] ^= flip
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			readOrFail(t, path)
		}
	}
}

// readOrFail reads a file that may be damaged: it may be sound, or fail with a
// user error.
func readOrFail(t rapid.TB, path string) {
	var types []algebra.Type
	in, err := openPath(path)
	if err == nil {
		defer in.Close()
		for _, c := range in.Columns() {
			types = append(types, c.Type)
		}
		_, err = storetest.Rows(in, types)
	}
	var e *value.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("not a user error: %v", err)
	}
}

func TestForeignTypesImport(t *testing.T) {
	mem := memory.DefaultAllocator
	dict := array.NewDictionaryBuilder(mem, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}).(*array.BinaryDictionaryBuilder)
	for _, s := range []string{"x", "y", "x"} {
		if err := dict.AppendString(s); err != nil {
			t.Fatal(err)
		}
	}
	dict.AppendNull()
	seconds := array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"})
	seconds.AppendValues([]arrow.Timestamp{-1, 0, 1, 2}, nil)
	unsigned := array.NewUint64Builder(mem)
	unsigned.AppendValues([]uint64{0, 1, 1<<64 - 1, 3}, nil)
	large := array.NewLargeStringBuilder(mem)
	large.AppendValues([]string{"", "a", "bc", "é"}, nil)
	null := array.NewNull(4)
	nanos := array.NewTime64Builder(mem, &arrow.Time64Type{Unit: arrow.Nanosecond})
	nanos.AppendValues([]arrow.Time64{0, 1999, 86400e9, 5}, []bool{true, true, true, false})
	hours := array.NewTime32Builder(mem, &arrow.Time32Type{Unit: arrow.Second})
	hours.AppendValues([]arrow.Time32{0, 3600, 86400, 1}, nil)
	tests := []struct {
		in   arrow.Array
		kind algebra.Kind
		want string
	}{
		{dict.NewArray(), algebra.Text, "x y x ~"},
		{seconds.NewArray(), algebra.TimestampTZ, "-1000000 0 1000000 2000000"},
		{unsigned.NewArray(), algebra.Decimal, "0 1 18446744073709551615 3"},
		{large.NewArray(), algebra.Text, " a bc é"},
		{null, algebra.Text, "~ ~ ~ ~"},
		{nanos.NewArray(), algebra.Time, "0 1 86400000000 ~"},
		{hours.NewArray(), algebra.Time, "0 3600000000 86400000000 1000000"},
	}
	for _, tt := range tests {
		typ, ok := typeOf(arrow.Field{Type: tt.in.DataType()})
		if !ok || typ.Kind != tt.kind {
			t.Errorf("%v became %v", tt.in.DataType(), typ)
			continue
		}
		for _, from := range []int{0, 1} {
			c, err := Chunk(array.NewSlice(tt.in, int64(from), 4), typ)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			for i := range c.Rows {
				got += " " + show(c.Value(i, typ))
			}
			want := " " + tt.want
			if from == 1 {
				want = want[1+len(show(firstOf(t, tt.in, typ))):]
			}
			if got != want {
				t.Errorf("%v from %d: got %q, want %q", tt.in.DataType(), from, got, want)
			}
		}
	}
}

func firstOf(t *testing.T, a arrow.Array, typ algebra.Type) value.Value {
	c, err := Chunk(a, typ)
	if err != nil {
		t.Fatal(err)
	}
	return c.Value(0, typ)
}

func show(v value.Value) string {
	switch v.Kind {
	case value.Null:
		return "~"
	case value.Text:
		return v.S
	case value.Decimal:
		return v.Num.String()
	}
	return fmt.Sprint(v.I)
}

func TestTimesOutOfRange(t *testing.T) {
	b := array.NewTime32Builder(memory.DefaultAllocator, &arrow.Time32Type{Unit: arrow.Second})
	b.Append(86401)
	_, err := Chunk(b.NewArray(), algebra.TTime)
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeDatetimeOverflow {
		t.Errorf("got %v", err)
	}
}

// Arrow has no infinity: the numbers that it is held as are days and moments there which SQL
// does not have.
func TestInfiniteDates(t *testing.T) {
	dates, moments := array.NewDate32Builder(memory.DefaultAllocator), array.NewTimestampBuilder(memory.DefaultAllocator, &arrow.TimestampType{Unit: arrow.Microsecond})
	dates.Append(value.InfinityDate)
	moments.Append(value.MinusInfinity)
	for typ, of := range map[algebra.Type]arrow.Array{algebra.TDate: dates.NewArray(), algebra.TTimestamp: moments.NewArray()} {
		_, err := Chunk(of, typ)
		var e *value.Error
		if !errors.As(err, &e) || e.Code != value.CodeDatetimeOverflow {
			t.Errorf("%s: imported with %v", typ, err)
		}
		chunk := &runtime.Chunk{Type: store.PhysicalType(typ, false), Enc: runtime.EncConst, Base: value.MinusInfinity, Rows: 1}
		if typ == algebra.TDate {
			chunk.Base = value.MinusInfinityDate
		}
		if err := checkExported(chunk, typ); !errors.As(err, &e) || e.Code != value.CodeFeatureNotSupported {
			t.Errorf("%s: exported with %v", typ, err)
		}
	}
}

func TestUnsupportedTypesAreNamed(t *testing.T) {
	err := CheckReadable(arrow.Field{Name: "l", Type: arrow.ListOf(arrow.FixedWidthTypes.Duration_s)})
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeFeatureNotSupported {
		t.Errorf("got %v", err)
	}
}

// openPath opens the file of a path.
func openPath(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return Open(context.Background(), f, path)
}

// A schema promises digits that nothing holds its values to.
func TestDecimalsOfTooManyDigits(t *testing.T) {
	for _, precision := range []int32{1, 5, 18, 19, 38} {
		typ := &arrow.Decimal128Type{Precision: precision, Scale: 1}
		limit := decimal128.FromBigInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil))
		one := decimal128.FromU64(1)
		for _, c := range []struct {
			v  decimal128.Num
			ok bool
		}{
			{limit.Sub(one), true}, {limit, false}, {limit.Negate(), false}, {limit.Negate().Add(one), true},
			{decimal128.New(math.MinInt64, 0), false},
		} {
			b := array.NewDecimal128Builder(memory.DefaultAllocator, typ)
			b.AppendNull()
			b.Append(c.v)
			chunk, err := Chunk(b.NewArray(), algebra.TDecimal(uint8(precision), 1))
			var e *value.Error
			if c.ok && (err != nil || fmt.Sprint(chunk.Value(1, algebra.TDecimal(uint8(precision), 1)).Num.Coef) != c.v.BigInt().String()) ||
				!c.ok && (!errors.As(err, &e) || e.Code != value.CodeDataCorrupted) {
				t.Errorf("%v of %d digits: %v", c.v.BigInt(), precision, err)
			}
		}
	}
}

// TestTextsThatAreNone imports texts that PostgreSQL could not hold: bytes that are not
// UTF-8, zeros, and texts that end within a character.
func TestTextsThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		texts   string
		offsets []int32
		ok      bool
	}{
		"texts":          {"äb", []int32{0, 2, 3}, true},
		"bytes":          {"a\xff", []int32{0, 1, 2}, false},
		"zeros":          {"ab\x00", []int32{0, 1, 3}, false},
		"half character": {"äb", []int32{0, 1, 3}, false},
		"half at an end": {"bä", []int32{0, 1, 2}, false},
		"part of bytes":  {"\xffab\x00", []int32{1, 2, 3}, true},
		"empty ones":     {"ä", []int32{0, 0, 2}, true},
	} {
		for _, typ := range []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString} {
			offsets := arrow.Int32Traits.CastToBytes(c.offsets)
			if typ.ID() == arrow.LARGE_STRING {
				var long []int64
				for _, o := range c.offsets {
					long = append(long, int64(o))
				}
				offsets = arrow.Int64Traits.CastToBytes(long)
			}
			data := array.NewData(typ, 2, []*memory.Buffer{nil, memory.NewBufferBytes(offsets), memory.NewBufferBytes([]byte(c.texts))}, nil, 0, 0)
			_, err := Chunk(array.MakeFromData(data), algebra.TText)
			var e *value.Error
			if c.ok != (err == nil) || err != nil && (!errors.As(err, &e) || e.Code != value.CodeUntranslatable) {
				t.Errorf("%s as %s: %v", name, typ, err)
			}
		}
	}
}
