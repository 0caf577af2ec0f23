package value

// The routines that operators on bits are.
const (
	BitAnd     = "bits and"
	BitOr      = "bits or"
	BitXor     = "bits xor"
	ShiftLeft  = "bits left"
	ShiftRight = "bits right"
)

// bitwise is an operation on the bits of two integers.
func bitwise(f func(x, y int64) int64) []Routine {
	call := func(a []Value) (Value, error) { return intValue(f(a[0].I, a[1].I)), nil }
	return []Routine{{Params: "ww", Result: 'w', Call: call}, {Params: "ll", Result: 'l', Call: call}}
}

// shifted is a shift of an integer: only the last bits of the number of places
// count, those that number the bits of the integer.
func shifted(f func(x int64, n uint) int64) []Routine {
	return []Routine{
		{Params: "ww", Result: 'w', Call: func(a []Value) (Value, error) {
			return intValue(int64(int32(f(a[0].I, uint(a[1].I)&31)))), nil
		}},
		{Params: "lw", Result: 'l', Call: func(a []Value) (Value, error) { return intValue(f(a[0].I, uint(a[1].I)&63)), nil }},
	}
}
