package planner

import (
	"fmt"
	"sort"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// row holds the values of a row by column.
type row map[algebra.ColumnID]value.Value

// interpreter computes plans in the plainest way, to hold that rules change
// no result. Rows of tables are in data, by table and ordinal.
type interpreter struct {
	data map[string][][]value.Value
	// outer is the row of the queries around that a subquery is run for.
	outer row
}

func (in *interpreter) run(n algebra.Node) ([]row, error) {
	switch n := n.(type) {
	case *algebra.Scan:
		return in.scan(n), nil
	case *algebra.Values:
		return valuesRows(n), nil
	case *algebra.Filter:
		rows, err := in.run(n.Input)
		if err != nil {
			return nil, err
		}
		return in.keep(rows, n.Conds)
	case *algebra.Project:
		return in.project(n)
	case *algebra.Join:
		return in.join(n)
	case *algebra.Apply:
		return in.apply(n)
	case *algebra.Aggregate:
		return in.aggregate(n)
	case *algebra.Window:
		return in.window(n)
	case *algebra.Sort:
		return in.sort(n)
	case *algebra.Limit:
		rows, err := in.run(n.Input)
		return slice(rows, n.Count, n.Offset), err
	case *algebra.SetOp:
		return in.setOp(n)
	case *algebra.Spool:
		return in.spool(n)
	}
	return nil, fmt.Errorf("no way to run %T", n)
}

func (in *interpreter) spool(n *algebra.Spool) ([]row, error) {
	rows, err := in.run(n.Input)
	cols := n.Input.Columns()
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = make(row, len(n.Cols))
		for k, c := range n.Cols {
			out[i][c.ID] = r[cols[n.Ordinals[k]].ID]
		}
	}
	return out, err
}

func (in *interpreter) scan(n *algebra.Scan) []row {
	var out []row
	for _, stored := range in.data[n.Table.Name] {
		r := make(row)
		for i, c := range n.Cols {
			r[c.ID] = stored[n.Ordinals[i]]
		}
		out = append(out, r)
	}
	return out
}

func valuesRows(n *algebra.Values) []row {
	var out []row
	for _, vals := range n.Rows {
		r := make(row)
		for i, c := range n.Cols {
			r[c.ID] = vals[i]
		}
		out = append(out, r)
	}
	return out
}

// at computes an expression for a row.
func (in *interpreter) at(e algebra.Expr, r row) (value.Value, error) {
	all := merged(in.outer, r)
	var failed error
	var bind func(e algebra.Expr) algebra.Expr
	bind = func(e algebra.Expr) algebra.Expr {
		switch e := e.(type) {
		case *algebra.ColumnRef:
			return &algebra.Const{Val: all[e.Column.ID], Typ: e.Column.Type}
		case *algebra.Subquery:
			v, err := (&interpreter{data: in.data, outer: all}).subquery(e)
			if err != nil && failed == nil {
				failed = err
			}
			return &algebra.Const{Val: v, Typ: e.Typ}
		}
		return algebra.MapOperands(e, bind)
	}
	c, err := eval.Constant(nil, bind(e))
	if failed != nil {
		return value.Value{}, failed
	}
	if err != nil {
		return value.Value{}, err
	}
	return c.Val, nil
}

func (in *interpreter) holds(conds []algebra.Expr, r row) (bool, error) {
	for _, cond := range conds {
		v, err := in.at(cond, r)
		if err != nil || !v.B {
			return false, err
		}
	}
	return true, nil
}

func (in *interpreter) keep(rows []row, conds []algebra.Expr) ([]row, error) {
	var out []row
	for _, r := range rows {
		ok, err := in.holds(conds, r)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, nil
}

func (in *interpreter) project(n *algebra.Project) ([]row, error) {
	rows, err := in.run(n.Input)
	if err != nil {
		return nil, err
	}
	return in.computeItems(rows, n.Items)
}

func (in *interpreter) computeItems(rows []row, items []algebra.Item) ([]row, error) {
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = make(row)
		for _, item := range items {
			v, err := in.at(item.Expr, r)
			if err != nil {
				return nil, err
			}
			out[i][item.Column.ID] = v
		}
	}
	return out, nil
}

func (in *interpreter) join(n *algebra.Join) ([]row, error) {
	left, err := in.run(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := in.run(n.Right)
	if err != nil {
		return nil, err
	}
	conds := append([]algebra.Expr(nil), n.Residual...)
	for _, key := range n.Keys {
		f, not := algebra.Eq, false
		if key.NullSafe {
			f, not = algebra.Distinct, true
		}
		cond := algebra.Expr(&algebra.Call{Func: f, Args: []algebra.Expr{key.Left, key.Right}, Typ: algebra.TBool})
		conds = append(conds, term.NegateIf(not, cond))
	}
	matchedRight := make([]bool, len(right))
	var out []row
	for _, l := range left {
		matched := false
		for k, r := range right {
			both := merged(l, r)
			ok, err := in.holds(conds, both)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			matched, matchedRight[k] = true, true
			if n.Kind != algebra.JoinSemi && n.Kind != algebra.JoinAnti {
				out = append(out, both)
			}
		}
		keepsLeft := n.Kind == algebra.JoinLeft || n.Kind == algebra.JoinFull
		if matched == (n.Kind == algebra.JoinSemi) && (keepsLeft || n.Kind == algebra.JoinSemi || n.Kind == algebra.JoinAnti) {
			out = append(out, merged(l, nil))
		}
	}
	if n.Kind == algebra.JoinRight || n.Kind == algebra.JoinFull {
		for k, r := range right {
			if !matchedRight[k] {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// subquery computes a subquery for the row in in.outer.
func (in *interpreter) subquery(e *algebra.Subquery) (value.Value, error) {
	rows, err := in.run(e.Plan)
	if err != nil {
		return value.Value{}, err
	}
	switch e.Kind {
	case algebra.SubqueryExists:
		return value.Value{Kind: value.Bool, B: len(rows) > 0}, nil
	case algebra.SubqueryScalar:
		if err := value.CheckOneRow(int64(len(rows))); err != nil || len(rows) == 0 {
			return value.Value{}, err
		}
		return rows[0][e.Plan.Columns()[0].ID], nil
	}
	result := value.Value{Kind: value.Bool}
	for _, r := range rows {
		v, err := in.at(e.Test, r)
		switch {
		case err != nil:
			return v, err
		case v.B:
			return v, nil
		case v.Kind == value.Null:
			result = v
		}
	}
	return result, nil
}

// apply runs the right side for each left row.
func (in *interpreter) apply(n *algebra.Apply) ([]row, error) {
	left, err := in.run(n.Left)
	if err != nil {
		return nil, err
	}
	var out []row
	for _, l := range left {
		right, err := (&interpreter{data: in.data, outer: merged(in.outer, l)}).run(n.Right)
		if err != nil {
			return nil, err
		}
		matched := false
		for _, r := range right {
			ok, err := in.holds(n.Conds, merged(l, r))
			if err != nil {
				return nil, err
			}
			if ok {
				matched = true
				out = append(out, merged(l, r))
			}
		}
		if !matched && n.Kind == algebra.JoinLeft {
			out = append(out, l)
		}
	}
	return out, nil
}

func merged(l, r row) row {
	out := make(row, len(l)+len(r))
	for id, v := range l {
		out[id] = v
	}
	for id, v := range r {
		out[id] = v
	}
	return out
}

// keyText is a value as a key of a map: equal values have equal texts.
func keyText(v value.Value) string {
	switch v.Kind {
	case value.Null:
		return "NULL"
	case value.Decimal:
		return "n" + v.Num.Normalize().String()
	case value.Intervals:
		return "i" + v.Interval.Normalize().String()
	}
	return fmt.Sprint(v.Kind, v.B, v.I, v.F, v.S)
}

func (in *interpreter) sort(n *algebra.Sort) ([]row, error) {
	rows, err := in.run(n.Input)
	if err != nil {
		return nil, err
	}
	var failed error
	sort.SliceStable(rows, func(i, k int) bool {
		for _, key := range n.Keys {
			a, errA := in.at(key.Expr, rows[i])
			b, errB := in.at(key.Expr, rows[k])
			if errA != nil || errB != nil {
				failed = fmt.Errorf("%v %v", errA, errB)
				return false
			}
			if c := compareKeys(a, b, key); c != 0 {
				return c < 0
			}
		}
		return false
	})
	return slice(rows, n.Limit, n.Offset), failed
}

func compareKeys(a, b value.Value, key algebra.SortKey) int {
	aNull, bNull := a.Kind == value.Null, b.Kind == value.Null
	switch {
	case aNull && bNull:
		return 0
	case aNull:
		return map[bool]int{true: -1, false: 1}[key.NullsFirst]
	case bNull:
		return map[bool]int{true: 1, false: -1}[key.NullsFirst]
	}
	c := eval.Compare(a, b)
	if key.Desc {
		return -c
	}
	return c
}

func slice(rows []row, count, offset int64) []row {
	rows = rows[min(offset, int64(len(rows))):]
	if count >= 0 {
		rows = rows[:min(count, int64(len(rows)))]
	}
	return rows
}

func (in *interpreter) setOp(n *algebra.SetOp) ([]row, error) {
	left, err := in.positional(n.Left, n.Cols)
	if err != nil {
		return nil, err
	}
	right, err := in.positional(n.Right, n.Cols)
	if err != nil {
		return nil, err
	}
	text := func(r row) string {
		s := ""
		for _, c := range n.Cols {
			s += keyText(r[c.ID]) + "|"
		}
		return s
	}
	inRight := map[string]int{}
	for _, r := range right {
		inRight[text(r)]++
	}
	if n.Kind == algebra.Union {
		left = append(left, right...)
	}
	var out []row
	seen := map[string]bool{}
	for _, r := range left {
		t := text(r)
		wanted := n.Kind == algebra.Union || (n.Kind == algebra.Intersect) == (inRight[t] > 0)
		if n.All && n.Kind != algebra.Union {
			inRight[t]--
		}
		if wanted && (n.All || !seen[t]) {
			out = append(out, r)
		}
		seen[t] = true
	}
	return out, nil
}

// positional runs an operand and sets the IDs of its columns to those of the result.
func (in *interpreter) positional(n algebra.Node, cols []algebra.Column) ([]row, error) {
	rows, err := in.run(n)
	if err != nil {
		return nil, err
	}
	from := n.Columns()
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = make(row)
		for k, c := range cols {
			out[i][c.ID] = r[from[k].ID]
		}
	}
	return out, nil
}
