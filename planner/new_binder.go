package planner

import "github.com/cubeloom/cubeloom/planner/algebra"

func newBinder(cat Catalog, opts *Options) *binder {
	b := &binder{
		cat: cat, opts: opts,
		refPos:  make(map[*algebra.ColumnRef]int),
		paramOf: make(map[*algebra.Const]int),
		tooWide: make(map[*algebra.Const]error),
		params:  make([]algebra.Type, len(opts.Params)),

		declared: make(map[*algebra.Const]bool),
		ofObject: (*exprBinder).sqlFunction,
	}
	for i, p := range opts.Params {
		b.params[i] = p.Type
	}
	return b
}
