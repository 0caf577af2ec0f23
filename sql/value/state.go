package value

// A State is how rows are accumulated in double precision. A group has some numbers,
// which lie side by side and are all zero without rows. Add and Combine return an error
// when finite values overflow.
type State struct {
	// Add adds rows to groups: row i, whose arguments are args[0][i], args[1][i], …, to the
	// group whose numbers begin at states[n*to[i]], n being how many it has.
	Add func(states []float64, to []uint32, args [][]float64) error
	// Combine adds the rows of another group to one.
	Combine func(state, other []float64) error
}
