package term

import "github.com/cubeloom/cubeloom/planner/algebra"

// CanGiveNull reports whether a function can give NULL.
func CanGiveNull(f algebra.WindowFunc) bool {
	switch f {
	case algebra.RowNumber, algebra.Rank, algebra.DenseRank, algebra.PercentRank, algebra.CumeDist,
		algebra.WindowFunc(algebra.Count), algebra.WindowFunc(algebra.CountStar):
		return false
	}
	return true
}
