package group

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// A Strategy is one way to bring rows to their groups, and the parts of the workers
// together.
type Strategy interface {
	// Name is what EXPLAIN and the settings call it.
	Name() string
	// Refuses says why the strategy does not apply to a grouping whose keys have been
	// numbered, "" where it does.
	Refuses(a *Grouping) string
	// Part makes what worker w fills.
	Part(a *Grouping, w *exec.Worker) Part
	// Finish makes the result of the parts, of which there is at least one, and says
	// what was done. No part takes rows any longer.
	Finish(a *Grouping, parts []Part) (pieces []Piece, taken string)
}

// A Part is one worker's part of an aggregation.
type Part interface {
	// Add takes n rows, whose operands are views.
	Add(n int, views []vector.View)
}

// PartsAs are the parts of a strategy as what they are.
func PartsAs[P Part](parts []Part) []P {
	as := make([]P, len(parts))
	for i, p := range parts {
		as[i] = p.(P)
	}
	return as
}

// Finalized are parts that are nothing but groups, ready to be merged.
func Finalized(parts []Part) []*Groups {
	all := PartsAs[*Groups](parts)
	for _, g := range all {
		g.Finalize()
	}
	return all
}
