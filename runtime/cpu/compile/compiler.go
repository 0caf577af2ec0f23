// Package compile turns the instructions of a kernel into loops over vectors.
package compile

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Compiler turns the instructions of one kernel into closures over the vectors
// of one worker. Closures capture their operands' vectors, so that running one
// costs no look-up by row. Its methods panic with errors, which sqlstate.Try returns.
type Compiler struct {
	Worker *exec.Worker
	Kernel *kernel.Func
	shared *Shared
	// free is what the Ifs compiled so far read that they do not define.
	free map[*kernel.If][]kernel.ValueID
	// branchReads are the values that an If reads, where that is all that it does; nil for others.
	branchReads map[*kernel.If][]reading
	tabulating  bool // what is compiled computes the entries of a table
	// codeKeys are the codes whose texts are the keys of probes.
	codeKeys map[*kernel.Probe]kernel.ValueID
}

// CodeKey returns the value whose codes stand for the texts that are the key of a probe,
// which are not made then; ok is false where the key is a value as others are.
func (c *Compiler) CodeKey(in *kernel.Probe) (code kernel.ValueID, ok bool) {
	code, ok = c.codeKeys[in]
	return code, ok
}

// Stage is one compiled instruction of a body: a step that works in place, or,
// for instructions that give new batches, a function that builds the consumer
// of this instruction and all after it.
type Stage struct {
	Step   exec.Step
	Expand func(next exec.Consumer) exec.Consumer
}

// Shared is what the workers of a run share of its compiled kernel.
type Shared struct {
	uses   uses
	probes probeCompiler
	maps   mapTables
}

// NewShared makes what workers share of kernel f that compile probes so.
func NewShared(f *kernel.Func, probes probeCompiler) *Shared {
	return &Shared{uses: countUses(f), probes: probes, maps: mapTables{tables: make(map[*kernel.Map]*mapTable)}}
}

// A probeCompiler compiles a Probe. live are the values from before it that are read
// after it.
type probeCompiler func(c *Compiler, in *kernel.Probe, live []kernel.ValueID) Stage

// New makes a compiler and w's vectors for constants.
func New(w *exec.Worker, shared *Shared) *Compiler {
	f := w.Run.Kernel
	w.Vals = make([]*vector.Vector, len(f.Values))
	c := &Compiler{
		Worker: w, Kernel: f, shared: shared, free: make(map[*kernel.If][]kernel.ValueID),
		branchReads: make(map[*kernel.If][]reading), codeKeys: make(map[*kernel.Probe]kernel.ValueID),
	}
	for i := range f.Params {
		w.Vals[f.Params[i].Dst] = exec.Constant(f.Values[f.Params[i].Dst].Type, f.Params[i].Val)
	}
	return c
}

// define makes the vector that holds value id for this worker's batches. Its
// slices have room for a batch.
func (c *Compiler) define(id kernel.ValueID) *vector.Vector {
	return vector.New(c.Kernel.Values[id].Type, c.Worker.Rows)
}

// reading is a value that an instruction reads, and how often.
type reading struct {
	id kernel.ValueID
	n  int
}

// mapTables are the results of a run's Maps, shared by its workers.
type mapTables struct {
	mu     sync.Mutex
	tables map[*kernel.Map]*mapTable
}

// mapTable remembers what a Map gave for the texts of a dictionary. Workers evaluate it beside each other.
type mapTable struct {
	in     *kernel.Map
	run    *exec.Run
	shared *Shared

	mu      sync.Mutex
	bodies  int
	state   []uint8        // by code+1; 0 is for NULL
	results *vector.Vector // by code+1; of type Code for texts
	errs    map[int]error
	texts   []string // the new dictionary
	codes   map[string]uint32
}
