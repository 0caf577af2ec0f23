package algebra

// Walk visits n and then, where visit returns true, the nodes below it, from
// left to right.
func Walk(n Node, visit func(Node) bool) {
	if !visit(n) {
		return
	}
	left, right := n.operands()
	if left != nil {
		Walk(*left, visit)
	}
	if right != nil {
		Walk(*right, visit)
	}
}

// Inputs are the operands of a node, left before right.
func Inputs(n Node) []Node {
	left, right := n.operands()
	switch {
	case left == nil:
		return nil
	case right == nil:
		return []Node{*left}
	}
	return []Node{*left, *right}
}

// WithInputs is the same operator over as many other operands, which have at least the
// columns it refers to.
func WithInputs(n Node, inputs ...Node) Node {
	out := n.copy()
	left, right := out.operands()
	if left != nil {
		*left = inputs[0]
	}
	if right != nil {
		*right = inputs[1]
	}
	return out
}

// Transform rebuilds a plan from the leaves up: f gets each node with its new
// inputs and returns what takes its place. What f leaves alone is shared with
// the old plan.
func Transform(n Node, f func(Node) Node) Node {
	return f(MapInputs(n, func(in Node) Node { return Transform(in, f) }))
}

// MapInputs returns n over f of its inputs, and n itself where f changed none.
func MapInputs(n Node, f func(Node) Node) Node {
	left, right := n.operands()
	if left == nil {
		return n
	}
	one := f(*left)
	if right == nil {
		if one == *left {
			return n
		}
		return WithInputs(n, one)
	}
	if two := f(*right); one != *left || two != *right {
		return WithInputs(n, one, two)
	}
	return n
}

// WalkExpr visits e and then, where visit returns true, its operands.
func WalkExpr(e Expr, visit func(Expr) bool) {
	if !visit(e) {
		return
	}
	switch e := e.(type) {
	case *Call:
		for _, arg := range e.Args {
			WalkExpr(arg, visit)
		}
	case *Case:
		for _, when := range e.Whens {
			WalkExpr(when.Cond, visit)
			WalkExpr(when.Then, visit)
		}
		if e.Else != nil {
			WalkExpr(e.Else, visit)
		}
	}
}
