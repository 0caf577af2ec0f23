package runtime

import (
	"context"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Place is where a step runs.
type Place struct {
	Backend Backend
	Reason  string // for people; "" where there was no choice
}

// Placement says where the steps of a program run. Steps that share a hash
// table must run in one place.
type Placement struct {
	Steps []Place
	// Recursions is where the programs in recursions run.
	Recursions Backend
	// Fetches has the rows of the result copied to the host, since some may be on a device.
	Fetches bool
	// Fallback is asked when step i has failed with err on a backend, or behind the last step,
	// on none, what reads the result: where steps run from now on, those of the step's
	// co-location group or, unless instead is nil, all that were to run on that backend; or
	// the error with which the query ends. It must not return a place in which a step has
	// failed. Nil: every error stands.
	Fallback func(i int, on Backend, err error) (place Place, instead Backend, failure error)
}

// Everywhere places n steps on one backend.
func Everywhere(backend Backend, n int) *Placement {
	p := &Placement{Steps: make([]Place, n), Recursions: backend}
	for i := range p.Steps {
		p.Steps[i].Backend = backend
	}
	return p
}

// Resident is a Relation whose rows lie on a device until somebody reads them.
type Resident interface {
	Relation
	// Fetch copies columns to the host, where they are only read value by value: no bounds of them are
	// looked for. Any number of goroutines may call it, also while kernels read the relation.
	Fetch(ctx context.Context, ordinals []int) error
	// LeaveDevice frees what the relation takes on the device. What has been
	// read stays; the rest cannot be read any more.
	LeaveDevice()
}

// Colocated returns, by step, the first step of its co-location group: the steps that
// must run in one place because hash tables pass between them, or groups in their cells.
func Colocated(prog *codegen.Program) []int {
	first := make([]int, len(prog.Steps))
	for i := range prog.Steps {
		first[i] = i
		step := &prog.Steps[i]
		for k := range step.Func.Inputs {
			if step.Func.Inputs[k].Kind != kernel.RelationInput {
				join(first[:i+1], i, step.Inputs[k].Parts[0].Step)
			}
		}
	}
	return first
}

// join makes one set of the sets that steps a and b are in.
func join(first []int, a, b int) {
	from, to := max(first[a], first[b]), min(first[a], first[b])
	for i, f := range first {
		if f == from {
			first[i] = to
		}
	}
}
