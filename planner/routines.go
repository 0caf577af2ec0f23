package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// overloadsOf are all overloads of a function's name: those that are bound in
// ways of their own, and the routines.
func overloadsOf(name string) []overload {
	all := functions[name]
	if strings.Contains(name, " ") {
		return all // what has such a name is reached by another one
	}
	return append(all[:len(all):len(all)], routineOverloads(name)...)
}

// routineOverloads are the overloads of a routine that is reached by another name.
func routineOverloads(name string) []overload {
	var all []overload
	for _, r := range value.Routines(name) {
		all = append(all, routineOverload(algebra.Func(name), r))
	}
	return all
}

// routineOverload binds a call of a routine; exact numbers are converted to
// Numeric.
func routineOverload(f algebra.Func, r value.Routine) overload {
	o := overload{}
	for i := range len(r.Params) {
		o.params = append(o.params, algebra.RoutineType(r.Params[i]).Kind)
	}
	o.make = func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		for i, kind := range o.params {
			if kind != algebra.Numeric {
				continue
			}
			var err error
			if args[i], err = c.exact(args[i]); err != nil {
				return nil, err
			}
		}
		return call(f, algebra.RoutineType(r.Result), c.pos, args...), nil
	}
	return o
}

// wholeQuotient is div(x, y).
var wholeQuotient = routineOverload(value.WholeQuotient, value.Routines(value.WholeQuotient)[0])
