package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// compiler turns the instructions of one kernel into closures over the vectors
// of one worker. Closures capture their operands' vectors, so that running one
// costs no look-up by row.
type compiler struct {
	w      *worker
	f      *kernel.Func
	shared *compiled
	uses   uses
	// free is what the Ifs compiled so far read that they do not define.
	free map[*kernel.If][]kernel.ValueID
}

// stage is one compiled instruction of a body: a step that works in place, or,
// for instructions that give new batches, a function that builds the consumer
// of this instruction and all after it.
type stage struct {
	step   step
	expand func(next consumer) consumer
}

// compiled is what the workers of a run share of its compiled kernel.
type compiled struct {
	probes probeCompiler
	maps   mapTables
}

// newCompiled makes what workers share that compile probes so.
func newCompiled(probes probeCompiler) *compiled {
	return &compiled{probes: probes, maps: mapTables{tables: make(map[*kernel.Map]*mapTable)}}
}

// A probeCompiler compiles a Probe. live are the values from before it that are read
// after it.
type probeCompiler func(c *compiler, in *kernel.Probe, live []kernel.ValueID) (stage, error)

// newCompiler makes a compiler and w's vectors for constants.
func newCompiler(w *worker, shared *compiled) (*compiler, error) {
	f := w.run.f
	w.vals = make([]*Vector, len(f.Values))
	c := &compiler{w: w, f: f, shared: shared, uses: countUses(f), free: make(map[*kernel.If][]kernel.ValueID)}
	for i := range f.Params {
		v, err := constant(f.Values[f.Params[i].Dst].Type, f.Params[i].Val)
		if err != nil {
			return nil, err
		}
		w.vals[f.Params[i].Dst] = v
	}
	return c, nil
}

// define makes the vector that holds value id for this worker's batches. Its
// slices have room for a batch.
func (c *compiler) define(id kernel.ValueID) *Vector {
	return newVector(c.f.Values[id].Type, c.w.rows)
}
