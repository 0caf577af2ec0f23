package cuda

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// TestDealtFirst orders joins by their inputs: those whose matches are dealt out come first,
// but for those of one match, and for joins that must stay where they stand.
func TestDealtFirst(t *testing.T) {
	probe := func(input int, matches float64, key, payload kernel.ValueID) *kernel.Probe {
		return &kernel.Probe{Kind: kernel.ProbeInner, Input: input, Matches: matches, Cond: kernel.NoValue,
			Keys: []kernel.Key{{Val: key}}, Payload: []kernel.SourceCol{{Dst: payload}}}
	}
	left := probe(2, 20, 0, 11)
	left.Kind = kernel.ProbeLeft
	for _, test := range []struct {
		name string
		body []*kernel.Probe
		want []int
	}{
		{"few matches", []*kernel.Probe{probe(1, 3, 0, 10), probe(2, 7, 0, 11)}, []int{1, 2}},
		{"many behind few", []*kernel.Probe{probe(1, 3, 0, 10), probe(2, 17, 0, 11), probe(3, 40, 0, 12)}, []int{3, 2, 1}},
		{"one match first", []*kernel.Probe{probe(1, 3, 0, 10), probe(2, 17, 0, 11), probe(3, 0, 0, 12)}, []int{3, 2, 1}},
		{"key of another", []*kernel.Probe{probe(1, 3, 0, 10), probe(2, 17, 10, 11)}, []int{1, 2}},
		{"left join", []*kernel.Probe{probe(1, 3, 0, 10), left}, []int{1, 2}},
	} {
		var body kernel.Block
		for _, p := range test.body {
			body = append(body, p)
		}
		var got []int
		for _, in := range DealtFirst(&kernel.Func{Body: body}).Body {
			got = append(got, in.(*kernel.Probe).Input)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: order %v, want %v", test.name, got, test.want)
		}
	}
}

// TestMergesOfOneMatch checks that a merge with a relation of different keys finds one row, whatever was estimated.
func TestMergesOfOneMatch(t *testing.T) {
	for _, unique := range []bool{true, false} {
		merge := &kernel.Probe{Kind: kernel.ProbeInner, Matches: 1.004, Sorted: &kernel.Sorted{Unique: unique}}
		if mayExpand(merge) == unique {
			t.Errorf("unique %v: may find several rows: %v", unique, !unique)
		}
	}
}
