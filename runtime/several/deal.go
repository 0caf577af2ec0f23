package several

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// deals returns what each device does of a kernel whose sets are dealt out; nil where they are not, or where that
// saves less time than it takes.
func (b *Backend) deals(f *kernel.Func) []codegen.Dealt {
	if f.GroupsSource() >= 0 {
		return nil // one device has them
	}
	device := b.figures()
	dealt, whole := codegen.DealSets(f, len(b.members), &device.Refine)
	slowest := 0.0
	for i := range dealt {
		slowest = max(slowest, dealt[i].Cost)
	}
	if !b.insists && whole-slowest <= device.Sharing {
		return nil
	}
	return dealt
}

// deal has every device make the groups of its sets, over all rows.
func (r *run) deal(dealt []codegen.Dealt) runtime.Output {
	var mu sync.Mutex // of who takes results
	made := sqlstate.Must(r.parallel(r.all(), func(i int) job {
		opts := *r.opts
		if take := r.opts.Made; take != nil {
			opts.Made = func(result int, rel runtime.Relation) {
				mu.Lock()
				defer mu.Unlock()
				take(dealt[i].Sets[result], rel)
			}
		}
		return job{dealt[i].Func, r.inputsOf(i, r.inputs), &opts}
	}))
	r.metrics.RowsIn /= int64(len(made)) // each has read all of them
	r.say(codegen.ExchangeSets)
	all := make(runtime.Results, len(r.f.Sink.(*kernel.Cubing).Sets))
	for i, out := range made {
		for k, rel := range out.(runtime.Results) {
			all[dealt[i].Sets[k]] = rel
		}
	}
	return all
}
