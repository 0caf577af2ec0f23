package sql

// Expr is a scalar expression as written.
type Expr interface {
	// Position is where the expression starts, or the place of its operator.
	Position() Pos
}

// LiteralKind is the kind of a literal.
type LiteralKind uint8

// The kinds of literals.
const (
	NullLiteral    LiteralKind = iota
	BoolLiteral                // Text "true" or "false"
	IntegerLiteral             // Text: decimal digits, whatever base it was written in
	DecimalLiteral             // Text: digits with a point or an exponent
	StringLiteral              // Text: the string, escapes resolved
)

// Literal is a constant.
type Literal struct {
	Kind LiteralKind
	Text string
	Pos  Pos
}

// TypedLiteral is type 'text', such as date '1994-01-01' or interval '3' day.
type TypedLiteral struct {
	Type    TypeName
	Text    string
	TextPos Pos // of the text, where an error in it is
	Pos     Pos
}

// ColumnRef is a possibly qualified column.
type ColumnRef struct {
	Name Name
}

// Star is * or t.*, in a select list.
type Star struct {
	Qualifier Name
	Pos       Pos
}

// Param is $1.
type Param struct {
	Index int // from 1
	Pos   Pos
}

// Unary is -x, +x, NOT x, ~x.
type Unary struct {
	Op  string // "-", "+", "not", or a PostgreSQL operator
	X   Expr
	Pos Pos
}

// Binary is x op y; Op is "and", "or", or an operator as written, such as
// "+", "=", "<>" (never "!="), "||", "^", "%", "~".
type Binary struct {
	Op   string
	L, R Expr
	Pos  Pos // of the operator
}

// Is is x IS [NOT] NULL, TRUE, FALSE or UNKNOWN.
type Is struct {
	X    Expr
	What string // "null", "true", "false", "unknown"
	Not  bool
	Pos  Pos
}

// IsDistinct is x IS [NOT] DISTINCT FROM y.
type IsDistinct struct {
	L, R Expr
	Not  bool
	Pos  Pos
}

// Between is x [NOT] BETWEEN [SYMMETRIC] lo AND hi.
type Between struct {
	X, Lo, Hi Expr
	Not       bool
	Symmetric bool
	Pos       Pos
}

// In is x [NOT] IN (list) or (query).
type In struct {
	X     Expr
	List  []Expr
	Query *Query
	Not   bool
	Pos   Pos
}

// Like is x [NOT] LIKE, ILIKE or SIMILAR TO pattern [ESCAPE e].
type Like struct {
	X, Pattern Expr
	Escape     Expr // nil: backslash
	Not        bool
	Fold       bool // ILIKE
	Similar    bool // SIMILAR TO
	Pos        Pos
}

// Case is both forms of CASE; Operand is nil for the searched form.
type Case struct {
	Operand Expr
	Whens   []When
	Else    Expr
	Pos     Pos
}

// When is one arm of a Case.
type When struct {
	Cond, Then Expr
}

// Cast is CAST(x AS type) and x::type.
type Cast struct {
	X    Expr
	Type TypeName
	Pos  Pos
}

// TypeName is a type as written: Name in lower case with its words joined by
// one blank ("double precision", "timestamp without time zone").
type TypeName struct {
	Name  string
	Args  []int  // (12,2)
	Field string // of an interval: "day", "year to month"
	Array bool
	Pos   Pos
}

// FuncCall is a call of a function, an aggregate, or a window function.
// EXTRACT(f FROM x) is extract('f', x); SUBSTRING(x FROM a FOR b) is
// substring(x, a, b); TRIM(BOTH c FROM x) is btrim(x, c); POSITION(a IN b) is
// position(b, a), as in the algebra.
type FuncCall struct {
	Name        Name
	Args        []Expr
	Star        bool // count(*)
	Distinct    bool
	OrderBy     []OrderItem
	WithinGroup []OrderItem
	Filter      Expr
	Over        *WindowSpec // nil: not a window call; a bare name has Base only
	Pos         Pos
}

// Exists is EXISTS (query).
type Exists struct {
	Query *Query
	Pos   Pos
}

// Subquery is a scalar subquery.
type Subquery struct {
	Query *Query
	Pos   Pos
}

// Quantified is x op ANY (query or list) or x op ALL (…).
type Quantified struct {
	X     Expr
	Op    string
	All   bool
	Query *Query
	Array Expr
	Pos   Pos
}

// Row is (a, b) or ROW(a, b).
type Row struct {
	Exprs []Expr
	Pos   Pos
}

// Array is ARRAY[a, b].
type Array struct {
	Exprs []Expr
	Pos   Pos
}

// ArrayQuery is ARRAY(query).
type ArrayQuery struct {
	Query *Query
	Pos   Pos
}

// Subscript is x[lower], or with Slice x[lower:upper]; a bound that is left out
// is nil.
type Subscript struct {
	X            Expr
	Lower, Upper Expr
	Slice        bool
	Pos          Pos // of the bracket
}

// Collate is x COLLATE name.
type Collate struct {
	X    Expr
	Name Name
	Pos  Pos
}

// NamedArg is name => value, among a function's arguments.
type NamedArg struct {
	Name  Ident
	Value Expr
}

// Default is DEFAULT, among the values of INSERT.
type Default struct {
	Pos Pos
}

// Position implements Expr.
func (e *Literal) Position() Pos      { return e.Pos }
func (e *TypedLiteral) Position() Pos { return e.Pos }
func (e *ColumnRef) Position() Pos    { return e.Name[0].Pos }
func (e *Star) Position() Pos         { return e.Pos }
func (e *Param) Position() Pos        { return e.Pos }
func (e *Unary) Position() Pos        { return e.Pos }
func (e *Binary) Position() Pos       { return e.Pos }
func (e *Is) Position() Pos           { return e.Pos }
func (e *IsDistinct) Position() Pos   { return e.Pos }
func (e *Between) Position() Pos      { return e.Pos }
func (e *In) Position() Pos           { return e.Pos }
func (e *Like) Position() Pos         { return e.Pos }
func (e *Case) Position() Pos         { return e.Pos }
func (e *Cast) Position() Pos         { return e.Pos }
func (e *FuncCall) Position() Pos     { return e.Pos }
func (e *Exists) Position() Pos       { return e.Pos }
func (e *Subquery) Position() Pos     { return e.Pos }
func (e *Quantified) Position() Pos   { return e.Pos }
func (e *Row) Position() Pos          { return e.Pos }
func (e *Array) Position() Pos        { return e.Pos }
func (e *ArrayQuery) Position() Pos   { return e.Pos }
func (e *Subscript) Position() Pos    { return e.Pos }
func (e *Collate) Position() Pos      { return e.Pos }
func (e *NamedArg) Position() Pos     { return e.Name.Pos }
func (e *Default) Position() Pos      { return e.Pos }
