package several

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// fewRows is how many rows of all devices the host merges: in less time than they take to another device
// and a kernel takes to begin there.
const fewRows = 4096

// onHost is what the host has made of few rows that devices have made of their shares.
type onHost struct {
	runtime.Relation
	out runtime.Output
}

// Release implements runtime.Output.
func (h *onHost) Release() { h.out.Release() }

// hostMerges reports whether the host merges so many rows of all devices, where no strategy is forced.
func (b *Backend) hostMerges(f *kernel.Func, rows float64, exchange string) bool {
	return exchange != exchangeCopy && exchange != exchangeHash && rows <= fewRows && isRelation(f.Sink)
}

// isRelation reports whether what a sink makes can be read on the host and on a device alike.
func isRelation(sink kernel.Sink) bool {
	switch sink.(type) {
	case *kernel.Materialize, *kernel.Aggregate, *kernel.Sort, *kernel.Window:
		return true
	}
	return false
}

// readsHost reports whether all that the kernel reads is few rows that the host has made.
func (r *run) readsHost() bool {
	elsewhere := func(in any) bool { return !isOnHost(in) }
	return len(r.inputs) > 0 && isRelation(r.f.Sink) && !slices.ContainsFunc(r.inputs, elsewhere)
}

// isOnHost reports whether an input is few rows that the host has made, or several such.
func isOnHost(in any) bool {
	switch in := in.(type) {
	case *onHost:
		return true
	case runtime.Composed:
		return !slices.ContainsFunc(in.Parts(), func(part runtime.ViewPart) bool { return !isOnHost(part.Rel) })
	}
	return false
}

// byHost has the host run a kernel over few rows.
func (r *run) byHost(f *kernel.Func, inputs []any, exchange string) runtime.Output {
	r.say(exchange)
	opts := *r.opts
	opts.Threads = 1
	out, m, err := r.backend.host.Run(r.ctx, codegen.InColumns(f), inputs, &opts)
	sqlstate.Check(err)
	r.metrics.RowsOut, r.metrics.BytesWritten = m.RowsOut, m.BytesWritten
	r.metrics.BytesRead += m.BytesRead
	return &onHost{out.(runtime.Relation), out}
}

// counted is how many rows devices have made.
func counted(made []runtime.Output) (rows float64) {
	for _, out := range made {
		rows += float64(out.(runtime.Relation).Rows())
	}
	return rows
}
