package several

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// relation is what the devices have made of their shares, one after the other. It is a
// runtime.Composed of at least two parts, each on one device.
type relation struct {
	runtime.Composed
	made  []runtime.Output
	apart []int // columns of which no two devices have the same value
}

// together is what some devices have made of their shares.
func together(made []runtime.Output, apart []int) runtime.Output {
	if len(made) == 1 {
		return made[0]
	}
	parts := make([]runtime.ViewPart, len(made))
	for i, out := range made {
		parts[i].Rel = out.(runtime.Relation)
	}
	return &relation{runtime.NewView(parts).(runtime.Composed), made, apart}
}

// Release implements runtime.Output.
func (r *relation) Release() { releaseAll(r.made) }

// groups are those that several devices have in cells, no two of them the same.
type groups struct {
	made  []runtime.Output
	apart []int // columns of which no two devices have the same value
}

// Release implements runtime.Output.
func (g *groups) Release() { releaseAll(g.made) }

// output is what an aggregation has made on several devices, or others that merge nothing.
func output(f *kernel.Func, made []runtime.Output, apart []int) runtime.Output {
	if agg, ok := f.Sink.(*kernel.Aggregate); ok && agg.Cells && len(made) > 1 {
		return &groups{made, apart}
	}
	return together(made, apart)
}

// table is a hash table that each device has: of all rows, or of those that an exchange gave it.
type table struct {
	run  *run             // that has returned it
	made []runtime.Output // by device; nil: no kernel has needed it yet
	// rows are those of which the table is made, where shares have written them; nil: it is made.
	rows  runtime.Output
	merge *kernel.Func // makes the table of rows
	key   int          // of its keys, by which rows are exchanged
	parts *table       // of a part of the rows on each device; nil: no kernel has needed it yet
}

// Ran implements runtime.Late: devices may have made their tables ahead of what the run has measured.
func (t *table) Ran() runtime.Metrics {
	var at []int
	var ran []runtime.Metrics
	for i, made := range t.made {
		if late, ok := made.(runtime.Late); ok {
			at, ran = append(at, i), append(ran, late.Ran())
		}
	}
	if len(at) > 0 {
		t.run.measure(at, ran)
	}
	return t.run.metrics
}

// Release implements runtime.Output.
func (t *table) Release() {
	releaseAll(t.made)
	if t.rows != nil {
		t.rows.Release()
	}
	if t.parts != nil {
		t.parts.Release()
	}
}

// releaseAll releases what there is.
func releaseAll(made []runtime.Output) {
	for _, out := range made {
		if out != nil {
			out.Release()
		}
	}
}
