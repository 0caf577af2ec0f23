package scope

import (
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options are the settings of one planning.
type Options struct {
	// Params are the values of $1, $2, ….
	Params []Param
	// InferParams plans without values of the parameters: each gets the type
	// that its use asks for, Plan.Params says which, and its value is NULL.
	InferParams bool
	// Disable holds the names of rules that are left out.
	Disable map[string]bool
	// Verify checks the plan after every rule; a failure names the rule.
	Verify bool
	// Trace keeps the plan after every rule in Plan.Steps.
	Trace bool
	// Weigh keeps what the rules chose from by costs in Plan.Steps.
	Weigh bool
	// MayCall fails where a statement may not call a function of a name; nil: it may call
	// all.
	MayCall func(name string) error
	// SQLFunctions finds functions of the embedder; nil: there are none.
	SQLFunctions SQLFunctions
	// Named is called with each name in the statement's own text, not in that of views,
	// that the catalog has a table or view for; nil: nobody wants to know.
	Named func(sql.Name)
	// Now is the time of now() and current_date; the zero Time is the clock's.
	Now time.Time
	// Statement is the time of statement_timestamp(); the zero Time is Now.
	Statement time.Time
	// Zone is the time zone of the session; nil is UTC.
	Zone *time.Location
	// Style is how dates, intervals and floats are read and written.
	Style value.Style
	// Random returns the seeds of random(); nil: any.
	Random func() int64
	// Meter bounds what planning costs: what is computed at once of constants, and the
	// time; nil: nothing bounds it.
	Meter *value.Meter
	// Sequences hands out the values of sequences when a statement is bound that is to run;
	// nil for one that is only described, which has 0 in their places.
	Sequences Sequences
	// Compute is nil for a statement that is only described.
	Compute Compute
	// Around is the WITH that the statement stands in; nil: it stands alone.
	Around *sql.With
	// Returned are the rows that statements in WITH have returned; nil for one without RETURNING.
	// A statement that is not among them is bound, and added with what its rows will look like.
	Returned map[*sql.CTE]*Relation
	// SetSeed does what setseed(), which is called when it is bound, is for; nil:
	// nothing.
	SetSeed func(seed float64)
}

// Sequences hands out values of sequences, which go by keys.
type Sequences interface {
	// Named finds the sequence of a possibly qualified name in SQL.
	Named(name string) (key string, err error)
	// Take returns the next of n values, and what each is greater than the one before.
	Take(key string, n int64) (first, step int64, err error)
	// Hold is Take of as many values as the statement turns out to have rows.
	Hold(key string) (first, step int64, err error)
	// Current is the value that the session took last.
	Current(key string) (int64, error)
	// Last is Current of the sequence that the session took a value of last.
	Last() (int64, error)
	// Set makes the next value the one behind v, or v itself where called is false.
	Set(key string, v int64, called bool) error
}

// Param is the value of a parameter. A Type of kind algebra.Unknown with a
// text is an untyped literal, which gets the type that its use asks for.
type Param struct {
	Value value.Value
	Type  algebra.Type
}

// MaxParams is how many parameters a statement can have.
const MaxParams = 65535

// SQLFunctions finds functions that the embedder defines in SQL, by name and
// bound arguments: it gives an expression, in which $1, $2, … stand for the
// arguments and which takes the place of the call, or "" where there is no such
// function. Calls of functions of the planner's own do not ask it. A cast to one
// of the types of names of objects, such as x::regclass, asks for "regclass";
// one of such a value to text for "regclass_name".
type SQLFunctions func(name string, args []algebra.Expr) (expr string, err error)
