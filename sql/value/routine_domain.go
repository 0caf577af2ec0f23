package value

// DomainKept is true where its last argument is, what a domain asks of a value. Otherwise it raises the error
// of ErrDomain, with its other arguments: the domain as messages call it, schema, name and constraint.
const DomainKept = "domain kept"

var domainRoutines = map[string][]Routine{
	DomainKept: {{Params: "ssssb", Result: 'b', Call: func(a []Value) (Value, error) {
		if kept := a[4]; kept.B {
			return kept, nil
		}
		return Value{}, ErrDomain(a[0].S, Object{Schema: a[1].S, Type: a[2].S, Constraint: a[3].S})
	}}},
}

// ErrDomain is the error of a value that is none of a domain, as messages call that: since the CHECK constraint
// of the object is false of it, or, where there is none, since it is NULL.
func ErrDomain(domain string, o Object) *Error {
	e := Errorf(CodeNotNullViolation, "domain %s does not allow null values", domain)
	if o.Constraint != "" {
		e = Errorf(CodeCheckViolation, "value for domain %s violates check constraint %q", domain, o.Constraint)
	}
	e.Object = o
	return e
}
