package cpu

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
)

// finish implements sink.
func (a *aggregate) finish(context.Context) (result, error) {
	parts, err := a.parts()
	if err != nil {
		return result{}, err
	}
	var blocks []runtime.Block
	var taken string
	if a.run.opts.Explain {
		taken = a.taken(parts)
	}
	switch {
	case len(a.keys) == 0:
		blocks, err = a.finishSingle(parts)
	case a.partitioned():
		blocks, err = a.finishPartitioned(parts)
	case a.dense != nil:
		blocks, err = a.finishDense(parts)
	default:
		blocks, err = a.finishHash(parts)
	}
	if err != nil {
		return result{}, err
	}
	shareDictionaries(blocks)
	res := newRelation(a.run, a.resultTypes(), blocks)
	res.taken = taken
	return res, nil
}

// taken says how the groups were found, and how the workers' parts come together.
func (a *aggregate) taken(parts []*groups) string {
	switch {
	case len(a.keys) == 0:
		return ""
	case a.dense != nil && a.partitioned():
		return fmt.Sprintf("rows radix-partitioned, an array of %d groups filled by partition", a.dense.cells)
	case a.dense != nil:
		return fmt.Sprintf("arrays of %d groups for %d workers, merged", a.dense.cells, len(parts))
	case a.partitioned():
		return fmt.Sprintf("hash tables until they outgrew the cache at %d groups a worker, then rows radix-partitioned", a.groupLimit)
	}
	total := 0
	for _, part := range parts {
		total += part.table.len()
	}
	switch {
	case len(parts) == 1:
		return "one hash table"
	case total > caches().SerialGroups:
		return fmt.Sprintf("hash tables of %d workers, merged by partitions", len(parts))
	}
	return fmt.Sprintf("hash tables of %d workers, merged by one", len(parts))
}

// finishSingle returns the one group.
func (a *aggregate) finishSingle(parts []*groups) ([]runtime.Block, error) {
	all, one := parts[0], []uint32{0}
	for _, part := range parts[1:] {
		if err := all.combine(part); err != nil {
			return nil, err
		}
		if err := all.merge(part, one, one); err != nil {
			return nil, err
		}
	}
	block, err := a.block(all, one, nil)
	return []runtime.Block{block}, err
}
