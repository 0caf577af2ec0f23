package cpu

import "github.com/cubeloom/cubeloom/runtime"

// An aggStrategy is one way to bring rows to their groups, and the parts of the workers
// together.
type aggStrategy interface {
	// Name is what EXPLAIN and the settings call it.
	Name() string
	// refuses says why the strategy does not apply to a grouping whose keys have been
	// numbered, "" where it does.
	refuses(a *grouping) string
	// part makes what one worker fills.
	part(a *grouping) (aggPart, error)
	// finish makes the result of the parts, of which there is at least one, and says
	// what was done. No part takes rows any longer.
	finish(a *grouping, parts []aggPart) (blocks []runtime.Block, taken string, err error)
}

// An aggPart is one worker's part of an aggregation.
type aggPart interface {
	// add takes n rows, whose operands are views.
	add(n int, views []view) error
}

// partsAs are the parts of a strategy as what they are.
func partsAs[P aggPart](parts []aggPart) []P {
	as := make([]P, len(parts))
	for i, p := range parts {
		as[i] = p.(P)
	}
	return as
}

// finalized are parts that are nothing but groups, ready to be merged.
func finalized(parts []aggPart) ([]*groups, error) {
	all := partsAs[*groups](parts)
	for _, g := range all {
		if err := g.finalize(); err != nil {
			return nil, err
		}
	}
	return all, nil
}
