package sql

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
	Pos
}

// TypedLiteral is type 'text', such as date '1994-01-01' or interval '3' day.
type TypedLiteral struct {
	Type    TypeName
	Text    string
	TextPos Pos // of the text, where an error in it is
	Pos
}

// ColumnRef is a possibly qualified column.
type ColumnRef struct {
	Name Name
}

// Star is * or t.*, in a select list.
type Star struct {
	Qualifier Name
	Pos
}

// Param is $1.
type Param struct {
	Index int // from 1
	Pos
}

// Unary is -x, +x, NOT x, ~x.
type Unary struct {
	Op string // "-", "+", "not", or a PostgreSQL operator
	X  Expr
	Pos
}

// Binary is x op y; Op is "and", "or", or an operator as written, such as
// "+", "=", "<>" (never "!="), "||", "^", "%", "~".
type Binary struct {
	Op   string
	L, R Expr
	Pos  // of the operator
}

// Is is x IS [NOT] NULL, TRUE, FALSE or UNKNOWN.
type Is struct {
	X    Expr
	What string // "null", "true", "false", "unknown"
	Not  bool
	Pos
}

// IsDistinct is x IS [NOT] DISTINCT FROM y.
type IsDistinct struct {
	L, R Expr
	Not  bool
	Pos
}

// Between is x [NOT] BETWEEN [SYMMETRIC] lo AND hi.
type Between struct {
	X, Lo, Hi Expr
	Not       bool
	Symmetric bool
	Pos
}

// In is x [NOT] IN (list) or (query).
type In struct {
	X     Expr
	List  []Expr
	Query *Query
	Not   bool
	Pos
}

// Like is x [NOT] LIKE, ILIKE or SIMILAR TO pattern [ESCAPE e].
type Like struct {
	X, Pattern Expr
	Escape     Expr // nil: backslash
	Not        bool
	Fold       bool // ILIKE
	Similar    bool // SIMILAR TO
	Pos
}

// Case is both forms of CASE; Operand is nil for the searched form.
type Case struct {
	Operand Expr
	Whens   []When
	Else    Expr
	Pos
}

// When is one arm of a Case.
type When struct {
	Cond, Then Expr
}

// Cast is CAST(x AS type) and x::type.
type Cast struct {
	X    Expr
	Type TypeName
	Pos
}

// TypeName is a type as written: Name in lower case with its words joined by
// one blank ("double precision", "timestamp without time zone").
type TypeName struct {
	Name  string
	Path  []string // the parts of Name where it is no keyword of the grammar
	Args  []int    // (12,2)
	Field string   // of an interval: "day", "year to month"
	Array bool
	// Collation is COLLATE of a column, of nothing (X is nil); nil where there is none.
	Collation *Collate
	Pos       Pos
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
	Variadic    bool // the last argument is an array of arguments
	OrderBy     []OrderItem
	WithinGroup []OrderItem
	Filter      Expr
	Over        *WindowSpec // nil: not a window call; a bare name has Base only
	Pos
}

// Exists is EXISTS (query).
type Exists struct {
	Query *Query
	Pos
}

// Subquery is a scalar subquery.
type Subquery struct {
	Query *Query
	Pos
}

// Quantified is x op ANY (query or list) or x op ALL (…).
type Quantified struct {
	X     Expr
	Op    string
	All   bool
	Query *Query
	Array Expr
	Pos
}

// Row is (a, b) or ROW(a, b).
type Row struct {
	Exprs []Expr
	Pos
}

// Array is ARRAY[a, b].
type Array struct {
	Exprs []Expr
	Pos
}

// ArrayQuery is ARRAY(query).
type ArrayQuery struct {
	Query *Query
	Pos
}

// Subscript is x[lower] or x[lower:upper], with as many brackets as there are bounds.
type Subscript struct {
	X      Expr
	Bounds []Bounds
	Pos    // of the first bracket
}

// Bounds are what stands between brackets: [lower], or with Slice [lower:upper]; a bound that is left
// out is nil.
type Bounds struct {
	Lower, Upper Expr
	Slice        bool
	Pos          Pos // of the bracket
}

// Field is (x).name, or with Star (x).*, all fields of a row.
type Field struct {
	X    Expr
	Name Ident
	Star bool
}

// Position is where the row begins.
func (e *Field) Position() Pos { return e.X.Position() }

// Collate is x COLLATE name.
type Collate struct {
	X    Expr
	Name Name
	Pos
}

// NamedArg is name => value, among a function's arguments.
type NamedArg struct {
	Name  Ident
	Value Expr
}

// Default is DEFAULT, among the values of INSERT.
type Default struct {
	Pos
}

// Position implements Expr.
func (e *ColumnRef) Position() Pos { return e.Name[0].Pos }
func (e *NamedArg) Position() Pos  { return e.Name.Pos }

// TableFunc is a set-returning function, such as generate_series or read_csv.
type TableFunc struct {
	Call       *FuncCall
	Beside     []*FuncCall // the calls behind it of ROWS FROM
	Alias      Ident
	Columns    []Ident
	Lateral    bool
	Ordinality bool            // WITH ORDINALITY: the rows are numbered in one more column
	Defined    []DefinedColumn // of a column definition list
}

// DefinedColumn is a column of a column definition list.
type DefinedColumn struct {
	Name Ident
	Type TypeName
}

// Position implements TableExpr.
func (t *TableFunc) Position() Pos { return t.Call.Pos }
