package workload

// A Query is one question of a benchmark together with how its answers are
// compared. Numbers are compared exactly, never within a tolerance.
type Query struct {
	// Name is short and unique within its family: "Q1.1", "cube3".
	Name string
	// SQL is one statement in PostgreSQL's spelling, without a semicolon.
	SQL string
	// OrderBy lists the result's sort keys. They need not decide the order
	// of all rows: two answers agree when both are sorted by the keys and
	// hold the same rows as multisets. Empty means that any order is right.
	OrderBy []Key
	// Magnitude is that of the numbers between which floating-point results are
	// differences: they are compared within the precision of such numbers. 0 is the
	// results' own.
	Magnitude float64
}

// A Key is one sort key of a result.
type Key struct {
	// Column is the index of the result column.
	Column int
	// Desc says that the order is descending.
	Desc bool
}

// asc lists ascending keys.
func asc(columns ...int) []Key {
	keys := make([]Key, len(columns))
	for i, c := range columns {
		keys[i].Column = c
	}
	return keys
}
