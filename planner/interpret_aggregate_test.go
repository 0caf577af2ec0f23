package planner

import (
	"sort"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

func (in *interpreter) aggregate(n *algebra.Aggregate) ([]row, error) {
	rows, err := in.run(n.Input)
	if err != nil {
		return nil, err
	}
	keys, err := in.computeItems(rows, n.Keys)
	if err != nil {
		return nil, err
	}
	var out []row
	for i, set := range n.Sets {
		groups := map[string][]row{}
		heads := map[string]row{}
		var order []string
		if set == 0 {
			order, heads[""] = []string{""}, row{}
		}
		for k, r := range rows {
			text, head := "", row{}
			for j, key := range n.Keys {
				if set.Has(j) {
					head[key.Column.ID] = keys[k][key.Column.ID]
					text += keyText(head[key.Column.ID]) + "|"
				}
			}
			if heads[text] == nil {
				order, heads[text] = append(order, text), head
			}
			groups[text] = append(groups[text], r)
		}
		for _, text := range order {
			r := heads[text]
			for k := range n.Aggs {
				if r[n.Aggs[k].Column.ID], err = in.aggregateRows(&n.Aggs[k], groups[text]); err != nil {
					return nil, err
				}
			}
			if n.GroupingID.ID != 0 {
				r[n.GroupingID.ID] = value.Value{Kind: value.Int, I: int64(i)}
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// aggregateRows computes counts, minima, maxima and sums. What the other
// functions give is told by the values that they see, in order of size.
func (in *interpreter) aggregateRows(a *algebra.Agg, rows []row) (value.Value, error) {
	var seen []value.Value
	distinct := map[string]bool{}
	for _, r := range rows {
		if a.Filter != nil {
			ok, err := in.holds([]algebra.Expr{a.Filter}, r)
			if err != nil {
				return value.Value{}, err
			}
			if !ok {
				continue
			}
		}
		v := value.Value{Kind: value.Int, I: 1}
		if a.Arg != nil {
			var err error
			if v, err = in.at(a.Arg, r); err != nil {
				return value.Value{}, err
			}
		}
		if v.Kind == value.Null || a.Distinct && distinct[keyText(v)] {
			continue
		}
		distinct[keyText(v)] = true
		seen = append(seen, v)
	}
	sort.Slice(seen, func(i, k int) bool { return eval.Compare(seen[i], seen[k]) < 0 })
	return reduce(a, seen)
}

func reduce(a *algebra.Agg, seen []value.Value) (value.Value, error) {
	if a.Func == algebra.CountStar || a.Func == algebra.Count {
		return value.Value{Kind: value.Int, I: int64(len(seen))}, nil
	}
	if len(seen) == 0 {
		return value.Value{}, nil
	}
	switch a.Func {
	case algebra.Min, algebra.AnyValue:
		return seen[0], nil
	case algebra.Max:
		return seen[len(seen)-1], nil
	case algebra.BoolAnd:
		return value.Value{Kind: value.Bool, B: seen[0].B}, nil
	case algebra.BoolOr:
		return value.Value{Kind: value.Bool, B: seen[len(seen)-1].B}, nil
	case algebra.Sum:
		return sumOf(a.Column.Type, seen)
	}
	texts := make([]string, len(seen))
	for i, v := range seen {
		texts[i] = keyText(v)
	}
	return value.Value{Kind: value.Text, S: string(a.Func) + strings.Join(texts, ",")}, nil
}

func sumOf(typ algebra.Type, seen []value.Value) (value.Value, error) {
	total := &algebra.Const{Val: seen[0], Typ: typ}
	if typ.Kind == algebra.Decimal && seen[0].Kind == value.Int {
		total.Val = value.Value{Kind: value.Decimal, Num: value.NumOf(seen[0].I)}
	}
	for _, v := range seen[1:] {
		if typ.Kind == algebra.Decimal && v.Kind == value.Int {
			v = value.Value{Kind: value.Decimal, Num: value.NumOf(v.I)}
		}
		f := algebra.Add
		if typ.Kind == algebra.Interval {
			f = algebra.AddInterval
		}
		add := &algebra.Call{Func: f, Args: []algebra.Expr{total, &algebra.Const{Val: v, Typ: typ}}, Typ: typ}
		var err error
		if total, err = eval.Constant(nil, add); err != nil {
			return value.Value{}, err
		}
	}
	return total.Val, nil
}
