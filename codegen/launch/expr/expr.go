// Package expr makes the expressions of launch plans. What is constant is computed at
// once.
package expr

import "github.com/cubeloom/cubeloom/codegen/launch"

// The symbols of launch plans.
var (
	Rows         = launch.Sym{Kind: launch.SourceRows}
	Chunk        = launch.Sym{Kind: launch.ChunkRows}
	Left         = launch.Sym{Kind: launch.LeftRows}
	Streamed     = launch.Sym{Kind: launch.Streamed}
	Free         = launch.Sym{Kind: launch.Free}
	SMs          = launch.Sym{Kind: launch.SMs}
	SharedMemory = launch.Sym{Kind: launch.SharedMemory}
	Cache        = launch.Sym{Kind: launch.Cache}
	Estimate     = launch.Sym{Kind: launch.Estimate}
	Counted      = launch.Sym{Kind: launch.Counted}
	Filled       = launch.Sym{Kind: launch.Filled}
	FewRows      = launch.Sym{Kind: launch.FewRows}
	FlushTiles   = launch.Sym{Kind: launch.FlushTiles}
	// What a tuner chooses; 0: the plan does.
	TunedShared   = launch.Sym{Kind: launch.TunedShared}
	TunedReplicas = launch.Sym{Kind: launch.TunedReplicas}
	TunedRanges   = launch.Sym{Kind: launch.TunedRanges}
	LongestText   = launch.Sym{Kind: launch.TextWords}
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
func Plus(x, y launch.Expr) launch.Expr        { return Apply(launch.Add, x, y) }
func Div(x, y launch.Expr) launch.Expr         { return Apply(launch.Div, x, y) }
func Min(x, y launch.Expr) launch.Expr         { return Apply(launch.Min, x, y) }
func Max(x, y launch.Expr) launch.Expr         { return Apply(launch.Max, x, y) }
func LessOrEqual(x, y launch.Expr) launch.Expr { return Apply(launch.Le, x, y) }
func LessThan(x, y launch.Expr) launch.Expr    { return Apply(launch.Lt, x, y) }
func Equal(x, y launch.Expr) launch.Expr       { return Apply(launch.Eq, x, y) }
func NotEqual(x, y launch.Expr) launch.Expr    { return Apply(launch.Ne, x, y) }
func Select(c, x, y launch.Expr) launch.Expr   { return Apply(launch.Select, c, x, y) }

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

// CeilPow2 is the smallest power of two that is at least x and 2, and FloorPow2 the largest
// that is at most x.
func CeilPow2(x launch.Expr) launch.Expr  { return Apply(launch.CeilPow2, x) }
func FloorPow2(x launch.Expr) launch.Expr { return Apply(launch.FloorPow2, x) }

// Minus is x − y, or 0 where y is greater.
func Minus(x, y launch.Expr) launch.Expr {
	return Max(Apply(launch.Sub, x, y), launch.Int(0))
}

// CeilDiv is x / y, rounded up.
func CeilDiv(x, y launch.Expr) launch.Expr {
	return Div(Apply(launch.Sub, Plus(x, y), launch.Int(1)), y)
}

// Even is the next even number.
func Even(x launch.Expr) launch.Expr {
	return Times(Div(Plus(x, launch.Int(1)), launch.Int(2)), launch.Int(2))
}
