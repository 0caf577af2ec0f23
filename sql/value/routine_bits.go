package value

import "math/bits"

var bitRoutines = map[string][]Routine{
	"bit_count": {{Params: "y", Result: 'l', Metered: countBits}},
	"get_bit":   {{Params: "yl", Result: 'w', Call: getBit}},
	"set_bit":   {{Params: "ylw", Result: 'y', Metered: setBit}},
}

// countBits is how many bits of the bytes are set.
func countBits(m *Meter, a []Value) (Value, error) {
	n := 0
	for _, b := range bytesOf(m, a[0].S) {
		n += bits.OnesCount8(b)
	}
	return intValue(int64(n)), nil
}

// checkBit fails where there is no bit with a number.
func checkBit(held string, i int64) error {
	if n := 8 * int64(byteaLength(held)); i < 0 || i >= n {
		return Errorf(CodeArraySubscript, "index %d out of valid range, 0..%d", i, n-1)
	}
	return nil
}

func getBit(a []Value) (Value, error) {
	if err := checkBit(a[0].S, a[1].I); err != nil {
		return Value{}, err
	}
	b, err := getByte([]Value{a[0], intValue(a[1].I / 8)})
	return intValue(b.I >> (a[1].I % 8) & 1), err
}

func setBit(m *Meter, a []Value) (Value, error) {
	if err := checkBit(a[0].S, a[1].I); err != nil {
		return Value{}, err
	}
	if a[2].I != 0 && a[2].I != 1 {
		return Value{}, Errorf(CodeInvalidParameter, "new bit must be 0 or 1")
	}
	at := intValue(a[1].I / 8)
	b, err := getByte([]Value{a[0], at})
	if err != nil {
		return Value{}, err
	}
	bit := a[1].I % 8
	return setByte(m, []Value{a[0], at, intValue(b.I&^(1<<bit) | a[2].I<<bit)})
}
