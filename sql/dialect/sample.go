package dialect

// TableSample is the alias of a table with TABLESAMPLE: (select row from table) as
// `aN`, of whose row the last is the seed where Repeatable is set.
type TableSample struct {
	Method     []Ident
	Repeatable bool
}

// sample reads what follows TABLESAMPLE.
func (r *rewriter) sample(table *fragment) (*fragment, error) {
	first := r.Peek()
	if !first.IsName() && !first.isTypeOrFunction() {
		return nil, r.Unexpected()
	}
	method, err := r.qualified(r.ident())
	if err != nil {
		return nil, err
	}
	m := &TableSample{Method: method}
	args, err := r.exprsInParens()
	if err != nil {
		return nil, err
	}
	if r.Accept("repeatable") {
		m.Repeatable = true
		seed, err := r.exprsInParens()
		if err != nil {
			return nil, err
		}
		if len(seed) != 1 {
			return nil, syntaxError(first, "REPEATABLE takes one seed")
		}
		args = append(args, seed...)
	}
	row := r.call("x", &Row{Explicit: true, Pos: first.Pos}, args...)
	return join(raw("(select "), row, raw(" from "), table, raw(") as "), r.name("a", m)), nil
}
