package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// binder resolves the names and types of one statement. It is used once.
type binder struct {
	cat       Catalog
	opts      *Options
	lastID    algebra.ColumnID
	relations int
	depth     int
	viewDepth int
	open      []*environment // recursive expressions that are being bound, innermost last
	params    []algebra.Type // types of the parameters as far as they are known
	// keysOf holds, by column of a table that is read, the keys of that table.
	keysOf map[algebra.ColumnID][]algebra.ColSet
	// refPos holds where the text refers to a column, for the messages about
	// columns that are not grouped.
	refPos map[*algebra.ColumnRef]int
	// paramOf tells which parameter an untyped constant stands for.
	paramOf map[*algebra.Const]int
	// tooWide holds the numbers that no numeric holds, and the error that they are: they
	// are untyped constants that can become floating numbers only.
	tooWide map[*algebra.Const]error
	// declared holds the constants that a cast gave a precision.
	declared map[*algebra.Const]bool
	grammar  Grammar
	randoms  int // calls of random() so far
	// momentary is Plan.Momentary of what has been bound so far.
	momentary bool
	access    accesses
}

// Grammar binds what SQL nests in itself: expressions hold queries and calls, queries and
// calls hold expressions. Each is bound in a package of its own, and the packages import
// each other in one direction only, so that the lower ones reach the upper ones by this.
type Grammar struct {
	Expr  func(x *exprBinder, e sql.Expr) (algebra.Expr, error)
	Call  func(x *exprBinder, e *sql.FuncCall) (algebra.Expr, error)
	Query func(b *binder, q *sql.Query, env *environment, keepUnknown bool) (*relation, error)
}

// expr binds an expression. Its type is Unknown for untyped literals only; who
// asked for it gives them a type.
func (x *exprBinder) expr(e sql.Expr) (algebra.Expr, error) { return x.grammar.Expr(x, e) }

// funcCall binds a call of a function or an aggregate.
func (x *exprBinder) funcCall(e *sql.FuncCall) (algebra.Expr, error) { return x.grammar.Call(x, e) }

// query binds a query with its WITH, ORDER BY and LIMIT. With keepUnknown its
// untyped literals stay untyped, for a set operation to give them a type.
func (b *binder) query(q *sql.Query, env *environment, keepUnknown bool) (*relation, error) {
	return b.grammar.Query(b, q, env, keepUnknown)
}

// relation is a bound query. Its columns are those of the node, in order; their
// names are the query's output names and need not be unique.
type relation struct {
	node algebra.Node
}

func (r *relation) columns() []algebra.Column { return r.node.Columns() }

// exprBinder binds the scalar expressions of one clause.
type exprBinder struct {
	*binder
	scope  *scope
	env    *environment // what subqueries can name beside the scope
	clause string       // as messages name it
	group  *grouping    // where aggregates go; nil where none are allowed
	inAgg  bool         // inside the argument of an aggregate
	// arguments are what $1, $2, … stand for in the text of an SQL function.
	arguments []algebra.Expr
	// composition is the call whose text is bound, of an aggregate over others; nil
	// elsewhere.
	composition *composition
	// window is where window functions go; nil where none are allowed.
	window *windowing
	inCall bool // inside the arguments of a window function
	// rows is where set-returning functions go; nil where none are allowed. RowsBar
	// names a part of the clause that allows none; "" is the clause.
	rows    *expansion
	rowsBar string
	// alone names what takes neither queries nor parameters; "" elsewhere.
	alone string
	// output finds a column of the select list, where its names can be used
	// beside those of the input; nil where they cannot.
	output func(sql.Ident) (algebra.Expr, error)
}

// composition is a call of an aggregate that is an expression over others: each of them
// has its FILTER and its window.
type composition struct {
	outer *exprBinder
	call  *sql.FuncCall
}

// environment is what a query can name from around it, innermost first: common
// table expressions, and the columns of the queries that it is nested in.
type environment struct {
	parent *environment
	name   string
	cte    *sql.CTE
	env    *environment // what the expression's own query can name
	first  *relation
	// with is the WITH RECURSIVE of the expression, recursion its state while its
	// query is bound, and bound tells that the query has been.
	with      *sql.With
	recursion *recursion
	bound     bool
	random    bool // it calls random(): copies of it would differ
	// bar says of what the query is a part in which a recursive expression must
	// not refer to itself: every one, or the one that barOf is the entry of.
	bar   string
	barOf *environment
	// outer binds the expression or the FROM clause that the query stands in,
	// for an entry that adds the columns of an enclosing query.
	outer *exprBinder
}

// enclosing is what binds the columns of the next query around, or nil.
func (e *environment) enclosing() *exprBinder {
	for ; e != nil; e = e.parent {
		if e.outer != nil {
			return e.outer
		}
	}
	return nil
}

// block is a SELECT block while it is bound. The clauses are bound in
// PostgreSQL's order, so that of several errors the same one is reported.
type block struct {
	*binder
	sel   *sql.Select
	env   *environment
	node  algebra.Node
	scope *scope
	group grouping
	win   windowing
	rows  expansion
	items []selectItem
	// visible is how many of the items are in the result; those behind it are
	// there to sort by.
	visible int
	order   []orderKey
	// distinctOn are the items of DISTINCT ON, distinctPos where they stand, and kept
	// says that only the first rows are left.
	distinctOn  []int
	distinctPos []sql.Pos
	kept        bool
}

// selectItem is one computed column of the block.
type selectItem struct {
	expr algebra.Expr
	name string
	pos  sql.Pos
}

// orderKey sorts by an item.
type orderKey struct {
	item int
	spec sql.OrderItem
}

// grouping collects what the aggregation of a block needs while its clauses
// are bound: aggregate and GROUPING calls are bound to columns of their own,
// which the Aggregate node and the expressions above it define afterwards.
type grouping struct {
	used      bool // there is an aggregation, though perhaps without GROUP BY
	aggs      []algebra.Agg
	groupings []groupingCall
	keys      []groupKey // in the order of GROUP BY
	sets      []algebra.KeySet
	made      algebra.ColSet // columns of aggs and groupings
	ordered   []*orderedCall // aggregates that need their rows in an order
	arrays    []sql.Expr     // ARRAY[…]s that may be keys
}

// groupingCall is GROUPING(…), bound to a column that stands for it.
type groupingCall struct {
	col       algebra.Column
	args      []algebra.Expr
	positions []sql.Pos
}

// groupKey is a grouping expression. As in PostgreSQL it is identified by the item
// of the select list that it stands for: two items of equal expressions are two
// keys, each with its own place in the grouping sets.
type groupKey struct {
	algebra.Item
	// items are the items that the key is, ascending; none where GROUP BY has an
	// expression that is no item.
	items []int
}

// recursion is the state of a recursive expression while its query is bound.
type recursion struct {
	id      algebra.ColumnID
	union   bool             // the query is a UNION
	working []algebra.Column // while the recursive term is bound
	used    bool             // the term refers to the expression
}

// orderedCall is one call of such an aggregate.
type orderedCall struct {
	*exprBinder // of the query that the aggregate belongs to
	name        string
	args        []algebra.Expr
	positions   []sql.Pos
	order       []algebra.SortKey
	distinct    bool
	rows        bool         // what is counted is row values
	filter      algebra.Expr // nil for none
	pos         sql.Pos

	windows []orderedWindow
	result  algebra.Expr // over the columns of aggregates
}

// orderedWindow is a window below the aggregation, partitioned by the keys and
// by more.
type orderedWindow struct {
	partition []algebra.Expr
	order     []algebra.SortKey
	calls     []algebra.WindowCall
}

// expansion collects the set-returning functions of a select list while it is
// bound: each call is bound to a column that an expansion of the rows makes
// afterwards.
type expansion struct {
	calls []*setCall
}

// setCall is a bound call of a set-returning function: how many rows it gives for
// the values of its arguments, and what stands in each of them.
type setCall struct {
	col  algebra.Column // what stands for the value in a row
	args []algebra.Expr
	made bool // the column has been made
	// times is the number of rows, a bigint; NULL is none. Value is what row
	// ordinal, a bigint from 1 on, has.
	times func(args []algebra.Expr) algebra.Expr
	value func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr
}

// windowing collects the window functions of a block while its clauses are
// bound: each call is bound to a column that a Window node makes afterwards.
type windowing struct {
	defs  []sql.WindowDef // the WINDOW clause
	named []namedWindow   // its windows, as far as they are bound
	// exprs makes what binds the expressions of windows.
	exprs   func() *exprBinder
	specs   []*windowSpec // one Window node each
	qualify algebra.Expr
	made    algebra.ColSet // columns of the calls
}

// windowSpec is a partition and an order with the calls over it.
type windowSpec struct {
	partition []algebra.Expr
	order     []algebra.SortKey
	calls     []algebra.WindowCall
}

// boundWindow is what a call's OVER says.
type boundWindow struct {
	partition []algebra.Expr
	order     []algebra.SortKey
	frame     algebra.Frame
	framed    bool // a frame is written
}

type namedWindow struct {
	name string
	boundWindow
}

// callSite is one call of a function whose overload is to be found.
type callSite struct {
	*exprBinder
	name      string
	positions []sql.Pos
	pos       sql.Pos
}
