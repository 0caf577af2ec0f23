// Package function is the catalogue of functions: every scalar, aggregate, window and
// set-returning function is one row. The binder finds functions here and nowhere else;
// docs/functions.md and pg_proc are made from the rows, and their examples are tests.
//
// A row is data. What computes a function is named by it: an operation of the algebra, a
// routine of package value, an accumulator, an expression in SQL, or code of the binder.
package function

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Kind is what a function makes a result of.
type Kind string

// The kinds of functions.
const (
	Scalar    Kind = "scalar"    // the values of a row
	Aggregate Kind = "aggregate" // the rows of a group
	Window    Kind = "window"    // the rows of a window, with OVER
	Set       Kind = "set"       // the values of a row; it returns several rows
)

// Volatility is how long a function returns the same result for the same arguments.
type Volatility string

// The volatilities, as PostgreSQL defines them.
const (
	Immutable Volatility = ""  // forever
	Stable    Volatility = "s" // within a statement
	Volatile  Volatility = "v" // not even within one
)

// Nulls is what a function does with arguments that are NULL.
type Nulls string

// The behaviours on NULL.
const (
	NullGivesNull Nulls = ""        // the result is NULL
	NullCounts    Nulls = "called"  // the function is called like with any other value
	NullSkipped   Nulls = "skipped" // an aggregate does not see the row
)

// Function is a row of the catalogue.
type Function struct {
	Name       string
	Aliases    []string // other names of the same function
	Kind       Kind     // "" is Scalar
	Section    string   // of docs/functions.md; set by the list that the row is in
	Volatility Volatility
	Nulls      Nulls
	// Text is a sentence about the result. Example is what follows SELECT, and Answer the
	// rows of its one column, with commas between them.
	Text, Example, Answer string

	// Signatures are the overloads of a scalar function, or document how another one is
	// called.
	Signatures []Signature
	// Params are the parameters of a scalar function whose arguments may have names.
	Params []Param
	// Usage are the ways to call a function that binds its own arguments.
	Usage []string
	// Form names code of the binder that binds the whole call, by the kind of the function.
	Form Form
	// Accumulator is what an aggregate is that backends accumulate; a window function that
	// they compute has Window in its place.
	Accumulator algebra.AggFunc
	Window      algebra.WindowFunc
	// WithinGroup marks the aggregates whose order stands in WITHIN GROUP.
	WithinGroup bool
	// Query is what a function in FROM is a query of; $1, $2, … are its arguments.
	Query string
	// OfSession marks functions that the owner of the session writes in SQL; see
	// planner.SQLFunctions.
	OfSession bool
}

// Param is a parameter that an argument may name. Default is the text of its value where it is left
// out before others that are not; a parameter without one must not be.
type Param struct{ Name, Default string }

// params are parameters of names with spaces between them; name=value has a default.
func params(names string) []Param {
	var all []Param
	for p := range strings.FieldsSeq(names) {
		name, otherwise, _ := strings.Cut(p, "=")
		all = append(all, Param{name, otherwise})
	}
	return all
}

// Form names code of the binder; "" is none.
type Form string

// Signature is one list of parameters, and what the function is of them. Parameters and
// result are letters: those of value.Routine, h for smallint, and ? for any type.
type Signature struct {
	Params string
	Result byte
	Of     Making
	kinds  []algebra.Kind
}

// Of is a signature of parameters of some kinds.
func Of(kinds ...algebra.Kind) Signature { return Signature{kinds: kinds} }

// Kinds are the kinds of the parameters.
func (s *Signature) Kinds() []algebra.Kind { return s.kinds }

// Making is what a signature is made of: an Operation, a Code or an SQL.
type Making interface{ making() }

// Operation is a call of a function of the algebra or of a routine, with constant texts
// behind the arguments.
type Operation struct {
	Func   algebra.Func
	Result Rule
	Rest   []string
}

// Code names code of the binder that makes an expression of converted arguments.
type Code string

// SQL is an expression in which $1, $2, … stand for the arguments.
type SQL string

func (Operation) making() {}
func (Code) making()      {}
func (SQL) making()       {}

// Rule is what the type of an operation is.
type Rule uint8

// The rules for types.
const (
	Declared   Rule = iota // the signature's
	OfArgument             // that of the only argument
	Whole                  // of an exact number: one without digits behind the point
	ToDigits               // of an exact number: one with as many digits as the last argument says
	Arithmetic             // that of the operator, whose other name the function is
	OfField                // the signature's; the first argument is the constant name of a field
)

// TypeOf is the type that a letter of a signature stands for.
func TypeOf(letter byte) algebra.Type {
	if letter == 'h' {
		return algebra.TInt16
	}
	return algebra.RoutineType(letter)
}

// routine are the signatures of a routine of package value.
func routine(name string) []Signature {
	var all []Signature
	for _, r := range value.Routines(name) {
		all = append(all, of(r.Params, r.Result, Operation{Func: algebra.Func(name)})...)
	}
	return all
}

// of is one signature.
func of(params string, result byte, making Making) []Signature {
	return []Signature{{Params: params, Result: result, Of: making}}
}

// op is a call of an operation whose type is the signature's.
func op(f algebra.Func, rest ...string) Operation { return Operation{Func: f, Rest: rest} }

// each are signatures of one parameter whose type the result has.
func each(f algebra.Func, letters string) []Signature {
	var all []Signature
	for i := range len(letters) {
		all = append(all, of(letters[i:i+1], letters[i], Operation{Func: f, Result: OfArgument})...)
	}
	return all
}

// both are signatures of two parameters of a type, which an operator takes.
func both(f algebra.Func, letters string) []Signature {
	var all []Signature
	for i := range len(letters) {
		all = append(all, of(letters[i:i+1]+letters[i:i+1], letters[i], Operation{Func: f, Result: Arithmetic})...)
	}
	return all
}

// list joins signatures.
func list(parts ...[]Signature) []Signature { return slices.Concat(parts...) }

// inSQL is a signature of an expression in SQL.
func inSQL(result byte, params, text string) []Signature {
	return of(params, result, SQL(text))
}
