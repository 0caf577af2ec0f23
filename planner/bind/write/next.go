package write

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// generated are the columns, among those that take the values of sequences by default, which
// an INSERT does not give: it leaves them out, or OVERRIDING USER VALUE says so.
func generated(ins *sql.Insert, target *scope.Relation, given []int) []int {
	var columns []int
	for i := range target.Columns {
		c := &target.Columns[i]
		if c.Sequence != "" && (!slices.Contains(given, i) || overridden(ins, c)) {
			columns = append(columns, i)
		}
	}
	return columns
}

// overridden reports whether what an INSERT gives for a column does not count.
func overridden(ins *sql.Insert, c *scope.CatalogColumn) bool {
	return ins.Overriding == "user" && c.Identity != ""
}

// checkGenerated fails with 428C9 where an INSERT gives values for a column that is GENERATED
// ALWAYS.
func checkGenerated(ins *sql.Insert, target *scope.Relation, given []int) {
	for n, i := range given {
		c := &target.Columns[i]
		identity := c.Identity == always && ins.Overriding == ""
		if !identity && c.Generated == "" || onlyDefault(ins.Query, n) {
			continue
		}
		e := value.Errorf(value.CodeGeneratedAlways, "cannot insert a non-DEFAULT value into column %q", c.Name)
		if e.Detail = generatedDetail(c); identity {
			e.Hint = "Use OVERRIDING SYSTEM VALUE to override."
		}
		panic(e)
	}
}

// always is the Identity of columns that are GENERATED ALWAYS.
const always = "a"

// onlyDefault reports whether a query is VALUES with DEFAULT in a column of all rows, or has
// no such column.
func onlyDefault(q *sql.Query, column int) bool {
	v, ok := q.Body.(*sql.Values)
	return ok && !slices.ContainsFunc(v.Rows, func(row []sql.Expr) bool {
		if column >= len(row) {
			return false
		}
		_, isDefault := row[column].(*sql.Default)
		return !isDefault
	})
}

// errNotDefault is the error of an UPDATE that sets a column which is GENERATED ALWAYS.
func errNotDefault(c *scope.CatalogColumn) error {
	e := value.Errorf(value.CodeGeneratedAlways, "column %q can only be updated to DEFAULT", c.Name)
	e.Detail = generatedDetail(c)
	return e
}

// generatedDetail says why a column takes no values but its own.
func generatedDetail(c *scope.CatalogColumn) string {
	if c.Generated != "" {
		return "Column \"" + c.Name + "\" is a generated column."
	}
	return "Column \"" + c.Name + "\" is an identity column defined as GENERATED ALWAYS."
}

// next is the next value of a sequence.
func next(b *scope.Binder, sequence string) algebra.Expr {
	b.Momentary = true
	if b.Opts.Sequences == nil {
		return term.Int64Value(0)
	}
	v, _, err := b.Opts.Sequences.Take(sequence, 1)
	if err != nil {
		panic(err)
	}
	return term.Int64Value(v)
}

// nextOfRows adds the values of sequences to rows in their order: those of the columns of a
// table behind those that the rows have. rows is how many there are; -1 where nobody knows. Rows that
// differ in the values of parts are numbered apart.
func nextOfRows(b *scope.Binder, node algebra.Node, target *scope.Relation, columns []int, rows int64, parts ...algebra.Expr) algebra.Node {
	if len(columns) == 0 {
		return node
	}
	number := algebra.WindowCall{Column: b.NewColumn("number", algebra.TInt64, false), Func: algebra.RowNumber, Frame: algebra.DefaultFrame()}
	items := term.PassOn(node.Columns())
	values := make([]algebra.Item, len(columns))
	// Who takes values of several sequences does so in one order, as others do.
	for _, n := range inOrder(target, columns) {
		c := &target.Columns[columns[n]]
		first, step := take(b, c.Sequence, rows)
		before := term.Call(algebra.Sub, algebra.TInt64, sql.NoPos, number.Column.Ref(), term.Int64Value(1))
		e := term.Call(algebra.Add, algebra.TInt64, sql.NoPos, term.Int64Value(first), term.Call(algebra.Mul, algebra.TInt64, sql.NoPos, before, term.Int64Value(step)))
		values[n] = algebra.Item{Column: b.NewColumn(c.Name, algebra.TInt64, false), Expr: e}
	}
	return &algebra.Project{Input: &algebra.Window{Input: node, PartitionBy: parts, Calls: []algebra.WindowCall{number}}, Items: append(items, values...)}
}

// takeNext adds values of sequences to the rows of an UPDATE, for the columns that it sets to such a
// DEFAULT.
func (c *change) takeNext(set []sql.Assignment) {
	var columns []int
	for _, a := range set {
		values := []sql.Expr{a.Value}
		if row, ok := a.Value.(*sql.Row); ok && a.Row {
			values = row.Exprs
		}
		for k := range min(len(values), len(a.Columns)) {
			i := find(c.target, a.Columns[k].Name)
			if _, byDefault := values[k].(*sql.Default); byDefault && i >= 0 && c.target.Columns[i].Sequence != "" && !slices.Contains(columns, i) {
				columns = append(columns, i)
			}
		}
	}
	before := len(c.node.Columns())
	c.node = nextOfRows(c.Binder, c.node, c.target, columns, -1)
	c.next = map[int]algebra.Column{}
	for n, i := range columns {
		c.next[i] = c.node.Columns()[before+n]
	}
}

// nextValue is the value of a sequence that a row's column is set to.
func (c *change) nextValue(column int, pos sql.Pos) algebra.Expr {
	v, ok := c.next[column]
	if !ok {
		panic(term.NotSupported(pos, "DEFAULT of a column of a sequence in ON CONFLICT or MERGE is"))
	}
	return v.Ref()
}

// take takes the values of a sequence for so many rows; -1 for those of the statement.
func take(b *scope.Binder, sequence string, rows int64) (first, step int64) {
	b.Momentary = true
	var err error
	switch {
	case b.Opts.Sequences == nil || rows == 0:
		return 0, 1
	case rows < 0:
		first, step, err = b.Opts.Sequences.Hold(sequence)
	default:
		first, step, err = b.Opts.Sequences.Take(sequence, rows)
	}
	if err != nil {
		panic(err)
	}
	return first, step
}

// inOrder are the indexes of columns in the order of their sequences.
func inOrder(target *scope.Relation, columns []int) []int {
	order := lists.Upto[int](len(columns))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(target.Columns[columns[a]].Sequence, target.Columns[columns[b]].Sequence)
	})
	return order
}
