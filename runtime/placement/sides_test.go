package placement

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/several"
)

// TestOneSide has three steps read one another's rows, the second of which is quicker on the host than on the
// device, by less than passing rows to it and back takes, or by more.
func TestOneSide(t *testing.T) {
	for _, c := range []struct {
		name         string
		onHost, step float64 // of the second step; of passing rows
		behind       string
		refused      map[int]refusal
		want         []bool
	}{
		{"passing takes longer", 10e3, 20e3, "", nil, []bool{true, true, true}},
		{"passing is quicker", 10e3, 2e3, "", nil, []bool{true, false, true}},
		{"columns are missing", 10e3, 20e3, isCopying, nil, []bool{true, false, true}},
		{"nothing has run", 0, 20e3, "", nil, []bool{true, false, true}},
		{"a step is refused", 10e3, 20e3, "", map[int]refusal{0: {}}, []bool{true, false, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(step int) []codegen.Binding { return []codegen.Binding{{Parts: []codegen.Part{{Step: step}}}} }
			steps := []codegen.Step{{Func: &kernel.Func{}}, {Func: &kernel.Func{}, Inputs: read(0)}, {Func: &kernel.Func{}, Inputs: read(1)}}
			p := &Plan{
				device: &Device{figures: machine.Device{Step: c.step, Link: 1e9}}, backend: &several.Backend{}, group: []int{0, 1, 2},
				query: Query{Wish: Auto, Program: &codegen.Program{Steps: steps}, Rows: func(int) float64 { return 1 }, Memo: &Memo{kept: map[*cudagen.Target]*prepared{nil: {refused: c.refused}}}},
				costs: map[int]*cost{
					0: {host: 500e3, device: 100e3, chosen: true}, 2: {host: 500e3, device: 100e3, chosen: true},
					1: {host: 10e3, device: 30e3, onHost: c.onHost, behind: c.behind},
				},
			}
			p.takeOneSide()
			got := []bool{p.costs[0].chosen, p.costs[1].chosen, p.costs[2].chosen}
			if !slices.Equal(got, c.want) {
				t.Errorf("on the device are %v, want %v", got, c.want)
			}
		})
	}
}
