package reference

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	cell := func(s string) Cell { return Cell{Text: s, Null: s == "-"} }
	result := func(typ string, values ...string) *Result {
		r := &Result{Columns: []Column{{"k", "int4"}, {"x", typ}}}
		for i := 0; i < len(values); i += 2 {
			r.Rows = append(r.Rows, []Cell{cell(values[i]), cell(values[i+1])})
		}
		return r
	}
	for _, c := range []struct {
		name      string
		got, want *Result
		ordered   bool
		same      bool
	}{
		{"equal", result("text", "1", "a", "2", "-"), result("text", "1", "a", "2", "-"), true, true},
		{"other order", result("text", "1", "a", "2", "b"), result("text", "2", "b", "1", "a"), false, true},
		{"other order, ordered", result("text", "1", "a", "2", "b"), result("text", "2", "b", "1", "a"), true, false},
		{"NULL and empty", result("text", "1", "-"), result("text", "1", ""), false, false},
		{"multiset", result("text", "1", "a", "1", "a", "2", "b"), result("text", "1", "a", "2", "b", "2", "b"), false, false},
		{"type", result("text", "1", "1"), result("numeric", "1", "1"), false, false},
		{"scale", result("numeric", "1", "1.0"), result("numeric", "1", "1.00"), false, false},
		{"scale, ordered", result("numeric", "1", "1.0"), result("numeric", "1", "1.00"), true, false},
		{"ties, ordered", result("numeric", "1", "3.10", "1", "3.100"), result("numeric", "1", "3.100", "1", "3.10"), true, true},
		{"no ties, ordered", result("numeric", "1", "3.10", "1", "3.2"), result("numeric", "1", "3.2", "1", "3.10"), true, false},
		{"near floats", result("float8", "1", "0.30000000000000004", "1", "1e+20"), result("float8", "1", "100000000000000000000", "1", "0.3"), false, true},
		{"far floats", result("float8", "1", "0.3000001"), result("float8", "1", "0.3"), false, false},
		{"not a number", result("float8", "1", "NaN"), result("float8", "1", "NaN"), false, true},
		{"rows", result("text", "1", "a"), result("text"), false, false},
	} {
		if err := Compare(c.got, c.want, c.ordered); (err == nil) != c.same {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// NULL is a value of its column, also where the other columns hold floats.
func TestCompareFloatsBesideNull(t *testing.T) {
	a, b := []Cell{{Text: "22.5"}, {Null: true}}, []Cell{{Null: true}, {Text: "22.5"}}
	result := func(rows ...[]Cell) *Result {
		return &Result{Columns: []Column{{"x", "float8"}, {"y", "float8"}}, Rows: rows}
	}
	if err := Compare(result(a, b), result(b, a), false); err != nil {
		t.Error(err)
	}
	if err := Compare(result(a, a), result(b, a), false); err == nil {
		t.Error("rows that differ are taken for equal")
	}
}

// Rows that are equal as values are told from others, in any order; they are not the same.
func TestCompareValues(t *testing.T) {
	result := func(rows ...[]Cell) *Result {
		return &Result{Columns: []Column{{"x", "numeric"}, {"y", "int4"}}, Rows: rows}
	}
	row := func(x, y string) []Cell { return []Cell{{Text: x}, {Text: y}} }
	want := result(row("0.00", "1"), row("0", "4"), row("2.5", "3"))
	for _, c := range []struct {
		got        *Result
		sameValues bool
	}{
		{result(row("2.50", "3"), row("0.0", "4"), row("0", "1")), true},
		{result(row("2.50", "3"), row("0.0", "1"), row("0", "1")), false},
	} {
		if err := Compare(c.got, want, false); err == nil || strings.HasPrefix(err.Error(), SameValues) != c.sameValues {
			t.Errorf("%v: %v", c.got.Rows, err)
		}
	}
}

func TestLine(t *testing.T) {
	row := []Cell{{Text: "a|b"}, {Text: "NULL"}, {Null: true}, {}, {Text: "x\n\\"}}
	if got, want := Line(row), `a\|b|\NULL|NULL|\e|x\n\\`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
