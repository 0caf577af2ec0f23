package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// rows is an answer for tests.
type rows [][]Value

func (r rows) Each(visit func([]Value) error) error {
	for _, row := range r {
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

func (r rows) Close() {}

func integers(n ...int64) []Value {
	row := make([]Value, len(n))
	for i, v := range n {
		row[i] = Value{Kind: Integer, Int: v}
	}
	return row
}

func words(s ...string) []Value {
	row := make([]Value, len(s))
	for i, v := range s {
		row[i] = Value{Kind: Text, Text: v}
	}
	return row
}

func TestCompare(t *testing.T) {
	desc := workload.Query{OrderBy: []workload.Key{{Column: 1, Desc: true}}}
	float := func(f float64) []Value { return []Value{{Kind: Float, Float: f}} }
	for _, c := range []struct {
		name      string
		q         workload.Query
		got, want rows
		message   string // "" for equal
	}{
		{"any order", workload.Query{}, rows{integers(1, 2), integers(3, 4)}, rows{integers(3, 4), integers(1, 2)}, ""},
		{"ties", desc, rows{integers(1, 5), integers(2, 5)}, rows{integers(2, 5), integers(1, 5)}, ""},
		{"out of order", desc, rows{integers(1, 4), integers(2, 5)}, rows{integers(2, 5), integers(1, 4)}, "row 2 is out of order"},
		{"multiset", workload.Query{}, rows{integers(1), integers(1), integers(2)}, rows{integers(1), integers(2), integers(2)}, "row 2"},
		{"fewer rows", workload.Query{}, rows{integers(1)}, rows{integers(1), integers(2)}, "1 rows, want 2"},
		{"borders of texts", workload.Query{}, rows{words("a", "bc")}, rows{words("ab", "c")}, "row 1"},
		{"NULL and empty", workload.Query{}, rows{{Value{Kind: Null}}}, rows{words("")}, "row 1"},
		{"average", workload.Query{}, rows{words("3.3333333333333333")}, rows{float(10.0 / 3)}, ""},
		{"other average", workload.Query{}, rows{words("3.3333333333")}, rows{float(10.0 / 3)}, "row 1"},
		{"exact numbers", workload.Query{}, rows{words("3.3333333333333333")}, rows{words("3.3333333333333334")}, "row 1"},
	} {
		want, err := NewDigest(c.want, c.q, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewDigest(c.got, c.q, want)
		if err != nil {
			t.Fatal(err)
		}
		err = got.Compare(want)
		if c.message == "" && err != nil || c.message != "" && (err == nil || !strings.Contains(err.Error(), c.message)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.message)
		}
	}
}

// TestCompareManyAverages compares answers of which no rows are kept.
func TestCompareManyAverages(t *testing.T) {
	answer := func(average func(i int64) Value) rows {
		var r rows
		for i := range int64(keepRows + 10) {
			r = append(r, []Value{{Kind: Integer, Int: i}, average(i)})
		}
		return r
	}
	want, err := NewDigest(answer(func(i int64) Value { return Value{Kind: Float, Float: float64(i) / 3} }), workload.Query{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []int64{-1, 0, 12345, keepRows + 9} {
		got, err := NewDigest(answer(func(i int64) Value {
			if i == wrong {
				i += 3
			}
			return Value{Kind: Text, Text: strconv.FormatFloat(float64(i)/3, 'f', 16, 64)}
		}), workload.Query{}, want)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Compare(want); (err == nil) != (wrong < 0) {
			t.Errorf("row %d wrong: %v", wrong, err)
		}
	}
}

func TestDecimalText(t *testing.T) {
	for _, c := range []struct {
		digits string
		scale  int
		want   string
	}{{"12345", 2, "123.45"}, {"5", 2, "0.05"}, {"-5", 2, "-0.05"}, {"-12345", 3, "-12.345"}, {"7", 0, "7"}} {
		if got := decimalText(c.digits, c.scale); got != c.want {
			t.Errorf("%s with scale %d: %s, want %s", c.digits, c.scale, got, c.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, args := range [][]string{
		{"--suite", "nope"}, {"--engine", "nope"}, {"--runs", "0"}, {"--sf", "0"}, {"extra"}, {"--rows", "0"}, {"--threads", "0"},
	} {
		if _, err := parse(args); err == nil {
			t.Errorf("%v accepted", args)
		}
	}
	if o, err := parse([]string{"--check", "--suite", "ssb,cubes"}); err != nil || o.runs != 0 || len(o.suites) != 2 {
		t.Errorf("options %+v, error %v", o, err)
	}
}
