package kernel

import "math/bits"

// KeyValues is the number of values, NULL aside, that a key can have, and the least of them
// where they are integers; 0 stands for 2^64. ok is false where they do not fit a word.
func (v Value) KeyValues() (lo int64, n uint64, ok bool) {
	switch v.Type {
	case Bool:
		return 0, 2, true
	case I32, I64, I128, Code:
		if r := v.Range; r.Known && r.Lo <= r.Hi {
			return r.Lo, uint64(r.Hi) - uint64(r.Lo) + 1, true
		}
	}
	switch v.Type {
	case I32:
		return -1 << 31, 1 << 32, true
	case Code:
		return 0, 1 << 31, true
	case I64, F64:
		return 0, 0, true
	}
	return 0, 0, false
}

// KeyBits is how many bits of a word hold each value of a key; ok is false where a word is
// not enough. With nullSafe NULL is a value, too.
func (v Value) KeyBits(nullSafe bool) (n uint, ok bool) {
	_, values, ok := v.KeyValues()
	top := values - 1
	if nullSafe && v.Nullable {
		ok = ok && values != 0
		top = values
	}
	return uint(bits.Len64(top)), ok
}
