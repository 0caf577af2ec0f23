package dialect

// TableSample is the alias of a table with TABLESAMPLE: (select row from table) as
// `aN`, of whose row the last is the seed where Repeatable is set.
type TableSample struct {
	Method     []Ident
	Repeatable bool
}

// sample reads what follows TABLESAMPLE.
func (r tableReader) sample(table *fragment) *fragment {
	first := r.Peek()
	if !first.IsName() && !first.isTypeOrFunction() {
		panic(r.Unexpected())
	}
	method := r.qualified(r.ident())
	m := &TableSample{Method: method}
	args := r.exprsInParens()
	if r.Accept("repeatable") {
		m.Repeatable = true
		seed := r.exprsInParens()
		if len(seed) != 1 {
			panic(syntaxError(first, "REPEATABLE takes one seed"))
		}
		args = append(args, seed...)
	}
	row := r.call("x", &Row{Explicit: true, Pos: first.Pos}, args...)
	return join(raw("(select "), row, raw(" from "), table, raw(") as "), r.name("a", m))
}
