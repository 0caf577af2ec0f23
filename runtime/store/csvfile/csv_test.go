package csvfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

var ctx = context.Background()

// testColumns are columns a, b, … of the given types.
func testColumns(types ...algebra.Type) []store.Column {
	columns := make([]store.Column, len(types))
	for i, t := range types {
		columns[i] = store.Column{Name: string(rune('a' + i)), Type: t}
	}
	return columns
}

// load reads text into a table t of the columns.
func load(text string, columns []store.Column, opt Options) (*store.Table, error) {
	t, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
	if err != nil {
		return nil, err
	}
	app := t.Append()
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	n, err := Load(ctx, Input{Reader: strings.NewReader(text), File: "x.csv"}, app, all, opt, 2)
	if err != nil {
		return nil, err
	}
	if t, err = app.Finish(); err == nil && t.Rows() != n {
		err = fmt.Errorf("%d rows, Load says %d", t.Rows(), n)
	}
	return t, err
}

// rows reads a table back.
func rows(t *store.Table) [][]value.Value {
	var out [][]value.Value
	for n := range t.Blocks() {
		b, _ := t.Load(n, nil)
		for i := range b.Rows {
			row := make([]value.Value, len(b.Cols))
			for c := range row {
				row[c] = b.Cols[c].Value(i, t.Columns()[c].Type)
			}
			out = append(out, row)
		}
	}
	return out
}

// texts shows a table's rows, fields between bars and NULL as ~.
func texts(t *store.Table) string {
	var b strings.Builder
	for _, row := range rows(t) {
		for i, v := range row {
			if i > 0 {
				b.WriteByte('|')
			}
			if v.Kind == value.Null {
				b.WriteByte('~')
			} else {
				b.WriteString(v.S)
			}
		}
		b.WriteByte(';')
	}
	return b.String()
}

func options(t *testing.T, text bool, pairs ...string) Options {
	t.Helper()
	var list []Option
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, Option{Name: pairs[i], Value: pairs[i+1]})
	}
	opt, err := ParseOptions(text, list, Query)
	if err != nil {
		t.Fatal(err)
	}
	return opt
}

func TestReadsWhatPostgresReads(t *testing.T) {
	two := testColumns(algebra.TText, algebra.TText)
	one := testColumns(algebra.TText)
	tests := []struct {
		name, in string
		columns  []store.Column
		opt      Options
		want     string
	}{
		{"plain", "a,b\nc,d\n", two, options(t, false), "a|b;c|d;"},
		{"no line end at the end", "a,b\nc,d", two, options(t, false), "a|b;c|d;"},
		{"carriage returns", "a,b\r\nc,d\r\n", two, options(t, false), "a|b;c|d;"},
		{"empty is NULL, quoted empty is not", ",\"\"\n", two, options(t, false), "~|;"},
		{"quotes", "\"a,b\",\"c\"\"d\"\n", two, options(t, false), "a,b|c\"d;"},
		{"line end within quotes", "\"a\nb\",c\nd,e\n", two, options(t, false), "a\nb|c;d|e;"},
		{"quotes in the middle", "a\"b,c\"d,e\n", two, options(t, false), "ab,cd|e;"},
		{"header", "x,y\na,b\n", two, options(t, false, "header", ""), "a|b;"},
		{"header that matches", "a,b\nc,d\n", two, options(t, false, "header", "match"), "c|d;"},
		{"null string", "NA,\"NA\"\n", two, options(t, false, "null", "NA"), "~|NA;"},
		{"force null", "\"NA\",\"NA\"\n", two, options(t, false, "null", "NA", "force_null", "(a)"), "~|NA;"},
		{"force not null", ",\n", two, options(t, false, "force_not_null", "(b)"), "~|;"},
		{"other characters", "'a;''';b\n", two, options(t, false, "delimiter", ";", "quote", "'"), "a;'|b;"},
		{"escape", "'a\\'b\\\\','c\\d'\n", two, options(t, false, "quote", "'", "escape", "\\"), "a'b\\|c\\d;"},
		{"empty line of one column", "a\n\nb\n", one, options(t, false), "a;~;b;"},
		{"nothing", "", two, options(t, false), ""},
		{"header alone", "a,b\n", two, options(t, false, "header", "true"), ""},
		{"text", "a\tb\n\\N\tc\\td\n", two, options(t, true), "a|b;~|c\td;"},
		{"text escapes", "\\x41\\102\\.\t\\\\N\n", two, options(t, true), "AB.|\\N;"},
		{"text line end", "a\\\nb\tc\\nd\n", two, options(t, true), "a\nb|c\nd;"},
		{"text end marker", "a\tb\n\\.\nwhatever\n", two, options(t, true), "a|b;"},
		{"end marker", "a,b\n\\.\nwhatever\n", two, options(t, false), "a|b;"},
		{"end marker in quotes", "a,\"b\n\\.\n\"\n", two, options(t, false), "a|b\n\\.\n;"},
		{"text null string", "x\t\\N\n", two, options(t, true, "null", "x"), "~|N;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := load(tt.in, tt.columns, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := texts(table); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBadRowsSayWhere(t *testing.T) {
	two := testColumns(algebra.TInt32, algebra.TText)
	tests := []struct {
		in                    string
		columns               []store.Column
		code, message, detail string
	}{
		{"1,a\nx,b\n", two, value.CodeInvalidText, `invalid input syntax for type integer: "x"`, `COPY t, line 2, column a: "x"`},
		{"1,a\n3000000000,b\n", two, value.CodeNumericOutOfRange, `value "3000000000" is out of range for type integer`, `COPY t, line 2, column a: "3000000000"`},
		{"1,\"a\n\nb\"\n1\n", two, value.CodeBadCopyFormat, `missing data for column "b"`, `COPY t, line 4: "1"`},
		{"1,a,\n", two, value.CodeBadCopyFormat, `extra data after last expected column`, `COPY t, line 1: "1,a,"`},
		{"1,\"a\n", two, value.CodeBadCopyFormat, `unterminated CSV quoted field`, "COPY t, line 1: \"1,\"a\n\""},
		{"1,a\rb\n", two, value.CodeBadCopyFormat, `unquoted carriage return found in data`, "COPY t, line 1: \"1,a\rb\""},
		{"1,a\n2,\xff\n", two, value.CodeUntranslatable, `invalid byte sequence for encoding "UTF8": 0xff`, `COPY t, line 2, column b: "\xff"`},
		{"1,a\x00b\n", two, value.CodeUntranslatable, `invalid byte sequence for encoding "UTF8": 0x00`, `COPY t, line 1, column b: "a\x00b"`},
		{"99999.995\n", testColumns(algebra.TDecimal(7, 2)), value.CodeNumericOutOfRange, `numeric field overflow`, `COPY t, line 1, column a: "99999.995"`},
		{"2024-02-30\n", testColumns(algebra.TDate), value.CodeDatetimeOverflow, `date/time field value out of range: "2024-02-30"`, `COPY t, line 1, column a: "2024-02-30"`},
		{"maybe\n", testColumns(algebra.TBool), value.CodeInvalidText, `invalid input syntax for type boolean: "maybe"`, `COPY t, line 1, column a: "maybe"`},
		{"1\n\n", []store.Column{{Name: "a", Type: algebra.TInt32, NotNull: true}}, value.CodeNotNullViolation, `null value in column "a" of relation "t" violates not-null constraint`, `COPY t, line 2: ""`},
		{"abc\n", testColumns(algebra.Type{Kind: algebra.Text, Length: 2}), value.CodeStringTooLong, `value too long for type character varying(2)`, `COPY t, line 1, column a: "abc"`},
	}
	for _, tt := range tests {
		_, err := load(tt.in, tt.columns, NewOptions(false))
		var e *value.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if e.Code != tt.code || e.Message != tt.message || e.Where != tt.detail {
			t.Errorf("%q:\n got %s %s (%s)\nwant %s %s (%s)", tt.in, e.Code, e.Message, e.Where, tt.code, tt.message, tt.detail)
		}
	}
}

func TestBadRowFarInTheFileSaysItsLine(t *testing.T) {
	var b strings.Builder
	const bad = 300001
	for i := 1; i <= 400000; i++ {
		if i == bad {
			b.WriteString("1,oops\n")
			continue
		}
		fmt.Fprintf(&b, "\"%d\",%d\n", i, i)
	}
	_, err := load(b.String(), testColumns(algebra.TInt32, algebra.TInt32), NewOptions(false))
	var e *value.Error
	if !errors.As(err, &e) || !strings.Contains(e.Where, fmt.Sprintf("line %d,", bad)) {
		t.Errorf("got %#v", err)
	}
}

func TestHeaderMustMatch(t *testing.T) {
	two := testColumns(algebra.TText, algebra.TText)
	for in, want := range map[string]string{
		"a,x\n": `column name mismatch in header line field 2: got "x", expected "b"`,
		"a\n":   `wrong number of fields in header line: got 1, expected 2`,
	} {
		_, err := load(in, two, options(t, false, "header", "match"))
		var e *value.Error
		if !errors.As(err, &e) || e.Code != value.CodeBadCopyFormat || e.Message != want {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	tests := []struct {
		text bool
		list []Option
		code string
	}{
		{false, []Option{{Name: "delimiter", Value: "ab"}}, value.CodeFeatureNotSupported},
		{false, []Option{{Name: "delimiter", Value: "\n"}}, value.CodeInvalidParameter},
		{false, []Option{{Name: "delimiter", Value: `"`}}, value.CodeInvalidParameter},
		{false, []Option{{Name: "null", Value: "a,b"}}, value.CodeFeatureNotSupported},
		{false, []Option{{Name: "null", Value: `"`}}, value.CodeFeatureNotSupported},
		{false, []Option{{Name: "encoding", Value: "latin1"}}, value.CodeFeatureNotSupported},
		{false, []Option{{Name: "header", Value: "perhaps"}}, value.CodeSyntax},
		{false, []Option{{Name: "colour"}}, value.CodeSyntax},
		{true, []Option{{Name: "quote", Value: "'"}}, value.CodeFeatureNotSupported},
		{true, []Option{{Name: "delimiter", Value: "x"}}, value.CodeInvalidParameter},
	}
	for _, tt := range tests {
		_, err := ParseOptions(tt.text, tt.list, CopyFrom)
		var e *value.Error
		if !errors.As(err, &e) || e.Code != tt.code {
			t.Errorf("%v: got %v, want %s", tt.list, err, tt.code)
		}
	}
}

// drawOptions draws options of either format.
func drawOptions(t *rapid.T) Options {
	if rapid.Bool().Draw(t, "text") {
		opt := NewOptions(true)
		opt.Delimiter = rapid.SampledFrom([]byte("\t,|")).Draw(t, "delimiter")
		return opt
	}
	opt := NewOptions(false)
	opt.Delimiter = rapid.SampledFrom([]byte(",;\t")).Draw(t, "delimiter")
	opt.Quote = rapid.SampledFrom([]byte(`"'`)).Draw(t, "quote")
	opt.Escape = rapid.SampledFrom([]byte{opt.Quote, '\\'}).Draw(t, "escape")
	opt.Null = rapid.SampledFrom([]string{"", "NULL", `\N`}).Draw(t, "null")
	opt.Header = rapid.Bool().Draw(t, "header")
	opt.ForceQuote.All = rapid.Bool().Draw(t, "force")
	return opt
}

// drawText draws texts that need quotes and escapes often.
var drawText = rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{
	"a", "N", "NULL", `\`, `\N`, `\.`, ",", ";", "\t", "|", `"`, "'", "\n", "\r", "\b", "\v", " ", "é", "日",
})), func(s []string) string { return strings.Join(s, "") })

func TestWrittenFilesReadBack(t *testing.T) {
	columns := testColumns(algebra.TText, algebra.TInt64, algebra.TDecimal(20, 3), algebra.TFloat64, algebra.TBool,
		algebra.TDate, algebra.TTimestamp, algebra.TNumeric, algebra.TInterval, algebra.TInt16)
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, len(columns)).Draw(t, "width")
		table, err := store.NewTable(store.Definition{Name: "t", Columns: columns[:width]})
		if err != nil {
			t.Fatal(err)
		}
		app := table.Append()
		batch := app.NewBatch()
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			if err := batch.AppendRow(drawRow(t)[:width]); err != nil {
				t.Fatal(err)
			}
		}
		part, err := batch.Seal()
		if err == nil {
			err = app.Add(part)
		}
		if err != nil {
			t.Fatal(err)
		}
		if table, err = app.Finish(); err != nil {
			t.Fatal(err)
		}
		opt := drawOptions(t)
		var file bytes.Buffer
		if n, err := Write(ctx, &file, table, table.Columns(), opt, 2); err != nil || n != table.Rows() {
			t.Fatal(n, err)
		}
		back, err := load(file.String(), table.Columns(), opt)
		if err != nil {
			t.Fatalf("%v\n%q", err, file.String())
		}
		if got, want := rows(back), rows(table); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v\n%q", got, want, file.String())
		}
	})
}

// drawRow draws a row for TestWrittenFilesReadBack.
func drawRow(t *rapid.T) []value.Value {
	small := rapid.Int64Range(-1e15, 1e15)
	row := []value.Value{
		{Kind: value.Text, S: drawText.Draw(t, "text")},
		{Kind: value.Int, I: rapid.Int64().Draw(t, "bigint")},
		{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(small.Draw(t, "decimal")), Scale: 3}},
		{Kind: value.Float, F: rapid.Float64().Draw(t, "float")},
		{Kind: value.Bool, B: rapid.Bool().Draw(t, "bool")},
		{Kind: value.Int, I: rapid.Int64Range(-700000, 2900000).Draw(t, "date")},
		{Kind: value.Int, I: rapid.Int64Range(-6e16, 2e17).Draw(t, "timestamp")},
		{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(small.Draw(t, "numeric")), Scale: uint8(rapid.IntRange(0, 12).Draw(t, "scale"))}},
		{Kind: value.Intervals, Interval: value.Interval{Months: rapid.Int32Range(-999, 999).Draw(t, "months"),
			Days: rapid.Int32Range(-99, 99).Draw(t, "days"), Micros: small.Draw(t, "micros")}},
		{Kind: value.Int, I: int64(rapid.Int16().Draw(t, "smallint"))},
	}
	for i := range row {
		if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
			row[i] = value.Value{}
		}
	}
	return row
}

func TestCancelEndsLoad(t *testing.T) {
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	table, _ := store.NewTable(store.Definition{Name: "t", Columns: testColumns(algebra.TText)})
	_, err := Load(canceled, Input{Reader: strings.NewReader("a\n")}, table.Append(), []int{0}, NewOptions(false), 1)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestColumnsThatAreNotNamedGetNull(t *testing.T) {
	table, _ := store.NewTable(store.Definition{Name: "t", Columns: testColumns(algebra.TText, algebra.TText, algebra.TText)})
	app := table.Append()
	if _, err := Load(ctx, Input{Reader: strings.NewReader("x,y\n")}, app, []int{2, 0}, NewOptions(false), 1); err != nil {
		t.Fatal(err)
	}
	table, _ = app.Finish()
	if got := texts(table); got != "y|~|x;" {
		t.Errorf("got %q", got)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"a,1\n", "\"a\nb\",\n", "\"", "\\.\n", "a\\\n\tb", "\r\n", "\"a\"\"b\",1e5\n", "0\\0\t0", "\\xc3\\xa9\t0", "\\377\t0"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	columns := testColumns(algebra.TText, algebra.TInt32)
	f.Fuzz(func(t *testing.T, in string, text bool) {
		opt := NewOptions(text)
		table, err := load(in, columns, opt)
		if err != nil {
			var e *value.Error
			if !errors.As(err, &e) {
				t.Fatalf("not a user error: %v", err)
			}
			return
		}
		var file bytes.Buffer
		if _, err := Write(ctx, &file, table, columns, opt, 1); err != nil {
			t.Fatal(err)
		}
		back, err := load(file.String(), columns, opt)
		if err != nil || !reflect.DeepEqual(rows(back), rows(table)) {
			t.Fatalf("%q was written as %q: %v", in, file.String(), err)
		}
	})
}
