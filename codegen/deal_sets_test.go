package codegen

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// cubeOf is a kernel that makes all sets of some keys of 100 values, of 64 M rows.
func cubeOf(keys int, fewest int64) *kernel.Func {
	f := &kernel.Func{Source: &kernel.Scan{}}
	s := &kernel.Cubing{Rows: 64e6, Accs: []kernel.Acc{{Op: kernel.AccCountStar, Filter: kernel.NoValue}}}
	for i := range keys {
		f.Values = append(f.Values, kernel.Value{Type: kernel.I32, Range: kernel.Range{Known: true, Lo: 0, Hi: 99}})
		s.Keys = append(s.Keys, kernel.ValueID(i))
	}
	for set := range uint64(1) << keys {
		s.Sets = append(s.Sets, set)
	}
	if fewest > 1 {
		s.Bars = []kernel.Bar{{Acc: 0, Limit: fewest}}
	}
	f.Sink = s
	return f
}

// TestDealSets has every set be one device's, none of them have much more than its part to do, and each cube of as few sets
// as there are devices be dealt out, or not at all.
func TestDealSets(t *testing.T) {
	host := machine.Default()
	figures := &host.Device.Refine
	for _, c := range []struct {
		keys, devices int
		fewest        int64
		most          float64 // of the cost of all on one device
	}{
		{6, 2, 10, 0.58}, {6, 4, 10, 0.36}, {6, 2, 1, 0.56}, {6, 4, 1, 0.36}, {6, 2, 1e6, 0.7}, {3, 2, 1, 0.7}, {10, 4, 10, 0.33},
	} {
		f := cubeOf(c.keys, c.fewest)
		dealt, whole := DealSets(f, c.devices, figures)
		if len(dealt) != c.devices {
			t.Fatalf("%+v: dealt to %d devices", c, len(dealt))
		}
		var all []int
		for i := range dealt {
			all = append(all, dealt[i].Sets...)
			for k, set := range dealt[i].Sets {
				if own := dealt[i].Func.Sink.(*kernel.Cubing).Sets[k]; own != uint64(set) {
					t.Errorf("%+v: result %d of device %d is set %b, not %b", c, k, i, own, set)
				}
			}
			if part := dealt[i].Cost / whole; part > c.most {
				t.Errorf("%+v: device %d has %.2f of all to do", c, i, part)
			}
		}
		if slices.Sort(all); len(all) != 1<<c.keys || all[0] != 0 || bits.OnesCount64(uint64(all[len(all)-1])) != c.keys || len(slices.Compact(all)) != 1<<c.keys {
			t.Errorf("%+v: sets %d", c, all)
		}
	}
	if dealt, _ := DealSets(cubeOf(1, 1), 3, figures); dealt != nil {
		t.Errorf("two sets are dealt out to three devices: %+v", dealt)
	}
	if dealt, _ := DealSets(cubeOf(0, 1), 2, figures); dealt != nil {
		t.Errorf("one set is dealt out: %+v", dealt)
	}
}
