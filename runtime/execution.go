package runtime

import (
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
)

// execution is the state of one Execute.
type execution struct {
	prog      *codegen.Program
	placement *Placement
	opts      *RunOptions
	places    []Place
	group     []int // by step: the first of its co-location group
	outputs   []Output
	metrics   []Metrics
	lastUse   []int                        // by step: the last step that reads its output, len(Steps) for the result
	loops     map[*codegen.Loop]*rowBuffer // rows of recursions that have run
	working   map[*codegen.Loop]Relation   // working tables of the recursions that enclose it
	fetching  *fetches                     // rows of the result that are copied to the host while later steps run; nil: none are
	copyBack  time.Duration
	varies    []bool // of the term of a recursion: steps that each round runs anew
	kept      []any  // likewise: what backends keep for the next round
}

// newExecution makes the execution of a program, which has not run yet.
func newExecution(prog *codegen.Program, placement *Placement, opts *RunOptions) *execution {
	return &execution{
		prog: prog, placement: placement, opts: opts, outputs: make([]Output, len(prog.Steps)), lastUse: lastUses(prog),
		places: slices.Clone(placement.Steps), group: Colocated(prog), metrics: make([]Metrics, len(prog.Steps)),
	}
}

// lastUses finds, for each step, the last step that reads its output.
func lastUses(prog *codegen.Program) []int {
	last := make([]int, len(prog.Steps))
	for i, step := range prog.Steps {
		last[i] = i
		for _, in := range step.Inputs {
			for _, part := range in.Parts {
				last[part.Step] = i
			}
		}
	}
	for _, part := range prog.Result.Parts {
		last[part.Step] = len(prog.Steps)
	}
	return last
}

// release releases the output of step s, once.
func (e *execution) release(s int) {
	if e.outputs[s] != nil {
		if late, ok := e.outputs[s].(Late); ok {
			e.metrics[s] = late.Ran()
		}
		e.outputs[s].Release()
		e.outputs[s] = nil
	}
}

// releaseAfter releases the outputs that no step after step i reads.
func (e *execution) releaseAfter(i int) {
	for s := 0; s <= i; s++ {
		if e.lastUse[s] == i {
			e.release(s)
		}
	}
}

// releaseAll releases what is still held, after an error.
func (e *execution) releaseAll() {
	for s := range e.outputs {
		e.release(s)
	}
}

// releaseLoops releases the rows of recursions.
func (e *execution) releaseLoops() {
	for l, rows := range e.loops {
		rows.Release()
		delete(e.loops, l)
	}
}
