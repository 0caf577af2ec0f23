package algebra

import "slices"

func (n *Scan) op() string             { return "scan" }
func (n *Scan) operands() (l, r *Node) { return nil, nil }
func (n *Scan) copy() Node             { c := *n; return &c }
func (n *Scan) fields() fields {
	return fields{{"table", true, (*source)(n)}, {"columns", false, &n.Cols}}
}

func (n *Values) op() string             { return "values" }
func (n *Values) operands() (l, r *Node) { return nil, nil }
func (n *Values) copy() Node             { c := *n; return &c }
func (n *Values) fields() fields {
	return fields{{"columns", true, &n.Cols}, {"rows", false, (*constantRows)(&n.Rows)}}
}

func (n *Filter) op() string             { return "filter" }
func (n *Filter) operands() (l, r *Node) { return &n.Input, nil }
func (n *Filter) copy() Node             { c := *n; return &c }
func (n *Filter) fields() fields         { return fields{{"conditions", true, &n.Conds}} }

func (n *Project) op() string             { return "project" }
func (n *Project) operands() (l, r *Node) { return &n.Input, nil }
func (n *Project) copy() Node             { c := *n; return &c }
func (n *Project) fields() fields         { return fields{{"items", true, &n.Items}} }

func (n *Join) op() string {
	if n.Kind == JoinInner && len(n.Keys) == 0 && len(n.Residual) == 0 {
		return "cross join"
	}
	return string(n.Kind) + " join"
}
func (n *Join) operands() (l, r *Node) { return &n.Left, &n.Right }
func (n *Join) copy() Node             { c := *n; return &c }
func (n *Join) fields() fields {
	return fields{{"kind", true, &n.Kind}, {"on", false, &n.Keys}, {"if", false, &n.Residual}}
}

func (n *Apply) op() string             { return string(n.Kind) + " apply" }
func (n *Apply) operands() (l, r *Node) { return &n.Left, &n.Right }
func (n *Apply) copy() Node             { c := *n; return &c }
func (n *Apply) fields() fields {
	return fields{{"kind", true, &n.Kind}, {"if", false, &n.Conds}}
}

func (n *Aggregate) op() string             { return "aggregate" }
func (n *Aggregate) operands() (l, r *Node) { return &n.Input, nil }
func (n *Aggregate) copy() Node             { c := *n; return &c }
func (n *Aggregate) fields() fields {
	return fields{{"by", false, &n.Keys}, {"sets", false, (*groupingSets)(n)}, {"compute", false, &n.Aggs}, {"set number", false, &n.GroupingID}}
}

func (n *Window) op() string             { return "window" }
func (n *Window) operands() (l, r *Node) { return &n.Input, nil }
func (n *Window) copy() Node             { c := *n; return &c }
func (n *Window) fields() fields {
	return fields{{"partition by", false, &n.PartitionBy}, {"order by", false, &n.OrderBy}, {"compute", false, &n.Calls}, {"first", false, &n.First}}
}

func (n *Sort) op() string {
	if n.Limit >= 0 {
		return "top"
	}
	return "sort"
}
func (n *Sort) operands() (l, r *Node) { return &n.Input, nil }
func (n *Sort) copy() Node             { c := *n; return &c }
func (n *Sort) fields() fields {
	return fields{{"by", false, &n.Keys}, {"limit", false, (*limit)(&n.Limit)}, {"offset", false, (*offset)(&n.Offset)}}
}

func (n *Limit) op() string             { return "limit" }
func (n *Limit) operands() (l, r *Node) { return &n.Input, nil }
func (n *Limit) copy() Node             { c := *n; return &c }
func (n *Limit) fields() fields {
	return fields{{"count", true, (*limit)(&n.Count)}, {"offset", false, (*offset)(&n.Offset)}}
}

func (n *Unnest) op() string             { return "unnest" }
func (n *Unnest) operands() (l, r *Node) { return &n.Input, nil }
func (n *Unnest) copy() Node             { c := *n; return &c }
func (n *Unnest) fields() fields {
	return fields{{"times", true, &n.Times}, {"numbered", false, &n.Ordinal}}
}

func (n *SetOp) op() string {
	if n.All {
		return string(n.Kind) + " all"
	}
	return string(n.Kind)
}
func (n *SetOp) operands() (l, r *Node) { return &n.Left, &n.Right }
func (n *SetOp) copy() Node             { c := *n; return &c }
func (n *SetOp) fields() fields {
	return fields{{"kind", true, (*setKind)(n)}, {"columns", true, &n.Cols}}
}

func (n *Recursive) op() string             { return "recursive" }
func (n *Recursive) operands() (l, r *Node) { return nil, nil }
func (n *Recursive) copy() Node             { c := *n; return &c }
func (n *Recursive) fields() fields {
	return fields{{"columns", true, &n.Cols}, {"distinct", false, (*distinctRows)(&n.Distinct)}, {"limit", false, (*limit)(&n.Limit)}}
}

func (n *Working) op() string             { return "working table" }
func (n *Working) operands() (l, r *Node) { return nil, nil }
func (n *Working) copy() Node             { c := *n; return &c }
func (n *Working) fields() fields         { return fields{{"columns", true, &n.Cols}} }

// eachExpr calls visit with the place of each expression that n itself holds, in
// order; some may be nil. The plans of a Recursive are not n's own.
func eachExpr(n Node, visit func(*Expr)) {
	fields := n.fields()
	for i := range fields {
		switch of := fields[i].of.(type) {
		case *Expr:
			visit(of)
		case *[]Expr:
			for k := range *of {
				visit(&(*of)[k])
			}
		case *[]Item:
			for k := range *of {
				visit(&(*of)[k].Expr)
			}
		case *[]JoinKey:
			for k := range *of {
				visit(&(*of)[k].Left)
				visit(&(*of)[k].Right)
			}
		case *[]SortKey:
			for k := range *of {
				visit(&(*of)[k].Expr)
			}
		case *[]Agg:
			for k := range *of {
				visit(&(*of)[k].Arg)
				visit(&(*of)[k].Arg2)
				visit(&(*of)[k].Filter)
			}
		case *[]WindowCall:
			for k := range *of {
				(*of)[k].eachExpr(visit)
			}
		}
	}
}

func (c *WindowCall) eachExpr(visit func(*Expr)) {
	for i := range c.Args {
		visit(&c.Args[i])
	}
	visit(&c.Filter)
	visit(&c.Frame.Key)
	visit(&c.Frame.Start.Limit)
	visit(&c.Frame.End.Limit)
}

// eachColumn calls visit with the place of each column that n makes or passes on under
// its ID in a list of its own, in order.
func eachColumn(n Node, visit func(*Column)) {
	fields := n.fields()
	for i := range fields {
		switch of := fields[i].of.(type) {
		case *Column:
			if of.ID != 0 {
				visit(of)
			}
		case *[]Column:
			for k := range *of {
				visit(&(*of)[k])
			}
		case *[]Item:
			for k := range *of {
				visit(&(*of)[k].Column)
			}
		case *[]Agg:
			for k := range *of {
				visit(&(*of)[k].Column)
			}
		case *[]WindowCall:
			for k := range *of {
				visit(&(*of)[k].Column)
			}
		}
	}
}

// clone is a copy of n with lists of its own.
func clone(n Node) Node {
	n = n.copy()
	fields := n.fields()
	for i := range fields {
		switch of := fields[i].of.(type) {
		case *[]Expr:
			*of = slices.Clone(*of)
		case *[]Column:
			*of = slices.Clone(*of)
		case *[]Item:
			*of = slices.Clone(*of)
		case *[]JoinKey:
			*of = slices.Clone(*of)
		case *[]SortKey:
			*of = slices.Clone(*of)
		case *[]Agg:
			*of = slices.Clone(*of)
		case *[]WindowCall:
			*of = slices.Clone(*of)
			for k := range *of {
				(*of)[k].Args = slices.Clone((*of)[k].Args)
			}
		}
	}
	return n
}

// MapColumns is n over f of the columns that it makes, and those of its own lists that it
// passes on.
func MapColumns(n Node, f func(Column) Column) Node {
	out := clone(n)
	eachColumn(out, func(c *Column) { *c = f(*c) })
	return out
}
