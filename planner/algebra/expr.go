package algebra

import "github.com/cubeloom/cubeloom/sql/value"

// Const is a constant. Val.Kind fits Typ; a Const of kind value.Null is a
// typed NULL.
type Const struct {
	Val value.Value
	Typ Type
}

// ColumnRef refers to a column of the input.
type ColumnRef struct {
	Column Column
}

// Call applies a scalar function. The arguments already have the types that
// the function wants: every implicit cast is a Call of Cast.
type Call struct {
	Func Func
	Args []Expr
	Typ  Type
	Pos  int // byte offset in the SQL text for run-time errors, or value.NoPos
}

// Case is a searched CASE: the first When whose condition is true gives the
// value, else Else (nil for NULL). Branches that are not taken are not
// evaluated: an error in them is not raised. COALESCE, NULLIF, GREATEST and
// LEAST are bound to Case or to Calls.
type Case struct {
	Whens []When
	Else  Expr
	Typ   Type
}

// When is one arm of a Case.
type When struct {
	Cond, Then Expr
}

// Subquery is a query in an expression, evaluated for each row of the relation
// that the expression is over: Plan may refer to that relation's columns, and
// to those of relations around it. The binder makes it and the rule unnest
// makes joins of it. Copies of one Subquery have one ID, which no column has.
type Subquery struct {
	ID   ColumnID
	Kind SubqueryKind
	Plan Node
	Test Expr // of SubqueryAny: a condition on a row of Plan, else nil
	Typ  Type
}

// SubqueryKind is what a subquery computes of its rows.
type SubqueryKind string

// The kinds of subqueries.
const (
	SubqueryScalar SubqueryKind = "scalar" // the one column of the one row, NULL without rows; more rows are an error
	SubqueryExists SubqueryKind = "exists" // whether there is a row
	SubqueryAny    SubqueryKind = "any"    // the three-valued OR of Test over the rows
)

// Func names a scalar function. The name is the same in the algebra, in the
// kernel IR and in every printed plan.
type Func string

// The scalar functions. Unless said otherwise a NULL argument gives NULL, the
// arguments of arithmetic and comparison have one kind, which for arithmetic
// is the kind of the result, and the result of a comparison is Bool. Decimals
// that are compared have one scale; in arithmetic each keeps its own, and
// Call.Typ has PostgreSQL's: the larger one of Add, Sub and Mod, the sum for
// Mul. A decimal result that needs more digits than its precision is an error.
// Beside these the names of value.Routines are functions.
const (
	Add Func = "add" // numbers; date + int32 is AddDays; anything with intervals is AddInterval
	Sub Func = "sub"
	Mul Func = "mul"
	Div Func = "div" // integers truncate toward zero; exact numerics are Numeric with PostgreSQL's scale
	Mod Func = "mod"
	Neg Func = "neg"
	Abs Func = "abs"

	Round Func = "round" // (x) or (exact, int32): half away from zero for exact numerics, half to even for float64; a Decimal result has the scale rounded to
	Trunc Func = "trunc"
	Floor Func = "floor"
	Ceil  Func = "ceil"
	Power Func = "power"
	Sqrt  Func = "sqrt"
	Ln    Func = "ln"
	Log10 Func = "log10"
	Exp   Func = "exp"
	Sign  Func = "sign"

	Eq       Func = "eq"
	Ne       Func = "ne"
	Lt       Func = "lt"
	Le       Func = "le"
	Gt       Func = "gt"
	Ge       Func = "ge"
	Distinct Func = "distinct" // IS DISTINCT FROM: never NULL

	And Func = "and" // three-valued, two or more arguments
	Or  Func = "or"  // three-valued, two or more arguments
	Not Func = "not"

	IsNull  Func = "is_null"  // never NULL
	IsTrue  Func = "is_true"  // never NULL; IS NOT TRUE is Not of it
	IsFalse Func = "is_false" // never NULL

	In Func = "in" // (x, const, const, …): three-valued

	// Random is random(): at least 0 and less than 1. Its argument is a constant
	// seed. Every evaluation is a row's own; the rule randoms makes a routine of it.
	Random Func = "random" // (int64 const): float64

	// AtMostOne is true for counts of 0 and 1; more rows of a scalar subquery are
	// an error.
	AtMostOne Func = "at_most_one" // (int64)

	Cast   Func = "cast"   // explicit or implicit; Typ says the target
	Assign Func = "assign" // text to varchar(n) as INSERT does it: losing anything but blanks at the end is an error, where Cast cuts

	Like      Func = "like"  // (text, pattern, escape const); an empty escape is none
	ILike     Func = "ilike" // (text, pattern, escape const)
	Substring Func = "substring"
	Upper     Func = "upper"
	Lower     Func = "lower"
	Trim      Func = "trim"  // (text, characters)
	LTrim     Func = "ltrim" // (text, characters)
	RTrim     Func = "rtrim" // (text, characters)
	Length    Func = "length"
	Concat    Func = "concat" // ||: strict; concat() is bound with coalesce
	Replace   Func = "replace"
	Position  Func = "position" // (text, needle)
	Left      Func = "left"
	Right     Func = "right"
	LPad      Func = "lpad"
	RPad      Func = "rpad"
	SplitPart Func = "split_part"
	Reverse   Func = "reverse"
	Repeat    Func = "repeat"

	MD5           Func = "md5"            // (text): hexadecimal
	RegexpLike    Func = "regexp_like"    // (text, pattern, flags)
	RegexpReplace Func = "regexp_replace" // (text, pattern, replacement, flags)
	ToChar        Func = "to_char"        // (timestamp, pattern)
	ToDate        Func = "to_date"        // (text, pattern)

	Extract     Func = "extract"      // (field const, date|timestamp|interval): Numeric as PostgreSQL 14 and later
	DateTrunc   Func = "date_trunc"   // (field const, timestamp|interval)
	AddDays     Func = "add_days"     // (date, int32): date
	SubDates    Func = "sub_dates"    // (date, date): int32
	AddInterval Func = "add_interval" // (timestamp|interval, interval)
	SubInterval Func = "sub_interval" // (timestamp|interval, interval)
	SubTimes    Func = "sub_times"    // (timestamp, timestamp): interval
	Age         Func = "age"          // (timestamp, timestamp): interval of months, days and time
	MulInterval Func = "mul_interval" // (interval, float64)
	DivInterval Func = "div_interval" // (interval, float64)
)

// Type implements Expr.
func (e *Const) Type() Type { return e.Typ }

// Type implements Expr.
func (e *ColumnRef) Type() Type { return e.Column.Type }

// Type implements Expr.
func (e *Call) Type() Type { return e.Typ }

// Type implements Expr.
func (e *Case) Type() Type { return e.Typ }

// Type implements Expr.
func (e *Subquery) Type() Type { return e.Typ }

func (*Const) expr()     {}
func (*ColumnRef) expr() {}
func (*Call) expr()      {}
func (*Case) expr()      {}
func (*Subquery) expr()  {}
