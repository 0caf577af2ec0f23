package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// stateBytes is more than the state of one accumulator takes.
const stateBytes = 48

// single runs an Aggregate of one group: each block leaves a state, and a last
// entry merges them.
func (r *run) single(s *kernel.Aggregate) (runtime.Output, error) {
	e, k, err := r.entry("aggregate")
	if err != nil {
		return nil, err
	}
	blocks := int64(r.fullGrid(e, k, 0))
	if r.feed != nil {
		blocks = r.feed.blocks(e, blocks)
	}
	partials, err := r.temp.alloc(max(blocks, 1) * stateBytes * int64(len(s.Accs)+1))
	if err != nil {
		return nil, err
	}
	r.set(cudagen.ArgPartials, 0, uint64(partials))
	r.set(cudagen.ArgBlocks, 0, 0)
	r.set(cudagen.ArgFirstBlock, 0, 0)
	out, err := r.outputs(1)
	if err != nil {
		return nil, err
	}
	r.setOutputs(out)
	if err := r.reduce(); err != nil {
		releaseColumns(out)
		return nil, err
	}
	var ids []kernel.ValueID
	for i := range s.Accs {
		ids = append(ids, s.Accs[i].Dst...)
	}
	return r.relation(out, ids, 1), nil
}

// reduce launches the entries of an aggregation of one group.
func (r *run) reduce() error {
	blocks, err := r.overRows("aggregate", 0)
	if err != nil {
		return err
	}
	r.set(cudagen.ArgBlocks, 0, uint64(blocks))
	if _, err := r.launch("finish", 1); err != nil {
		return err
	}
	_, err = r.readStatus()
	return err
}
