package dispatch

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// acting is a function that acts on a session for each row that has its arguments.
type acting struct {
	args   []string // the types that its arguments are cast to
	pairs  bool     // two integers may stand in the place of the one argument
	result algebra.Type
	act    func(s *session.Session, res *result.Result, args []value.Value) (value.Value, error)
}

// The types of the arguments of functions that act.
var integer, bigint, integers = []string{"integer"}, []string{"bigint"}, []string{"integer", "integer"}

// actingFunctions are the functions that act, as items of a SELECT list.
var actingFunctions = map[string]*acting{
	"pg_cancel_backend":    {args: integer, result: algebra.TBool, act: signalTo(false)},
	"pg_terminate_backend": {args: integer, result: algebra.TBool, act: signalTo(true)},
	"set_config":           {args: []string{"text", "text", "boolean"}, result: algebra.TText, act: configureRow},
	"nextval":              {args: []string{"text"}, result: algebra.TInt64, act: nextValue},
	"currval":              {args: []string{"text"}, result: algebra.TInt64, act: currentValue},
	"lastval":              {result: algebra.TInt64, act: lastValue},
	"setval":               {args: []string{"text", "bigint"}, result: algebra.TInt64, act: setValue},
	"pg_sleep":             {args: []string{"double precision"}, result: algebra.TAlias(algebra.Void), act: sleep},

	"pg_advisory_lock":                 {args: bigint, pairs: true, result: algebra.TAlias(algebra.Void), act: lockAdvisory(false, false)},
	"pg_advisory_lock_shared":          {args: bigint, pairs: true, result: algebra.TAlias(algebra.Void), act: lockAdvisory(true, false)},
	"pg_advisory_xact_lock":            {args: bigint, pairs: true, result: algebra.TAlias(algebra.Void), act: lockAdvisory(false, true)},
	"pg_advisory_xact_lock_shared":     {args: bigint, pairs: true, result: algebra.TAlias(algebra.Void), act: lockAdvisory(true, true)},
	"pg_try_advisory_lock":             {args: bigint, pairs: true, result: algebra.TBool, act: tryAdvisory(false, false)},
	"pg_try_advisory_lock_shared":      {args: bigint, pairs: true, result: algebra.TBool, act: tryAdvisory(true, false)},
	"pg_try_advisory_xact_lock":        {args: bigint, pairs: true, result: algebra.TBool, act: tryAdvisory(false, true)},
	"pg_try_advisory_xact_lock_shared": {args: bigint, pairs: true, result: algebra.TBool, act: tryAdvisory(true, true)},
	"pg_advisory_unlock":               {args: bigint, pairs: true, result: algebra.TBool, act: unlockAdvisory(false)},
	"pg_advisory_unlock_shared":        {args: bigint, pairs: true, result: algebra.TBool, act: unlockAdvisory(true)},
	"pg_advisory_unlock_all":           {result: algebra.TAlias(algebra.Void), act: unlockAll},
}

// configureRow is set_config of a row.
func configureRow(s *session.Session, _ *result.Result, args []value.Value) (value.Value, error) {
	return s.Configure(args)
}

// actingCall is the call of a function that acts which an item of a SELECT list is,
// nil where it is another expression. A call of set_config without columns acts when
// it is planned, so that what stands behind it in the list sees the new setting.
func actingCall(item sql.SelectItem) (*sql.FuncCall, *acting) {
	call, ok := item.Expr.(*sql.FuncCall)
	if !ok {
		return nil, nil
	}
	name := call.Name[len(call.Name)-1].Name
	f := actingFunctions[name]
	switch {
	case f == nil, name == "set_config" && !slices.ContainsFunc(call.Args, isColumn):
		return nil, nil
	case name == "setval" && len(call.Args) == 3:
		called := *f
		called.args = []string{"text", "bigint", "boolean"}
		return call, &called
	case f.pairs && len(call.Args) == len(integers):
		pair := *f
		pair.args = integers
		return call, &pair
	case len(call.Args) != len(f.args):
		return nil, nil
	}
	return call, f
}

func isColumn(e sql.Expr) bool {
	_, column := e.(*sql.ColumnRef)
	return column
}

// actingQuery runs a query. Where items of its SELECT list are calls of functions that
// act, the query is one of their arguments, and they act for the rows of its result:
// those that WHERE, DISTINCT and LIMIT have left.
func actingQuery(ctx context.Context, s *session.Session, q *sql.Query, parsed *sql.Parsed) *result.Result {
	arguments, calls := argumentsOf(q)
	if len(calls) == 0 && len(sql.Writes(q)) == 0 {
		return sqlstate.Must(query.RunAgain(ctx, s, q, parsed))
	}
	res := sqlstate.Must(write.Query(ctx, s, arguments, false))
	if len(calls) == 0 {
		return res
	}
	for i := range calls {
		if err := actOn(ctx, s, res, &calls[i]); err != nil {
			res.Close()
			panic(err)
		}
	}
	own := len(q.Body.(*sql.Select).Items)
	res.Columns = res.Columns[:own]
	res.Rows = &leading{Relation: res.Rows, columns: own}
	return res
}

// actingItem is a call of a function that acts: its item, and the columns that its
// arguments are in the result.
type actingItem struct {
	*acting
	columns []int
	pos     sql.Pos // of the first argument, where the error is of an object that it names
}

// argumentsOf is a query with the arguments of the functions that act in the place of
// their calls: the first as the item, the others behind all items.
func argumentsOf(q *sql.Query) (*sql.Query, []actingItem) {
	body, ok := q.Body.(*sql.Select)
	if !ok || !slices.ContainsFunc(body.Items, func(item sql.SelectItem) bool { call, _ := actingCall(item); return call != nil }) {
		return q, nil
	}
	if slices.ContainsFunc(body.Items, func(item sql.SelectItem) bool { _, star := item.Expr.(*sql.Star); return star }) {
		panic(value.Errorf(value.CodeFeatureNotSupported, "functions that act on sessions beside * are not supported"))
	}
	query, list := *q, *body
	query.Body, list.Items = &list, slices.Clone(body.Items)
	var calls []actingItem
	for i, item := range body.Items {
		call, f := actingCall(item)
		if call == nil {
			continue
		}
		own := actingItem{acting: f, pos: sql.NoPos}
		if len(call.Args) > 0 {
			own.pos = call.Args[0].Position()
		}
		if len(call.Args) == 0 {
			own.columns = append(own.columns, i)
			list.Items[i].Expr = &sql.Literal{Kind: sql.NullLiteral, Pos: call.Pos}
			if item.Alias.Name == "" {
				list.Items[i].Alias = sql.Ident{Name: call.Name[len(call.Name)-1].Name, Pos: call.Pos}
			}
		}
		for n, arg := range call.Args {
			cast := &sql.Cast{X: arg, Type: sql.TypeName{Name: f.args[n], Pos: call.Pos}, Pos: call.Pos}
			if n > 0 {
				own.columns = append(own.columns, len(list.Items))
				list.Items = append(list.Items, sql.SelectItem{Expr: cast})
				continue
			}
			own.columns = append(own.columns, i)
			list.Items[i].Expr = cast
			if item.Alias.Name == "" {
				list.Items[i].Alias = sql.Ident{Name: call.Name[len(call.Name)-1].Name, Pos: call.Pos}
			}
		}
		calls = append(calls, own)
	}
	return &query, calls
}

// actOn acts for each row of a result, and puts what the function returns in the place
// of its first argument.
func actOn(ctx context.Context, s *session.Session, res *result.Result, call *actingItem) (err error) {
	defer sqlstate.Catch(&err)
	column := call.columns[0]
	out := &replaced{Relation: res.Rows, column: column, typ: store.PhysicalType(call.result, false)}
	for i := range res.Rows.Blocks() {
		block := sqlstate.Must(res.Rows.Load(i, call.columns))
		results := make([][]value.Value, block.Rows)
		for row := range block.Rows {
			sqlstate.Check(ctx.Err())
			args := make([]value.Value, len(call.columns))
			for n, c := range call.columns {
				if chunk := block.Cols[c]; chunk.IsValid(row) {
					args[n] = chunk.Value(row, res.Columns[c].Type.Type)
				}
			}
			v, err := call.act(s, res, args)
			if e, ok := err.(*value.Error); ok && e.Code == value.CodeUndefinedTable {
				err = session.At(err, call.pos)
			}
			sqlstate.Check(err)
			results[row] = []value.Value{v}
		}
		made := sqlstate.Must(runtime.NewRows([]kernel.Type{out.typ}, results).Load(0, []int{0}))
		out.chunks = append(out.chunks, made.Cols[0])
	}
	res.Rows, res.Columns[column].Type = out, result.ColumnType{Type: call.result}
	return nil
}

// leading is the first columns of a relation.
type leading struct {
	runtime.Relation
	columns int
}

// Types implements runtime.Relation.
func (l *leading) Types() []kernel.Type { return l.Relation.Types()[:l.columns] }

// replaced is a relation with another column in the place of one of its own.
type replaced struct {
	runtime.Relation
	column int
	typ    kernel.Type
	chunks []*runtime.Chunk // of each block
}

// Types implements runtime.Relation.
func (r *replaced) Types() []kernel.Type {
	types := slices.Clone(r.Relation.Types())
	types[r.column] = r.typ
	return types
}

// Load implements runtime.Relation.
func (r *replaced) Load(i int, ordinals []int) (runtime.Block, error) {
	block, err := r.Relation.Load(i, ordinals)
	if err == nil {
		block.Cols = slices.Clone(block.Cols)
		block.Cols[r.column] = r.chunks[i]
	}
	return block, err
}

// Range implements runtime.Relation.
func (r *replaced) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	if ordinal == r.column {
		return 0, 0, false, false
	}
	return r.Relation.Range(i, ordinal)
}
