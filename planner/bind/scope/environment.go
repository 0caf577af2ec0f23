package scope

func (e *Environment) Find(name string) *Environment {
	for ; e != nil; e = e.Parent {
		if e.CTE != nil && e.Name == name {
			return e
		}
	}
	return nil
}

// Where a recursive expression must not refer to itself.
const (
	WithinBase      = "its non-recursive term"
	WithinSubquery  = "a subquery"
	WithinOuterJoin = "an outer join"
)

// Barred is the environment of a part of a query in which a recursive expression
// around must not refer to itself; where one is in force, an outer join adds none.
func Barred(env *Environment, where string) *Environment {
	for e := env; where == WithinOuterJoin && e != nil; e = e.Parent {
		if e.Bar != "" {
			return env
		}
	}
	return &Environment{Parent: env, Bar: where}
}

// Barrier is the innermost bar between a place and an expression's entry; ""
// where there is none.
func (e *Environment) Barrier(entry *Environment) string {
	for ; e != nil && e != entry; e = e.Parent {
		if e.Bar != "" && (e.BarOf == nil || e.BarOf == entry) {
			return e.Bar
		}
	}
	return ""
}
