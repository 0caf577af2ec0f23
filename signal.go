package cubeloom

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/access"
	"github.com/cubeloom/cubeloom/sql"
)

// The functions that act on other sessions.
const (
	cancelBackend    = "pg_cancel_backend"
	terminateBackend = "pg_terminate_backend"
)

func isSignal(name string) bool { return name == cancelBackend || name == terminateBackend }

// describeSignal stands for a call while a statement is described. No other call
// gets here but those in places where signalling does not find them.
func (s *Session) describeSignal(name string) (string, error) {
	if s.describing {
		return "$1::integer IS NULL", nil
	}
	return "", value.Errorf(value.CodeFeatureNotSupported, "%s elsewhere than as an item of a SELECT list is not supported", name)
}

// signalling runs a query. Where items of its SELECT list are calls of functions
// that act on other sessions, the query is one of their arguments, and they act on
// the sessions in its result: on those that WHERE, DISTINCT and LIMIT have left.
func (s *Session) signalling(ctx context.Context, q *sql.Query) (*Result, error) {
	body, ok := q.Body.(*sql.Select)
	if !ok || !slices.ContainsFunc(body.Items, func(item sql.SelectItem) bool { return signalCall(item) != nil }) {
		return s.runQuery(ctx, q, false)
	}
	query, list := *q, *body
	query.Body, list.Items = &list, slices.Clone(body.Items)
	names := map[int]string{}
	for i, item := range body.Items {
		if call := signalCall(item); call != nil {
			names[i] = call.Name[len(call.Name)-1].Name
			list.Items[i].Expr = &sql.Cast{X: call.Args[0], Type: sql.TypeName{Name: "integer", Pos: call.Pos}, Pos: call.Pos}
			if item.Alias.Name == "" {
				list.Items[i].Alias = sql.Ident{Name: names[i], Pos: call.Pos}
			}
		}
	}
	if len(list.Items) > 1 && slices.ContainsFunc(list.Items, isStar) {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "functions that act on other sessions beside * are not supported")
	}
	res, err := s.runQuery(ctx, &query, false)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if err := s.signalRows(res, i, name == terminateBackend); err != nil {
			return nil, err
		}
	}
	return res, nil
}

func isStar(item sql.SelectItem) bool {
	_, ok := item.Expr.(*sql.Star)
	return ok
}

// signalCall is the call that an item of a SELECT list is, nil where it is another
// expression.
func signalCall(item sql.SelectItem) *sql.FuncCall {
	call, ok := item.Expr.(*sql.FuncCall)
	if !ok || len(call.Args) != 1 || !isSignal(call.Name[len(call.Name)-1].Name) {
		return nil
	}
	return call
}

// signalRows acts on the sessions in a column of PIDs, and puts whether there were
// such sessions in its place.
func (s *Session) signalRows(res *Result, column int, terminate bool) error {
	out := &replaced{Relation: res.rows, column: column}
	for i := range res.rows.Blocks() {
		block, err := res.rows.Load(i, []int{column})
		if err != nil {
			return err
		}
		var flags [][]value.Value
		for row := range block.Rows {
			flag := value.Value{}
			if block.Cols[column].IsValid(row) {
				pid := int32(block.Cols[column].Value(row, algebra.TInt32).I)
				sent, err := s.signal(res, pid, terminate)
				if err != nil {
					return err
				}
				flag = value.Value{Kind: value.Bool, B: sent}
			}
			flags = append(flags, []value.Value{flag})
		}
		flagged, err := runtime.NewRows([]kernel.Type{kernel.Bool}, flags).Load(0, []int{0})
		if err != nil {
			return err
		}
		out.chunks = append(out.chunks, flagged.Cols[0])
	}
	res.rows, res.Columns[column].Type = out, ColumnType{algebra.TBool}
	return nil
}

// signal acts on the session of a PID, where the session's role may, and reports whether
// there is such a session.
func (s *Session) signal(res *Result, pid int32, terminate bool) (bool, error) {
	if s.identity.Signal == nil || s.identity.Activity == nil {
		return false, nil
	}
	sessions := s.identity.Activity()
	at := slices.IndexFunc(sessions, func(a Activity) bool { return a.PID == pid })
	if at < 0 {
		res.Notices = append(res.Notices, warning("01000", fmt.Sprintf("PID %d is not a PostgreSQL server process", pid)))
		return false, nil
	}
	if err := s.maySignal(access.OID(sessions[at].Role), terminate); err != nil {
		return false, err
	}
	return s.identity.Signal(pid, terminate), nil
}

// maySignal fails where the session's role may not end statements or sessions of another.
func (s *Session) maySignal(role access.OID, terminate bool) error {
	verb, what := "cancel superuser query", "query is being canceled"
	if terminate {
		verb, what = "terminate superuser process", "process is being terminated"
	}
	state := s.access()
	switch {
	case state.IsSuperuser(role) && !s.superuser():
		return denied("must be a superuser to %s", verb)
	case !state.Has(s.user(), role) && !state.Has(s.user(), access.SignalBackend):
		return denied("must be a member of the role whose %s or member of pg_signal_backend", what)
	}
	return nil
}

// replaced is a relation with a column of booleans in the place of one of its own.
type replaced struct {
	runtime.Relation
	column int
	chunks []*runtime.Chunk // of each block
}

// Types implements runtime.Relation.
func (r *replaced) Types() []kernel.Type {
	types := slices.Clone(r.Relation.Types())
	types[r.column] = kernel.Bool
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
