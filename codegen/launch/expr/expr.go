// Package expr makes the expressions of launch plans. What is constant is computed at
// once.
package expr

import "github.com/cubeloom/cubeloom/codegen/launch"

// The symbols of launch plans.
var (
	Rows         = launch.Sym{Kind: launch.SourceRows}
	Piece        = launch.Sym{Kind: launch.PieceRows}
	Streamed     = launch.Sym{Kind: launch.Streamed}
	Free         = launch.Sym{Kind: launch.Free}
	SMs          = launch.Sym{Kind: launch.SMs}
	SharedMemory = launch.Sym{Kind: launch.SharedMemory}
	Cache        = launch.Sym{Kind: launch.Cache}
	Estimate     = launch.Sym{Kind: launch.Estimate}
	Counted      = launch.Sym{Kind: launch.Counted}
	FewRows      = launch.Sym{Kind: launch.FewRows}
	MaxTurns     = launch.Sym{Kind: launch.MaxTurns}
	LongestText  = launch.Sym{Kind: launch.TextWords}
)

// Apply is an operation, computed where its operands are constant.
func Apply(op launch.Op, x ...launch.Expr) launch.Expr {
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

// Plus adds two expressions; the functions that follow are the other operations by name.
func Plus(x, y launch.Expr) launch.Expr      { return Apply(launch.Add, x, y) }
func Over(x, y launch.Expr) launch.Expr      { return Apply(launch.Div, x, y) }
func Min(x, y launch.Expr) launch.Expr       { return Apply(launch.Min, x, y) }
func Max(x, y launch.Expr) launch.Expr       { return Apply(launch.Max, x, y) }
func AtMost(x, y launch.Expr) launch.Expr    { return Apply(launch.Le, x, y) }
func Below(x, y launch.Expr) launch.Expr     { return Apply(launch.Lt, x, y) }
func Equal(x, y launch.Expr) launch.Expr     { return Apply(launch.Eq, x, y) }
func Differ(x, y launch.Expr) launch.Expr    { return Apply(launch.Ne, x, y) }
func Choose(c, x, y launch.Expr) launch.Expr { return Apply(launch.Select, c, x, y) }

// Times is a product, one factor of which may be 1.
func Times(x, y launch.Expr) launch.Expr {
	switch launch.Int(1) {
	case x:
		return y
	case y:
		return x
	}
	return Apply(launch.Mul, x, y)
}

// Up is the smallest power of two that is at least x and 2, and Down the largest that is
// at most x.
func Up(x launch.Expr) launch.Expr   { return Apply(launch.Up2, x) }
func Down(x launch.Expr) launch.Expr { return Apply(launch.Floor2, x) }

// Less is x without y, or 0.
func Less(x, y launch.Expr) launch.Expr {
	return Max(Apply(launch.Sub, x, y), launch.Int(0))
}

// Parts is how many parts of so many there are in x, the last one perhaps smaller.
func Parts(x launch.Expr, of launch.Expr) launch.Expr {
	return Over(Apply(launch.Sub, Plus(x, of), launch.Int(1)), of)
}

// Even is the next even number.
func Even(x launch.Expr) launch.Expr {
	return Times(Over(Plus(x, launch.Int(1)), launch.Int(2)), launch.Int(2))
}
