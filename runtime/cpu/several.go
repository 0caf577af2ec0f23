package cpu

import (
	"context"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// several is the sink whose rows end in those of several branches.
type several struct{ sinks []exec.Sink }

// newSeveral makes the sinks of all branches.
func newSeveral(r *exec.Run, in *kernel.Several, sinkOf func(*exec.Run, kernel.Sink) exec.Sink) exec.Sink {
	s := &several{}
	for i := range in.Branches {
		sink := sinkOf(r, in.Branches[i].Sink)
		s.sinks = append(s.sinks, sink)
	}
	return s
}

// branches is one worker's part of the sink.
type branches struct {
	outs   []exec.SinkWorker
	bodies []exec.Consumer
	raw    []*vector.Vector // those of the batch that are not decoded
	before []vector.Vector  // as they were before a branch
}

// Worker implements exec.Sink.
func (s *several) Worker(w *exec.Worker) exec.SinkWorker {
	b := &branches{}
	for _, sink := range s.sinks {
		out := sink.Worker(w)
		b.outs = append(b.outs, out)
	}
	return b
}

// compile compiles the instructions of the branches.
func (b *branches) compile(c *compile.Compiler, in *kernel.Several) {
	for i, out := range b.outs {
		b.bodies = append(b.bodies, c.Body(in.Branches[i].Body, out.Consume))
	}
}

// Consume implements exec.SinkWorker. A branch decodes columns for its own rows alone, which the
// next one must not take for decoded.
func (b *branches) Consume(batch *vector.Batch) {
	sel := batch.Sel
	b.raw, b.before = b.raw[:0], b.before[:0]
	for _, v := range batch.Vals {
		if v != nil && v.Raw != nil {
			b.raw, b.before = append(b.raw, v), append(b.before, *v)
		}
	}
	for i, body := range b.bodies {
		if batch.Sel = sel; i > 0 {
			for k, v := range b.raw {
				*v = b.before[k]
			}
		}
		body(batch)
	}
}

// Finish implements exec.Sink.
func (s *several) Finish(ctx context.Context) exec.Result {
	var all exec.Result
	var out runtime.Results
	for _, sink := range s.sinks {
		res := sink.Finish(ctx)
		out = append(out, res.Out.(runtime.Relation))
		all.Rows, all.Bytes = all.Rows+res.Rows, all.Bytes+res.Bytes
	}
	all.Out = out
	return all
}
