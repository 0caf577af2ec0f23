package scope

import "github.com/cubeloom/cubeloom/planner/algebra"

// NewBinder makes what binds one statement.
func NewBinder(cat Catalog, opts *Options, grammar Grammar) *Binder {
	b := &Binder{
		Catalog: cat, Opts: opts, grammar: grammar,
		RefPos:    make(map[*algebra.ColumnRef]int),
		paramOf:   make(map[*algebra.Const]int),
		TooWide:   make(map[*algebra.Const]error),
		RowValues: make(map[algebra.Expr]*RowValue),
		Declared:  make(map[*algebra.Const]bool),
		Domains:   make(map[algebra.Expr]*algebra.Domain),
		domainsOf: make(map[algebra.ColumnID]*algebra.Domain),
		Params:    make([]algebra.Type, len(opts.Params)),
	}
	for i, p := range opts.Params {
		b.Params[i] = p.Type
	}
	return b
}
