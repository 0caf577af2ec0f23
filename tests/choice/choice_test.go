package choice

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// measured are the cubes of docs/measurements/2026-11-23-choice.md, of a seed each.
var measured = []string{"testdata/2026-11-23-h200.jsonl", "testdata/2026-11-23-h200-2.jsonl", "testdata/2026-11-23-h200-3.jsonl", "testdata/2026-11-23-h200-4.jsonl"}

// card has the figures of the device that cubes were timed on, with the bandwidth that it measured: their
// costs in bytes are as long as those that were predicted there.
func card() machine.Device { return machine.Default().Device.Measured(4.6e12, 0) }

// fitted is for how many steps figures are fitted.
var fitted = flag.Int("fit", 0, "fit the figures of expansions to the cubes for so many steps, and to a half of them for the other half")

// TestChoice has the forms chosen for cubes that were timed in all of them: at first, by what is predicted, and
// once runs have timed those that may be faster.
func TestChoice(t *testing.T) {
	device := card()
	for _, file := range measured {
		all := outcomes(t, load(t, file), &device)
		t.Log(file, summary(all))
		worst := slices.SortedFunc(slices.Values(all), func(a, b *outcome) int { return -cmp.Compare(a.ratio(), b.ratio()) })
		for _, o := range worst[:16] {
			t.Log(o.line())
		}
		if w := within(all, 1.1); w < 0.86 {
			t.Errorf("%s: the choice is within 10 %% of the best form for %.1f %% of the cubes only", file, 100*w)
		}
		if r := worst[0].ratio(); r > 2.5 {
			t.Errorf("%s: the choice takes %.2f times as long as the best form", file, r)
		}
		near, most, forms := 0, 0.0, 0
		for _, o := range all {
			r, tried := o.settled(&device)
			most, forms = max(most, r), forms+tried
			if r <= 1.1 {
				near++
			}
		}
		t.Logf("once forms are timed: within 10 %% %.1f %%, the worst %.2f, of %.2f forms a cube", 100*float64(near)/float64(len(all)), most, float64(forms)/float64(len(all)))
		if near*100 < 97*len(all) || most > 1.5 {
			t.Errorf("%s: once forms are timed, %d of %d cubes are within 10 %%, the worst %.2f", file, near, len(all), most)
		}
	}
}

// summary is how near the choices are to the best forms.
func summary(all []*outcome) string {
	sampled, worst := 0, 0.0
	for _, o := range all {
		worst = max(worst, o.ratio())
		if o.sampled {
			sampled++
		}
	}
	text := fmt.Sprintf("%d cubes, %d sampled:", len(all), sampled)
	for _, percent := range []int{5, 10, 20, 50} {
		text += fmt.Sprintf(" within %d %% %.1f %%,", percent, 100*within(all, 1+float64(percent)/100))
	}
	return text + fmt.Sprintf(" the worst %.2f", worst)
}

// line is an outcome in print.
func (o *outcome) line() string {
	text := fmt.Sprintf("%.2f %s, %s %s, sampled %v, takes %s:", o.ratio(), o.Cube, o.Groups, o.Aggregate, o.sampled, o.taken)
	for _, form := range expand.Names() {
		text += fmt.Sprintf(" %s %.3f (%.3f)", form, o.Kernels[form], o.predicted[form])
	}
	return text
}

// TestFit fits the figures of expansions to the cubes of all files, and to those of each but one
// to see how the figures do on that.
func TestFit(t *testing.T) {
	if *fitted == 0 {
		return
	}
	var all []*cube
	for i, file := range measured {
		all = append(all, load(t, file)...)
		var others []*cube
		for k, other := range measured {
			if k != i {
				others = append(others, load(t, other)...)
			}
		}
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			d := fit(t, others, card(), *fitted)
			t.Log("the others: ", summary(outcomes(t, others, &d)))
			t.Log("this one: ", summary(outcomes(t, load(t, file), &d)))
		})
	}
	device := fit(t, all, card(), *fitted)
	t.Logf("%+v", device.Expand)
	t.Log("all: ", summary(outcomes(t, all, &device)))
}

// fit returns the device with other figures of expansions, found by random steps of one of them after the other.
func fit(t *testing.T, cubes []*cube, device machine.Device, steps int) machine.Device {
	t.Helper()
	rnd := rand.New(rand.NewPCG(5, 6))
	given := []string{"Sampled", "NearBytes", "NearLarge", "BlockTurn", "Doubt", "Tried"}
	var fields []int
	for i := range reflect.TypeFor[machine.Expand]().NumField() {
		if f := reflect.TypeFor[machine.Expand]().Field(i); f.Type.Kind() == reflect.Float64 && !slices.Contains(given, f.Name) {
			fields = append(fields, i)
		}
	}
	least := loss(outcomes(t, cubes, &device))
	for step := range steps {
		with := device
		figure := reflect.ValueOf(&with.Expand).Elem().Field(fields[rnd.IntN(len(fields))])
		width := 0.03 + 0.4*(1-float64(step)/float64(steps))
		figure.SetFloat(figure.Float() * math.Exp(width*rnd.NormFloat64()))
		if l := loss(outcomes(t, cubes, &with)); l < least {
			device, least = with, l
		}
	}
	return device
}

// loss is the mean of what choices lose, and a little of how far predictions are off.
func loss(all []*outcome) float64 {
	const lost, off = 2, 0.12
	sum := 0.0
	for _, o := range all {
		r := o.ratio()
		sum += min(lost*max(math.Log(r)-0.05, 0), 0.6)
		if r > 1.1 {
			sum += 0.12
		}
		if r > 1.5 {
			sum += 0.2
		}
		for form, ms := range o.predicted {
			weight := off
			if o.Kernels[form] > 3*o.best() {
				weight /= 5
			}
			e := math.Log(ms / o.Kernels[form])
			sum += weight * min(e*e, 1)
		}
	}
	return sum / float64(len(all))
}
