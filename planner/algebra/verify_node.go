package algebra

import "github.com/cubeloom/cubeloom/sql/value"

// Verify checks that a plan is well formed: every column is made once and
// referred to only above where it is made, with the type that it has there;
// every function has arguments and a result that its signature allows; no type
// is unknown; keys, sets and set operations agree with their inputs. What it
// reports is a defect of what made the plan, never of the user. A node that is
// an input of several nodes makes its columns once; none of these nodes may get
// them from two inputs.
func Verify(n Node) error {
	v := verifier{seen: make(map[ColumnID]bool), nodes: make(map[Node]bool)}
	v.node(n)
	return v.err
}

func (v *verifier) node(n Node) {
	if v.nodes[n] {
		return
	}
	v.nodes[n] = true
	if apply, ok := n.(*Apply); ok {
		v.apply(apply)
		return
	}
	for _, in := range Inputs(n) {
		v.node(in)
	}
	if v.err != nil {
		return
	}
	v.at = n
	v.fields(n)
	if v.err != nil {
		return
	}
	switch n := n.(type) {
	case *Scan:
		if len(n.Ordinals) != len(n.Cols) || len(n.ColStats) != len(n.Cols) {
			v.failf("%d columns, %d ordinals, %d statistics", len(n.Cols), len(n.Ordinals), len(n.ColStats))
		}
	case *Values:
		v.values(n)
	case *Filter:
		v.conditions(n.Conds)
	case *Project:
		v.project(n)
	case *Join:
		v.join(n)
	case *Aggregate:
		v.aggregate(n)
	case *Limit:
		if n.Offset < 0 {
			v.failf("offset %d", n.Offset)
		}
	case *Unnest:
		if n.Times.Type() != TInt64 {
			v.failf("times %s of type %s", n.Times, n.Times.Type())
		}
	case *SetOp:
		v.setOp(n)
	case *Recursive:
		v.recursive(n)
	case *Spool:
		v.spool(n)
	}
}

// spool checks a Spool, and its plan where that is apart.
func (v *verifier) spool(n *Spool) {
	cols := n.Input.Columns()
	if len(n.Ordinals) != len(n.Cols) {
		v.failf("%d columns, %d ordinals", len(n.Cols), len(n.Ordinals))
		return
	}
	for i, c := range n.Cols {
		if at := n.Ordinals[i]; at < 0 || at >= len(cols) || cols[at].Type != c.Type || cols[at].Nullable && !c.Nullable {
			v.failf("column %s is not column %d of what is read", c.Name, at)
			return
		}
	}
	if n.Apart && !v.nodes[n.Input] && v.err == nil {
		v.nodes[n.Input] = true
		v.err = Verify(n.Input)
	}
}

// fields checks the expressions of a node over the columns of its inputs, and the columns
// that it makes.
func (v *verifier) fields(n Node) {
	var cols []Column
	inputs := Inputs(n)
	for _, in := range inputs {
		cols = append(cols, in.Columns()...)
	}
	scope := v.scope(cols)
	fields := n.fields()
	for i := range fields {
		switch of := fields[i].of.(type) {
		case *Expr:
			v.expr(*of, scope)
		case *[]Expr:
			for _, e := range *of {
				v.expr(e, scope)
			}
		case *[]Item:
			_, passesOn := n.(*Project)
			for k := range *of {
				v.item(&(*of)[k], scope, passesOn)
			}
		case *[]JoinKey:
			v.keys(*of, v.scope(inputs[0].Columns()), v.scope(inputs[1].Columns()))
		case *[]SortKey:
			for _, key := range *of {
				v.expr(key.Expr, scope)
			}
		case *[]Agg:
			for k := range *of {
				v.agg(&(*of)[k], scope)
			}
		case *[]WindowCall:
			for k := range *of {
				v.windowCall(&(*of)[k], scope)
			}
		default:
			v.produceAll(of)
		}
	}
}

// produceAll notes the columns of a field that has nothing else.
func (v *verifier) produceAll(of any) {
	switch of := of.(type) {
	case *Column:
		if of.ID != 0 {
			v.produce(*of)
		}
	case *[]Column:
		for _, c := range *of {
			v.produce(c)
		}
	}
}

func (v *verifier) keys(keys []JoinKey, left, right scope) {
	for _, key := range keys {
		v.expr(key.Left, left)
		v.expr(key.Right, right)
		if v.err == nil && !Comparable(key.Left.Type(), key.Right.Type()) {
			v.failf("keys %s and %s have types %s and %s", key.Left, key.Right, key.Left.Type(), key.Right.Type())
		}
	}
}

func (v *verifier) values(n *Values) {
	for _, row := range n.Rows {
		if len(row) != len(n.Cols) {
			v.failf("a row of %d values for %d columns", len(row), len(n.Cols))
			return
		}
		for i, val := range row {
			if val.Kind == value.Null && !n.Cols[i].Nullable {
				v.failf("NULL in column %s", n.Cols[i].Name)
			}
			v.constant(&Const{Val: val, Typ: n.Cols[i].Type})
		}
	}
}

func (v *verifier) project(n *Project) {
	var seen ColSet
	for i := range n.Items {
		if id := n.Items[i].Column.ID; seen.Has(id) {
			v.failf("column #%d twice", id)
		} else {
			seen.Add(id)
		}
	}
}

func (v *verifier) join(n *Join) {
	if Outputs(n.Left).Intersects(Outputs(n.Right)) {
		v.failf("both inputs have the same column")
	}
	v.conditions(n.Residual)
}

// apply checks a dependent join, whose right input sees the left columns.
func (v *verifier) apply(n *Apply) {
	v.node(n.Left)
	v.within(v.scope(n.Left.Columns()), func() { v.node(n.Right) })
	if v.err != nil {
		return
	}
	v.at = n
	if n.Kind != JoinInner && n.Kind != JoinLeft {
		v.failf("a dependent join of kind %s", n.Kind)
	}
	v.fields(n)
	v.conditions(n.Conds)
}

// conditions checks the types of conditions that are sound else.
func (v *verifier) conditions(conds []Expr) {
	for _, cond := range conds {
		if v.err == nil && cond.Type().Kind != Bool {
			v.failf("condition %s is %s", cond, cond.Type())
		}
	}
}

func (v *verifier) aggregate(n *Aggregate) {
	if len(n.Keys) > 64 {
		v.failf("%d keys", len(n.Keys))
	}
	if len(n.Sets) == 0 {
		v.failf("no grouping set")
	}
	for _, set := range n.Sets {
		if set&^AllKeys(len(n.Keys)) != 0 {
			v.failf("grouping set %b of %d keys", set, len(n.Keys))
		}
	}
	if n.GroupingID.ID != 0 && n.GroupingID.Type != TInt32 {
		v.failf("the set's number is %s", n.GroupingID.Type)
	}
}

func (v *verifier) setOp(n *SetOp) {
	left, right := n.Left.Columns(), n.Right.Columns()
	if len(left) != len(n.Cols) || len(right) != len(n.Cols) {
		v.failf("%d and %d columns for %d", len(left), len(right), len(n.Cols))
		return
	}
	for i, c := range n.Cols {
		if left[i].Type != c.Type || right[i].Type != c.Type {
			v.failf("column %s of type %s is made of %s and %s", c.Name, c.Type, left[i].Type, right[i].Type)
		}
		if !c.Nullable && (left[i].Nullable || n.Kind == Union && right[i].Nullable) && n.Kind != Intersect {
			v.failf("column %s is not nullable but its input is", c.Name)
		}
	}
}

// recursive checks the columns of a recursive expression, whose two plans are
// verified on their own.
func (v *verifier) recursive(n *Recursive) {
	for _, part := range []Node{n.Base, n.Term} {
		cols := part.Columns()
		if len(cols) != len(n.Cols) {
			v.failf("%d columns for %d", len(cols), len(n.Cols))
			return
		}
		for i, c := range n.Cols {
			if cols[i].Type != c.Type {
				v.failf("column %s of type %s is made of %s", c.Name, c.Type, cols[i].Type)
			}
		}
		if v.err == nil {
			inner := verifier{outer: v.outer, seen: make(map[ColumnID]bool), nodes: make(map[Node]bool)}
			inner.node(part)
			v.err = inner.err
		}
	}
	if n.Counted != nil && v.err == nil {
		v.err = Verify(n.Counted)
	}
}

// item checks a computed column; passOn allows a bare reference to keep its ID.
func (v *verifier) item(item *Item, scope scope, passOn bool) {
	v.expr(item.Expr, scope)
	if item.Column.Type != item.Expr.Type() {
		v.failf("column %s of type %s holds %s of type %s",
			item.Column.Name, item.Column.Type, item.Expr, item.Expr.Type())
	}
	if passOn && item.PassesOn() {
		return
	}
	v.produce(item.Column)
}
