package value

// pairs are the numbers from 00 to 99.
const pairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

// AppendInt appends x in decimal.
func AppendInt(dst []byte, x int64) []byte {
	if x >= 0 {
		return appendFixed(dst, uint64(x), 0)
	}
	return appendFixed(append(dst, '-'), -uint64(x), 0)
}

// AppendDecimal64 appends the unscaled x of that scale as PostgreSQL writes it.
func AppendDecimal64(dst []byte, x int64, scale int) []byte {
	if scale > maxFixedScale {
		return AppendDecimal(dst, Int128Of(x), scale)
	}
	if x >= 0 {
		return appendFixed(dst, uint64(x), scale)
	}
	return appendFixed(append(dst, '-'), -uint64(x), scale)
}

// maxFixedScale is the largest scale of appendFixed.
const maxFixedScale = 20

// appendFixed appends u·10^-scale with a digit before the point at least.
func appendFixed(dst []byte, u uint64, scale int) []byte {
	var buf [maxFixedScale + 24]byte
	at := len(buf)
	if scale > 0 {
		for ; scale >= 2; scale -= 2 {
			p := u % 100 * 2
			u /= 100
			at -= 2
			buf[at], buf[at+1] = pairs[p], pairs[p+1]
		}
		if scale == 1 {
			at--
			buf[at] = byte('0' + u%10)
			u /= 10
		}
		at--
		buf[at] = '.'
	}
	for u >= 100 {
		p := u % 100 * 2
		u /= 100
		at -= 2
		buf[at], buf[at+1] = pairs[p], pairs[p+1]
	}
	if u >= 10 {
		at -= 2
		buf[at], buf[at+1] = pairs[2*u], pairs[2*u+1]
	} else {
		at--
		buf[at] = byte('0' + u)
	}
	return append(dst, buf[at:]...)
}

// appendPadded appends v in decimal with at least width digits.
func appendPadded(dst []byte, v uint64, width int) []byte {
	var buf [20]byte
	i := len(buf)
	for v > 0 || width > 0 {
		i--
		buf[i] = byte('0' + v%10)
		v /= 10
		width--
	}
	return append(dst, buf[i:]...)
}
