package planner

// newBinder makes a binder of statements over a catalog, which is used once.
func newBinder(cat Catalog, opts *Options) *binder {
	return newState(cat, opts, Grammar{Expr: bindExpr, Call: bindCall, Query: bindQuery})
}
