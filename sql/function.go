package sql

// CreateFunction is CREATE FUNCTION of a function in SQL.
type CreateFunction struct {
	Name      Name
	OrReplace bool
	Params    []FunctionParam
	Returns   *FunctionReturn // nil: nothing is said
	// Language is in lower case; "" where none is named.
	Language    string
	LanguagePos Pos
	// Volatility and Parallel are letters of pg_proc; "" for the default.
	Volatility, Parallel string
	Strict, Leakproof    bool
	Cost, Rows           string // numbers; "" for the default
	Body                 *FunctionBody
	Pos                  Pos
}

// FunctionParam is a parameter of a function. Mode is a letter of pg_proc: i, o, b, v or t.
type FunctionParam struct {
	Name    Ident // its name is empty where there is none
	Mode    string
	Type    TypeName
	Default *DefaultExpr // nil: it has none
}

// FunctionReturn is RETURNS. A table is told by parameters of mode t, and has no type.
type FunctionReturn struct {
	Set, Table bool
	Type       TypeName
}

// FunctionBody is what a function does: the text of queries; where Form is "return" that of an
// expression, and where it is "atomic" what stood between BEGIN ATOMIC and END. Start is where the
// text begins in that of the statement, NoPos where that has it in another way.
type FunctionBody struct {
	Form, Text string
	Start      Pos
}

// FunctionRef names a function; Params are nil where it has no list of them.
type FunctionRef struct {
	Name   Name
	Params []FunctionParam
}

// DropFunction is DROP FUNCTION.
type DropFunction struct {
	Functions []FunctionRef
	IfExists  bool
	Cascade   bool
	Pos       Pos
}

// AlterFunction is ALTER FUNCTION with one of RENAME TO, OWNER TO and SET SCHEMA.
type AlterFunction struct {
	Function FunctionRef
	Rename   Ident    // Name is empty for none
	Schema   Ident    // Name is empty for the same
	Owner    *RoleRef // nil: the same
	Pos      Pos
}

func (*CreateFunction) statement() {}
func (*DropFunction) statement()   {}
func (*AlterFunction) statement()  {}
