package kernel

import (
	"strings"
	"testing"
)

// TestAccumulators holds the rows of the table to each other.
func TestAccumulators(t *testing.T) {
	for op, a := range accumulators {
		merge, ok := accumulators[a.Merge]
		if !ok || merge.Merge != a.Merge {
			t.Errorf("%s: %q does not merge its results", op, a.Merge)
		}
		if a.Columns() != merge.Columns() || a.NotNull != merge.NotNull {
			t.Errorf("%s and %s give other columns", op, a.Merge)
		}
		if (a.State == nil) != (len(a.Parts) == 0) {
			t.Errorf("%s has parts without a state, or a state without parts", op)
		}
		for _, p := range a.Parts {
			if p.Name == "" || p.Column == "" || p.Row == "" {
				t.Errorf("%s: %+v is incomplete", op, p)
			}
		}
		for _, s := range a.Statistics {
			if _, err := s.Of(a.Parts); err != nil {
				t.Errorf("%s: %v", op, err)
			}
		}
	}
}

func TestStatistics(t *testing.T) {
	parts := []Part{{Name: "n"}, {Name: "s"}}
	for _, test := range []struct {
		defined, value string
		want           float64
		ok             bool
		err            string
	}{
		{"n > 1", "s / (n - 1)", 6, true, ""},
		{"n > 3", "s", 0, false, ""},
		{"n == 3 && s != 0", "choose(s < n, 1, pow(sqrt(s + 4), 3))", 64, true, ""},
		{"n > 0 || s / 0 > 0", "s / 0 * 0", 0, true, ""},
		{"n > 0", "m", 0, false, `no part "m"`},
		{"n > 0", "s % 2", 0, false, `no operator "%"`},
		{"n > 0", "sqrt(s, 2)", 0, false, "no such function of 2 arguments"},
		{"n >", "s", 0, false, `"n >"`},
		{"n > 0", `"x"`, 0, false, "is no number"},
		{"n > 0", "s[0]", 0, false, "is no part of a statistic"},
	} {
		s := Statistic{"test", test.defined, test.value}
		of, err := s.Of(parts)
		if err != nil || test.err != "" {
			if err == nil || test.err == "" || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%+v: error %v, want one with %q", s, err, test.err)
			}
			continue
		}
		got, ok := of([]float64{3, 12})
		if ok != test.ok || got == got && got != test.want {
			t.Errorf("%+v is %v, %v; want %v, %v", s, got, ok, test.want, test.ok)
		}
	}
}
