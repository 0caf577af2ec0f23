// Package choice holds the choice between forms of expansions to what was measured: random cubes
// that were timed in each form on a device, as `cubeloom bench olap --synthetic` prints them.
package choice

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// cube is a random cube with what was measured of it.
type cube struct {
	Cube      string             `json:"cube"`
	Cells     float64            `json:"cells"`
	Elements  int64              `json:"elements"` // values that a cell's element may have
	Targets   int64              `json:"targets"`
	InOrder   bool               `json:"in_order"` // cells are in the order of the hierarchy
	Spread    cuda.Spread        `json:"spread"`   // of the map
	Sample    []int64            `json:"sample"`   // words of a sample of the cells
	Groups    kernel.Strategy    `json:"groups"`
	Aggregate string             `json:"aggregate"` // strategy of the aggregation when the forms were timed
	Replicas  string             `json:"replicas"`  // chosen then
	Kernels   map[string]float64 `json:"kernels_ms"`

	kernel *kernel.Func
	known  *cuda.Known
}

// cubeKernel is the kernel that adds a cube's cells to their targets.
const cubeKernel = `kernel "targets" dicts 0
  input 0 relation "cells"
  input 1 table "map"
  scan 0
    %%0 i32 0..%d "element" = column 0
    %%1 i32 1..1000 "value" = column 1
  body
    probe inner 1 keys %%0 matches %g%s expand block open
      %%2 i32 0..%d "target" = column 0
      %%3 i32 1..3 "weight" = column 1
    end
    %%4 i32 1..3000 = mul %%1 %%3
  aggregate %s device %s preaggregate none replicas 1 rows %g groups %d keys %%2
    sum %%4 filter none
      gives %%5 i64 "sum"
  end
end
`

// load reads the cubes of a file.
func load(t *testing.T, file string) []*cube {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cubes []*cube
	for line := range strings.Lines(string(text)) {
		c := &cube{}
		if err := json.Unmarshal([]byte(line), c); err != nil {
			t.Fatal(err)
		}
		matches := max(float64(c.Spread.Rows)/float64(c.Elements), 1.001)
		order := ""
		if c.InOrder {
			order = " in order"
		}
		c.kernel, err = kerneltext.Parse(fmt.Sprintf(cubeKernel, c.Elements-1, matches, order, c.Targets-1, c.Groups, c.Aggregate, c.Cells*matches, c.groups()))
		if err != nil {
			t.Fatal(err)
		}
		c.known = &cuda.Known{Spreads: map[int]*cuda.Spread{1: &c.Spread}, Rows: c.Cells}
		cubes = append(cubes, c)
	}
	return cubes
}

// groups is how many targets the rows of the map have, about.
func (c *cube) groups() int64 {
	targets := float64(c.Targets)
	return int64(math.Ceil(targets * -math.Expm1(-float64(c.Spread.Rows)/targets)))
}

// outcome is what a choice comes to.
type outcome struct {
	*cube
	forms     *cuda.OpenForms
	taken     string
	predicted map[string]float64 // milliseconds, by form
	sampled   bool
}

// What a sample of the cells was measured to take, in milliseconds: as it is launched, and for
// each of 4 M cells at most.
const (
	sampleStart = 0.004
	sampleCell  = 2.5e-9
	mostSampled = 4 << 20
)

// ratio is how many times as long as in the best form the chosen one took, with the sample.
func (o *outcome) ratio() float64 {
	took := o.Kernels[o.taken]
	if o.sampled {
		took += sampleStart + sampleCell*min(o.Cells, mostSampled)
	}
	return took / o.best()
}

// settled is how many times as long as in the best form the one takes that is chosen once runs
// have timed those that may be faster, and in how many forms of them.
func (o *outcome) settled(device *machine.Device) (ratio float64, forms int) {
	times := cuda.NewFormTimes(o.forms, &device.Expand)
	tried := make(map[string]bool)
	for !times.Ended() {
		way := times.Next(func(*cuda.FormWay) bool { return true })
		form := way.Names()[0]
		way.Note(1e6 * o.Kernels[form])
		tried[form] = true
	}
	return o.Kernels[times.Fastest().Names()[0]] / o.best(), len(tried)
}

func (c *cube) best() float64 {
	best := math.Inf(1)
	for _, ms := range c.Kernels {
		best = min(best, ms)
	}
	return best
}

// choose lets the chooser choose as a run does.
func (c *cube) choose(t *testing.T, device *machine.Device) *outcome {
	t.Helper()
	target := aggregate.Target(*device)
	shapes := cuda.PlainShapes(c.kernel)
	o := &outcome{cube: c, predicted: map[string]float64{}}
	var err error
	if o.sampled, err = target.NeedsSample(c.kernel, shapes, c.known); err != nil {
		t.Fatal(err)
	}
	var sample []int64
	if o.sampled {
		sample = c.Sample
	}
	forms, err := target.ChooseKnown(c.kernel, shapes, c.known, sample)
	if err != nil || len(forms.Decisions) != 1 {
		t.Fatal(err, forms)
	}
	o.forms, o.taken = forms, forms.Names()[0]
	for _, offer := range forms.Decisions[0].Offers {
		if offer.Refusal == "" {
			o.predicted[offer.Strategy] = offer.Cost / 1e6
		}
	}
	return o
}

// outcomes are those of all cubes.
func outcomes(t *testing.T, cubes []*cube, device *machine.Device) []*outcome {
	t.Helper()
	all := make([]*outcome, len(cubes))
	for i, c := range cubes {
		all[i] = c.choose(t, device)
	}
	return all
}

// within is the share of the cubes whose choice is within a ratio of the best form.
func within(all []*outcome, ratio float64) float64 {
	n := 0
	for _, o := range all {
		if o.ratio() <= ratio {
			n++
		}
	}
	return float64(n) / float64(len(all))
}
