package planner

import "github.com/cubeloom/cubeloom/planner/algebra"

// newState makes what binds one statement.
func newState(cat Catalog, opts *Options, grammar Grammar) *binder {
	b := &binder{
		cat: cat, opts: opts, grammar: grammar,
		refPos:   make(map[*algebra.ColumnRef]int),
		paramOf:  make(map[*algebra.Const]int),
		tooWide:  make(map[*algebra.Const]error),
		declared: make(map[*algebra.Const]bool),
		params:   make([]algebra.Type, len(opts.Params)),
	}
	for i, p := range opts.Params {
		b.params[i] = p.Type
	}
	return b
}
