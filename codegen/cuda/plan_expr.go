package cuda

import "github.com/cubeloom/cubeloom/codegen/launch"

// The symbols of launch plans.
var (
	rows         = launch.Sym{Kind: launch.SourceRows}
	piece        = launch.Sym{Kind: launch.PieceRows}
	streamed     = launch.Sym{Kind: launch.Streamed}
	free         = launch.Sym{Kind: launch.Free}
	sms          = launch.Sym{Kind: launch.SMs}
	sharedMemory = launch.Sym{Kind: launch.SharedMemory}
	cache        = launch.Sym{Kind: launch.Cache}
	estimate     = launch.Sym{Kind: launch.Estimate}
	counted      = launch.Sym{Kind: launch.Counted}
	fewRows      = launch.Sym{Kind: launch.FewRows}
	maxTurns     = launch.Sym{Kind: launch.MaxTurns}
	longestText  = launch.Sym{Kind: launch.TextWords}
)

// apply is an operation, computed where its operands are constant.
func apply(op launch.Op, x ...launch.Expr) launch.Expr {
	var known [5]int64
	for i := range x {
		n, ok := x[i].(launch.Int)
		if !ok {
			return &launch.Apply{Op: op, X: x}
		}
		known[i] = int64(n)
	}
	return launch.Int(op.Do(&known))
}

func plus(x, y launch.Expr) launch.Expr      { return apply(launch.Add, x, y) }
func over(x, y launch.Expr) launch.Expr      { return apply(launch.Div, x, y) }
func least(x, y launch.Expr) launch.Expr     { return apply(launch.Min, x, y) }
func most(x, y launch.Expr) launch.Expr      { return apply(launch.Max, x, y) }
func atMost(x, y launch.Expr) launch.Expr    { return apply(launch.Le, x, y) }
func below(x, y launch.Expr) launch.Expr     { return apply(launch.Lt, x, y) }
func equal(x, y launch.Expr) launch.Expr     { return apply(launch.Eq, x, y) }
func differ(x, y launch.Expr) launch.Expr    { return apply(launch.Ne, x, y) }
func choose(c, x, y launch.Expr) launch.Expr { return apply(launch.Select, c, x, y) }

// times is a product, one factor of which may be 1.
func times(x, y launch.Expr) launch.Expr {
	switch launch.Int(1) {
	case x:
		return y
	case y:
		return x
	}
	return apply(launch.Mul, x, y)
}

// up is the least power of two that is at least x and 2, and down the greatest that is
// at most x.
func up(x launch.Expr) launch.Expr   { return apply(launch.Up2, x) }
func down(x launch.Expr) launch.Expr { return apply(launch.Floor2, x) }

// less is x without y, or 0.
func less(x, y launch.Expr) launch.Expr {
	return most(apply(launch.Sub, x, y), launch.Int(0))
}

// parts is how many parts of so many there are in x, the last one perhaps smaller.
func parts(x launch.Expr, of launch.Expr) launch.Expr {
	return over(apply(launch.Sub, plus(x, of), launch.Int(1)), of)
}

// even is the next even number.
func even(x launch.Expr) launch.Expr {
	return times(over(plus(x, launch.Int(1)), launch.Int(2)), launch.Int(2))
}
