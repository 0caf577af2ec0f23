package value

// MaxDigits is the largest number of decimal digits of a Num, and the largest
// precision of a numeric type.
const MaxDigits = 38

// pow10 holds the powers of ten that fit in 128 bits, signed or not.
var pow10 = powersOfTen()

func powersOfTen() (p [MaxDigits + 1]uint128) {
	p[0] = uint128{lo: 1}
	for i := 1; i < len(p); i++ {
		_, p[i] = mul128(p[i-1], uint128{lo: 10})
	}
	return p
}

// Pow10 is 10^k for k in 0..38.
func Pow10(k int) Int128 {
	return Int128{Lo: pow10[k].lo, Hi: int64(pow10[k].hi)}
}

// pow10Int64 holds the powers of ten that fit in 64 bits.
var pow10Int64 = [...]int64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// Pow10Int64 is 10^k for k in 0..18.
func Pow10Int64(k int) int64 { return pow10Int64[k] }
