package cpu

import (
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

func TestMaterializeEveryType(t *testing.T) {
	in := table(4,
		col(kernel.I32, 1, 2, nil, 4, 5, 5),
		col(kernel.I64, 1<<40, -3, nil, 7, 8, 8),
		col(kernel.I128, i128(1), value.Int128{Hi: 5}, nil, i128(-2), i128(9), i128(10)),
		col(kernel.F64, 1.5, nil, 2.5, 0.0, -1.0, 3.0),
		col(kernel.Num, dec(150, 2), nil, dec(1, 0), dec(2, 0), dec(3, 0), dec(4, 0)),
		col(kernel.Interval, value.Interval{Months: 1}, nil, value.Interval{Days: 3}, nil, nil, nil),
		col(kernel.Str, "a", "", nil, "long text", "e", "f"),
		col(kernel.Code, "x", "y", nil, "x", "z", "z"),
		col(kernel.Bool, true, false, nil, true, false, true),
	)
	ids := []kernel.ValueID{0, 1, 2, 3, 4, 5, 6, 7, 8}
	want := show(t, in)
	for _, opts := range configs {
		f := funcOf(in.types, len(in.types), nil, &kernel.Materialize{Cols: ids, Limit: -1, Ordered: true})
		got, err := runKernel(t, f, opts, in)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d threads, vectors of %d:\n%swant\n%s", opts.Threads, opts.VectorRows, got, want)
		}
	}
}

func TestMaterializeLimit(t *testing.T) {
	in := table(3, col(kernel.I32, 0, 1, 2, 3, 4, 5, 6, 7))
	for _, tc := range []struct {
		limit, offset int64
		want          string
	}{
		{-1, 0, "0\n1\n2\n3\n4\n5\n6\n7\n"},
		{-1, 6, "6\n7\n"},
		{3, 0, "0\n1\n2\n"},
		{2, 3, "3\n4\n"},
		{0, 0, ""},
		{5, 7, "7\n"},
		{5, 9, ""},
		{1<<63 - 1, 5, "5\n6\n7\n"},
	} {
		for _, opts := range configs {
			f := funcOf(in.types, 1, nil, &kernel.Materialize{Cols: []kernel.ValueID{0}, Limit: tc.limit, Offset: tc.offset, Ordered: true})
			got, err := runKernel(t, f, opts, in)
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want {
				t.Errorf("limit %d offset %d, %d threads, vectors of %d: %q, want %q", tc.limit, tc.offset, opts.Threads, opts.VectorRows, got, tc.want)
			}
		}
	}
}

func TestFilterAndRepeat(t *testing.T) {
	in := table(3,
		col(kernel.Bool, true, nil, false, true, true),
		col(kernel.I64, 2, 1, 1, 0, 3),
		col(kernel.Str, "a", "b", "c", "d", "e"))
	body := kernel.Block{&kernel.Filter{Cond: 0}, &kernel.Repeat{Count: 1, Index: kernel.NoValue}}
	for _, opts := range configs {
		f := funcOf(in.types, 3, body, &kernel.Materialize{Cols: []kernel.ValueID{2, 1}, Limit: -1, Ordered: true})
		got, err := runKernel(t, f, opts, in)
		if err != nil {
			t.Fatal(err)
		}
		if want := "a 2\na 2\ne 3\ne 3\ne 3\n"; got != want {
			t.Errorf("%d threads, vectors of %d: %q, want %q", opts.Threads, opts.VectorRows, got, want)
		}
	}
}
