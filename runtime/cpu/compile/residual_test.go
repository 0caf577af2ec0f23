package compile

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestFilterResiduals holds that a conjunction whose operands guard one another becomes a filter for each of them
// behind an inner probe, and that no other probe is changed.
func TestFilterResiduals(t *testing.T) {
	const (
		no, a, b, c, notA, ab, notAB, abc = 0, 1, 2, 3, 4, 5, 6, 7
	)
	residual := kernel.Block{
		&kernel.Compute{Op: kernel.OpNot, Dst: notA, Args: []kernel.ValueID{a}},
		&kernel.If{Cond: notA, ThenVal: no, ElseVal: b, Dst: ab},
		&kernel.Compute{Op: kernel.OpNot, Dst: notAB, Args: []kernel.ValueID{ab}},
		&kernel.If{Cond: notAB, ThenVal: no, ElseVal: c, Dst: abc},
	}
	for _, test := range []struct {
		probe    kernel.Probe
		nullable kernel.ValueID
		filters  []kernel.ValueID
	}{
		{kernel.Probe{Kind: kernel.ProbeInner}, c, []kernel.ValueID{a, b, c}},
		{kernel.Probe{Kind: kernel.ProbeInner}, a, []kernel.ValueID{ab, c}},
		{kernel.Probe{Kind: kernel.ProbeInner}, ab, []kernel.ValueID{abc}},
		{kernel.Probe{Kind: kernel.ProbeInner, Mark: true}, c, nil},
		{kernel.Probe{Kind: kernel.ProbeLeft}, c, nil},
	} {
		f := &kernel.Func{Values: make([]kernel.Value, 8), Params: []kernel.Param{{Dst: no, Val: value.Value{Kind: value.Bool}}}}
		f.Values[test.nullable].Nullable = true
		test.probe.Residual, test.probe.Cond = residual, abc
		f.Body = kernel.Block{&test.probe}
		out := FilterResiduals(f)
		var filters []kernel.ValueID
		for _, in := range out.Body {
			if filter, ok := in.(*kernel.Filter); ok {
				filters = append(filters, filter.Cond)
			}
		}
		if len(filters) != len(test.filters) || test.probe.Cond != abc {
			t.Fatalf("the filters are %v, not %v", filters, test.filters)
		}
		for i := range filters {
			if filters[i] != test.filters[i] {
				t.Errorf("the filters are %v, not %v", filters, test.filters)
			}
		}
		if (out == f) != (test.filters == nil) {
			t.Errorf("a kernel with filters %v is changed: %v", test.filters, out != f)
		}
	}
}

// TestResidualsAreComputedOnce holds that what a filter behind a probe computes is not computed again for the rows that
// are left, but for those of another probe.
func TestResidualsAreComputedOnce(t *testing.T) {
	const (
		x, one, sum, limit, less, sumAgain, double, sumOfOthers = 0, 1, 2, 3, 4, 5, 6, 7
	)
	add := func(dst kernel.ValueID) *kernel.Compute {
		return &kernel.Compute{Op: kernel.OpAdd, Dst: dst, Args: []kernel.ValueID{x, one}}
	}
	residual := kernel.Block{add(sum), &kernel.Compute{Op: kernel.OpLt, Dst: less, Args: []kernel.ValueID{sum, limit}}}
	probe := &kernel.Probe{Kind: kernel.ProbeInner, Residual: residual, Cond: less}
	doubled := &kernel.Compute{Op: kernel.OpMul, Dst: double, Args: []kernel.ValueID{sumAgain, sumAgain}}
	f := &kernel.Func{Values: make([]kernel.Value, 8), Body: kernel.Block{
		probe, add(sumAgain), doubled, &kernel.Probe{Kind: kernel.ProbeInner, Cond: kernel.NoValue}, add(sumOfOthers),
	}}
	var defined []kernel.ValueID
	for _, in := range FilterResiduals(f).Body {
		if c, ok := in.(*kernel.Compute); ok {
			defined = append(defined, c.Dst)
		}
	}
	if want := []kernel.ValueID{sumAgain, less, double, sumOfOthers}; !slices.Equal(defined, want) {
		t.Errorf("%d are computed, not %d", defined, want)
	}
	if residual[0].(*kernel.Compute).Dst != sum {
		t.Error("the kernel that was given is changed")
	}
}
