package lower_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// columns of the table that the expressions are about.
var columns = func() *algebra.Scan {
	b := &plantest.Builder{}
	nullable := func(c plantest.Column) plantest.Column { c.Nullable, c.Stats.Nulls = true, 5; return c }
	return b.Scan("t", 1000,
		plantest.Ints("small", algebra.TInt32, 0, 100),
		plantest.Column{Name: "i", Type: algebra.TInt32, Nullable: true},
		plantest.Column{Name: "big", Type: algebra.TInt64},
		plantest.Ints("price", algebra.TDecimal(15, 2), 0, 100000),
		plantest.Column{Name: "wide", Type: algebra.TDecimal(30, 4)},
		plantest.Column{Name: "num", Type: algebra.TNumeric, Nullable: true},
		plantest.Column{Name: "f", Type: algebra.TFloat64},
		nullable(plantest.Words("city", 10)),
		plantest.Words("nation", 25),
		plantest.Column{Name: "note", Type: algebra.TText},
		plantest.Ints("day", algebra.TDate, 8036, 10561),
		plantest.Column{Name: "flag", Type: algebra.TBool, Nullable: true},
		plantest.Column{Name: "date", Type: algebra.TDate, Nullable: true},
		plantest.Column{Name: "time", Type: algebra.TTimestamp},
	)
}()

func ref(name string) algebra.Expr { return plantest.Ref(columns, name) }

func call(f algebra.Func, t algebra.Type, args ...algebra.Expr) algebra.Expr {
	return plantest.Call(f, t, args...)
}

func cast(e algebra.Expr, t algebra.Type) algebra.Expr { return call(algebra.Cast, t, e) }

// expressions are what the golden file shows.
func expressions() []algebra.Expr {
	one := plantest.Decimal(100, 15, 2)
	divided := plantest.Is(algebra.Gt, call(algebra.Div, algebra.TInt32, plantest.Int(10), ref("i")), plantest.Int(1))
	return []algebra.Expr{
		call(algebra.Add, algebra.TInt32, ref("small"), plantest.Int(1)),
		call(algebra.Add, algebra.TInt32, ref("i"), plantest.Int(1)),
		call(algebra.Mul, algebra.TDecimal(30, 4), ref("price"), call(algebra.Sub, algebra.TDecimal(16, 2), one, ref("price"))),
		call(algebra.Mul, algebra.TDecimal(38, 6), ref("price"), ref("wide")),
		call(algebra.Add, algebra.TDecimal(31, 4), ref("price"), ref("wide")),
		call(algebra.Div, algebra.TNumeric, cast(ref("price"), algebra.TNumeric), cast(ref("small"), algebra.TNumeric)),
		plantest.Is(algebra.Lt, cast(ref("i"), algebra.TInt64), &algebra.Const{Val: plantest.Int(7).Val, Typ: algebra.TInt64}),
		plantest.Is(algebra.Eq, ref("price"), plantest.Decimal(5, 3, 2)),
		plantest.Is(algebra.Gt, ref("num"), plantest.Decimal(15, 3, 1)),
		plantest.Is(algebra.Eq, ref("city"), plantest.Text("Bonn")),
		plantest.Is(algebra.Lt, ref("city"), ref("nation")),
		plantest.Is(algebra.Eq, ref("city"), ref("city")),
		call(algebra.Or, algebra.TBool, plantest.Is(algebra.Eq, ref("city"), plantest.Text("Bonn")), call(algebra.IsNull, algebra.TBool, ref("city"))),
		call(algebra.Upper, algebra.TText, ref("city")),
		call(algebra.Concat, algebra.TText, ref("city"), ref("note")),
		call(algebra.Length, algebra.TInt32, call(algebra.Concat, algebra.TText, ref("city"), cast(ref("small"), algebra.TText))),
		call(algebra.In, algebra.TBool, ref("small"), plantest.Int(1), plantest.Int(2)),
		call(algebra.And, algebra.TBool, ref("flag"), plantest.Is(algebra.Lt, ref("i"), plantest.Int(5))),
		call(algebra.And, algebra.TBool, ref("flag"), divided),
		call(algebra.Or, algebra.TBool, plantest.Is(algebra.Eq, ref("small"), plantest.Int(0)), divided),
		&algebra.Case{Whens: []algebra.When{{Cond: ref("flag"), Then: ref("price")}}, Typ: algebra.TDecimal(15, 2)},
		&algebra.Case{Whens: []algebra.When{{Cond: ref("flag"), Then: ref("city")}}, Else: ref("note"), Typ: algebra.TText},
		&algebra.Case{Whens: []algebra.When{{Cond: ref("flag"), Then: ref("city")}}, Typ: algebra.TText},
		cast(ref("wide"), algebra.TDecimal(10, 2)),
		cast(ref("big"), algebra.TInt16),
		cast(ref("small"), algebra.TInt16),
		cast(ref("f"), algebra.TDecimal(10, 2)),
		cast(ref("price"), algebra.TText),
		cast(ref("note"), algebra.TDate),
		cast(ref("city"), algebra.TInt32),
		plantest.Is(algebra.Eq, call(algebra.Extract, algebra.TNumeric, plantest.Text("year"), ref("day")),
			&algebra.Const{Val: plantest.Decimal(1995, 4, 0).Val, Typ: algebra.TNumeric}),
		call(algebra.SubDates, algebra.TInt32, ref("date"), ref("day")),
		call(algebra.AddDays, algebra.TDate, ref("date"), ref("small")),
		call(algebra.Extract, algebra.TNumeric, plantest.Text("day"), ref("date")),
		cast(call(algebra.Extract, algebra.TNumeric, plantest.Text("year"), ref("time")), algebra.TFloat64),
		cast(call(algebra.DateTrunc, algebra.TTimestamp, plantest.Text("month"), ref("time")), algebra.TDate),
		call(algebra.Round, algebra.TDecimal(28, 2), ref("wide"), plantest.Int(2)),
		call(algebra.Floor, algebra.TDecimal(27, 0), ref("wide")),
		call(algebra.Floor, algebra.TNumeric, call(algebra.Div, algebra.TNumeric, cast(ref("price"), algebra.TNumeric), plantest.Decimal(1000, 4, 0))),
		call(algebra.Ceil, algebra.TNumeric, call(algebra.Div, algebra.TNumeric, cast(ref("big"), algebra.TNumeric), plantest.Decimal(25, 2, 1))),
		call(algebra.Ceil, algebra.TNumeric, call(algebra.Div, algebra.TNumeric, cast(ref("small"), algebra.TNumeric), plantest.Decimal(25, 2, 1))),
	}
}

// TestCodes has codes of a stored column lie in a range that holds all of the dictionary, that takes no more bits, and
// that stays while the dictionary grows within them. Of a table that is not exact nothing is known.
func TestCodes(t *testing.T) {
	column := algebra.Column{ID: 1, Name: "c", Type: algebra.TText}
	for _, c := range []struct{ codes, hi int64 }{
		{1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 6}, {7, 6}, {8, 7}, {9, 14}, {25, 30}, {31, 30}, {32, 31}, {33, 62}, {1000, 1022}, {1 << 20, 1<<20 - 1},
	} {
		stats := algebra.Stats{Dict: true, Codes: c.codes, Distinct: 1}
		f := lower.StoredField(column, &algebra.TableRef{Name: "t", Exact: true}, stats)
		if want := (kernel.Range{Known: true, Hi: c.hi}); f.Type != kernel.Code || f.Range != want || f.Entries != float64(c.codes) {
			t.Errorf("%d codes: %s in %v of %v entries", c.codes, f.Type, f.Range, f.Entries)
		}
		if f := lower.StoredField(column, &algebra.TableRef{Name: "t"}, stats); f.Range.Known {
			t.Errorf("codes of a table that is not exact lie in %v", f.Range)
		}
	}
	if f := lower.StoredField(column, &algebra.TableRef{Name: "t", Exact: true}, algebra.Stats{Dict: true}); f.Range.Known {
		t.Errorf("codes of which nothing is known lie in %v", f.Range)
	}
}

// lowered is the body of a kernel that computes e.
func lowered(t *testing.T, e algebra.Expr) string {
	t.Helper()
	b := lower.NewBuilder("expression", nil)
	source := &kernel.Scan{Input: b.Input(kernel.RelationInput, "t")}
	for i, c := range columns.Cols {
		if !algebra.References(e).Has(c.ID) {
			continue
		}
		v := b.Load(lower.StoredField(c, &columns.Table, columns.ColStats[i]))
		b.Bind(c, v)
		source.Cols = append(source.Cols, kernel.SourceCol{Ordinal: i, Dst: v})
	}
	v, err := sqlstate.Try(func() kernel.ValueID { return b.Expr(e) })
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	b.Func.Source, b.Func.Sink = source, &kernel.Materialize{Cols: []kernel.ValueID{v}, Limit: -1}
	if err := kernel.Verify(b.Func); err != nil {
		t.Errorf("%s: %v in\n%s", e, err, b.Func)
	}
	_, body, _ := strings.Cut(kernel.Print(b.Func), "\n")
	return body
}

func TestExpressions(t *testing.T) {
	var got strings.Builder
	for _, e := range expressions() {
		got.WriteString("-- " + e.String() + "\n" + lowered(t, e) + "\n")
	}
	const path = "testdata/expressions.txt"
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got.String() {
		t.Errorf("got\n%s", got.String())
	}
}

// TestCommonSubexpressions checks that what is computed twice is computed once,
// but not where the first computation is in an arm.
func TestCommonSubexpressions(t *testing.T) {
	square := call(algebra.Mul, algebra.TInt32, ref("i"), ref("i"))
	for _, tc := range []struct {
		e    algebra.Expr
		want int
	}{
		{call(algebra.Add, algebra.TInt32, square, call(algebra.Mul, algebra.TInt32, ref("i"), ref("i"))), 1},
		{call(algebra.Add, algebra.TInt32,
			&algebra.Case{Whens: []algebra.When{{Cond: ref("flag"), Then: square}}, Typ: algebra.TInt32}, square), 2},
		{call(algebra.Add, algebra.TInt32, square,
			&algebra.Case{Whens: []algebra.When{{Cond: ref("flag"), Then: square}}, Typ: algebra.TInt32}), 1},
	} {
		if got := strings.Count(lowered(t, tc.e), " mul "); got != tc.want {
			t.Errorf("%s: multiplies %d times, want %d", tc.e, got, tc.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	b := lower.NewBuilder("refused", nil)
	for _, c := range columns.Cols {
		b.Bind(c, b.Load(lower.PlainField(c)))
	}
	for _, tc := range []struct {
		e    algebra.Expr
		code string
	}{
		{call(algebra.Round, algebra.TNumeric, ref("num"), ref("i")), value.CodeFeatureNotSupported},
		{call("no_such_function", algebra.TInt32, ref("i")), value.CodeFeatureNotSupported},
		{cast(ref("flag"), algebra.TDate), value.CodeCannotCoerce},
	} {
		var e *value.Error
		if _, err := sqlstate.Try(func() kernel.ValueID { return b.Expr(tc.e) }); !errors.As(err, &e) || e.Code != tc.code {
			t.Errorf("%s: got %v, want %s", tc.e, err, tc.code)
		}
	}
}
