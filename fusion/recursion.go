package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/recursion"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// What is guessed of a recursion: how many rounds it has, and how many rows a
// round adds.
const (
	recursionRounds = 10
	workingRows     = 100
)

// recursive adds the source of a recursive expression's rows and weaves the
// programs of its two plans, whose results come together with each other and
// with those of other rounds.
func (g *graph) recursive(n *algebra.Recursive) (int, error) {
	base, err := weave(n.Base, g.opts, operators.Plain)
	if err != nil {
		return 0, err
	}
	term, err := weave(n.Term, g.opts, operators.Plain)
	if err != nil {
		return 0, err
	}
	rows := limited(base.Ops[base.Root].Rows*recursionRounds, n.Limit)
	id := g.add(&recursion.Operator{Node: n}, rows)
	g.loops[id] = &Loop{Base: base, Term: term}
	return id, nil
}
