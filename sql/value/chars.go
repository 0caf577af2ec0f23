package value

// cSpace are the characters that PostgreSQL skips around a value: those of C's
// isspace.
const cSpace = " \t\n\v\f\r"

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isDigit(c) && !isLetter(c)
}

// skip returns the first place from pos on whose byte is not accepted.
func skip(s string, pos int, accept func(byte) bool) int {
	for pos < len(s) && accept(s[pos]) {
		pos++
	}
	return pos
}
