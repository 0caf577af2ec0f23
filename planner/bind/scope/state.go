package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// InAggregate binds the argument of an aggregate.
func (x *Exprs) InAggregate() *Exprs {
	return &Exprs{Binder: x.Binder, Scope: x.Scope, Env: x.Env, Clause: x.Clause, InAgg: true, Arguments: x.Arguments}
}

// Without binds expressions in which no set-returning function may stand.
func (x *Exprs) Without(where string) *Exprs {
	inner := *x
	inner.Rows, inner.RowsBar = nil, where
	return &inner
}

// Binder resolves the names and types of one statement. It is used once.
type Binder struct {
	Catalog   Catalog
	Opts      *Options
	LastID    algebra.ColumnID
	relations int
	depth     int
	ViewDepth int
	// trees are those that are bound and have not been looked at for tableoid, and named is that one was named.
	trees []any
	named bool
	// Located are the columns tableoid that were made.
	Located algebra.ColSet
	Open    []*Environment // recursive expressions that are being bound, innermost last
	Params  []algebra.Type // types of the parameters as far as they are known
	// keysOf holds, by column of a table that is read, the keys of that table.
	KeysOf map[algebra.ColumnID][]algebra.ColSet
	// refPos holds where the text refers to a column, for the messages about
	// columns that are not grouped.
	RefPos map[*algebra.ColumnRef]int
	// paramOf says which parameter an untyped constant stands for.
	paramOf map[*algebra.Const]int
	// tooWide holds the numbers that no numeric holds, and the error that they are: they
	// are untyped constants that can become floating numbers only.
	TooWide map[*algebra.Const]error
	// RowValues holds what the values of row types were made of that are made of something.
	RowValues map[algebra.Expr]*RowValue
	// declared holds the constants that a cast gave a precision.
	Declared map[*algebra.Const]bool
	// Domains holds of which domains expressions are that are no columns, and domainsOf of which columns of
	// tables are.
	Domains   map[algebra.Expr]*algebra.Domain
	domainsOf map[algebra.ColumnID]*algebra.Domain
	grammar   Grammar
	Randoms   int // calls of random() so far
	Spools    int // references to Spools so far
	seeds     map[any]int64
	// calls are the functions whose texts are being bound, by their keys, innermost last.
	calls []string
	// subqueries are those that calls of a function are, by its key.
	subqueries map[string][]calledSubquery
	// momentary is Plan.Momentary of what has been bound so far.
	Momentary bool
	Access    accesses
}

// Binds notes that a tree is to be bound, for TableOIDs.
func (b *Binder) Binds(tree any) { b.trees = append(b.trees, tree) }

// TableOIDs reports whether something that is bound names tableoid.
func (b *Binder) TableOIDs() bool {
	for _, tree := range b.trees {
		b.named = b.named || sql.NamesColumn(tree, TableOID)
	}
	b.trees = nil
	return b.named
}

// calledSubquery is the subquery that a call is of some arguments.
type calledSubquery struct {
	args   []algebra.Expr
	result algebra.Expr
}

// RowValue is what a value of a row type was made of.
type RowValue struct {
	Fields  []algebra.Expr
	Present algebra.Expr // whether it is not NULL as a whole; nil where it never is
}

// Grammar binds what SQL nests in itself: expressions hold queries and calls, queries and
// calls hold expressions. Each is bound in a package of its own, and the packages import
// each other in one direction only, so that the lower ones reach the upper ones by this.
type Grammar struct {
	Expr  func(x *Exprs, e sql.Expr) algebra.Expr
	Call  func(x *Exprs, e *sql.FuncCall) algebra.Expr
	Query func(b *Binder, q *sql.Query, env *Environment, keepUnknown bool) *Bound
	Write func(b *Binder, stmt sql.Change, env *Environment) *Relation
}

// Expr binds an expression. Its type is Unknown for untyped literals only; who
// asked for it gives them a type.
func (x *Exprs) Expr(e sql.Expr) algebra.Expr { return x.grammar.Expr(x, e) }

// Call binds a call of a function or an aggregate.
func (x *Exprs) Call(e *sql.FuncCall) algebra.Expr { return x.grammar.Call(x, e) }

// Query binds a query with its WITH, ORDER BY and LIMIT. With keepUnknown its
// untyped literals stay untyped, for a set operation to give them a type.
func (b *Binder) Query(q *sql.Query, env *Environment, keepUnknown bool) *Bound {
	return b.grammar.Query(b, q, env, keepUnknown)
}

// Write binds a statement in WITH that changes rows, and describes those that it returns; nil
// where it has no RETURNING.
func (b *Binder) Write(stmt sql.Change, env *Environment) *Relation {
	return b.grammar.Write(b, stmt, env)
}

// Bound is a bound query. Its columns are those of the node, in order; their
// names are the query's output names and need not be unique.
type Bound struct {
	Node algebra.Node
}

func (r *Bound) Columns() []algebra.Column { return r.Node.Columns() }

// Exprs binds the scalar expressions of one clause.
type Exprs struct {
	*Binder
	Scope  *Scope
	Env    *Environment // what subqueries can name beside the scope
	Clause string       // as messages name it
	Group  *Grouping    // where aggregates go; nil where none are allowed
	Sets   bool         // a grouping set may lack a column, which is NULL then
	Arrays []sql.Expr   // ARRAY[…]s that may be grouping expressions, where the groups are there
	InAgg  bool         // inside the argument of an aggregate
	// arguments are what $1, $2, … stand for in the text of an SQL function.
	Arguments []algebra.Expr
	// Function is the one of the catalog that the arguments are of; nil for any other.
	Function *UserFunction
	// composition is the call whose text is bound, of an aggregate over others; nil
	// elsewhere.
	Composition *Composition
	// window is where window functions go; nil where none are allowed.
	Window *Windowing
	InCall bool // inside the arguments of a window function
	// rows is where set-returning functions go; nil where none are allowed. RowsBar
	// names a part of the clause that allows none; "" is the clause.
	Rows    *Expansion
	RowsBar string
	// alone names what takes neither queries nor parameters; "" elsewhere.
	Alone string
	// output finds a column of the select list, where its names can be used
	// beside those of the input; nil where they cannot.
	Output func(sql.Ident) algebra.Expr
}

// Composition is a call of an aggregate that is an expression over others: each of them
// has its FILTER and its window.
type Composition struct {
	Outer *Exprs
	Call  *sql.FuncCall
}

// Environment is what a query can name from around it, innermost first: common
// table expressions, and the columns of the queries that it is nested in.
type Environment struct {
	Parent *Environment
	Top    bool // it is that of the whole statement
	Name   string
	CTE    *sql.CTE
	Env    *Environment // what the expression's own query can name
	First  *Bound
	// Returned are the rows of a statement that changes rows; nil without RETURNING.
	Returned *Relation
	// Spool is what references read, where one plan is for all of them.
	Spool *algebra.Spool
	// with is the WITH RECURSIVE of the expression, recursion its state while its
	// query is bound, and bound says that the query has been.
	With      *sql.With
	Recursion *Recursion
	Bound     bool
	Random    bool // it calls random(): copies of it would differ
	// bar says of what the query is a part in which a recursive expression must
	// not refer to itself: every one, or the one that barOf is the entry of.
	Bar   string
	BarOf *Environment
	// outer binds the expression or the FROM clause that the query stands in,
	// for an entry that adds the columns of an enclosing query.
	Outer *Exprs
	// Beside is what stands before a query in FROM, which it cannot name, for messages; nil
	// for nothing.
	Beside *Scope
}

// Enclosing is what binds the columns of the next query around, or nil.
func (e *Environment) Enclosing() *Exprs {
	for ; e != nil; e = e.Parent {
		if e.Outer != nil {
			return e.Outer
		}
	}
	return nil
}

// Grouping collects what the aggregation of a block needs while its clauses
// are bound: aggregate and GROUPING calls are bound to columns of their own,
// which the Aggregate node and the expressions above it define afterwards.
type Grouping struct {
	Used      bool // there is an aggregation, though perhaps without GROUP BY
	Aggs      []algebra.Agg
	Groupings []GroupingCall
	Keys      []GroupKey // in the order of GROUP BY
	Sets      []algebra.KeySet
	Made      algebra.ColSet // columns of aggs and groupings
	Ordered   []*OrderedCall // aggregates that need their rows in an order
}

// GroupingCall is GROUPING(…), bound to a column that stands for it.
type GroupingCall struct {
	Col       algebra.Column
	Args      []algebra.Expr
	Positions []sql.Pos
}

// GroupKey is a grouping expression. As in PostgreSQL it is identified by the item
// of the select list that it stands for: two items of equal expressions are two
// keys, each with its own place in the grouping sets.
type GroupKey struct {
	algebra.Item
	// items are the items that the key is, ascending; none where GROUP BY has an
	// expression that is no item.
	Items []int
}

// Recursion is the state of a recursive expression while its query is bound.
type Recursion struct {
	ID      algebra.ColumnID
	Union   bool             // the query is a UNION
	Working []algebra.Column // while the recursive term is bound
	Used    bool             // the term refers to the expression
}

// OrderedCall is one call of such an aggregate.
type OrderedCall struct {
	*Exprs         // of the query that the aggregate belongs to
	Name           string
	Args           []algebra.Expr
	Positions      []sql.Pos
	Order          []algebra.SortKey
	OrderPositions []sql.Pos
	Distinct       bool
	Rows           bool         // what is counted is row values
	Filter         algebra.Expr // nil for none
	Pos            sql.Pos

	Windows []OrderedWindow
	Result  algebra.Expr // over the columns of aggregates
}

// OrderedWindow is a window below the aggregation, partitioned by the keys and
// by more.
type OrderedWindow struct {
	Partition []algebra.Expr
	Order     []algebra.SortKey
	Calls     []algebra.WindowCall
}

// Expansion collects the set-returning functions of a select list while it is
// bound: each call is bound to a column that an expansion of the rows makes
// afterwards.
type Expansion struct {
	Calls []*SetCall
}

// SetCall is a bound call of a set-returning function: how many rows it returns for
// the values of its arguments, and what stands in each of them.
type SetCall struct {
	Col  algebra.Column // what stands for the value in a row
	Args []algebra.Expr
	Made bool // the column has been made
	// times is the number of rows, a bigint; NULL is none. Value is what row
	// ordinal, a bigint from 1 on, has.
	Times func(args []algebra.Expr) algebra.Expr
	Value func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr
}

// Windowing collects the window functions of a block while its clauses are
// bound: each call is bound to a column that a Window node makes afterwards.
type Windowing struct {
	Defs  []sql.WindowDef // the WINDOW clause
	Named []NamedWindow   // its windows, as far as they are bound
	// exprs makes what binds the expressions of windows.
	Exprs   func() *Exprs
	Specs   []*WindowSpec // one Window node each
	Qualify algebra.Expr
	Made    algebra.ColSet // columns of the calls
}

// WindowSpec is a partition and an order with the calls over it.
type WindowSpec struct {
	Partition []algebra.Expr
	Order     []algebra.SortKey
	Calls     []algebra.WindowCall
}

// Window is what a call's OVER says.
type Window struct {
	Partition []algebra.Expr
	Order     []algebra.SortKey
	Frame     algebra.Frame
	Framed    bool // a frame is written
}

type NamedWindow struct {
	Name string
	Window
}
