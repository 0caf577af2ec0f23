package value

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/value/long"
)

// The routines of bytea that have names of their own.
const (
	ByteaIn       = "bytea in"       // (text)
	ByteaConcat   = "bytea concat"   // (bytea, bytea)
	ByteaPart     = "bytea part"     // (bytea, from[, count])
	ByteaPosition = "bytea position" // (bytea, what is looked for)
	ByteaMD5      = "bytea md5"      // (bytea)
)

// byteaMark stands before the hexadecimal digits of a bytea that is held as a text. The texts order as
// the bytes do.
const byteaMark = `\x`

// ReadBytea reads a bytea in PostgreSQL's hexadecimal or escape format. It is held as the text in
// hexadecimal format.
func ReadBytea(m *Meter, s string) (Value, error) {
	if digits, ok := strings.CutPrefix(s, byteaMark); ok {
		return readHex(m, digits)
	}
	return readEscapes(m, s)
}

// HeldBytea is the text that a bytea is held as.
func HeldBytea(m *Meter, b []byte) string {
	w := maker{m: m}
	w.reserve(len(byteaMark) + 2*len(b))
	w.write(byteaMark)
	for ; len(b) > 0; b = b[min(len(b), chunkLength):] {
		w.write(hex.EncodeToString(b[:min(len(b), chunkLength)]))
	}
	return w.String()
}

func byteaValue(m *Meter, b []byte) Value { return textValue(HeldBytea(m, b)) }

// AppendBytea appends the bytes of a bytea that is held as a text.
func AppendBytea(m *Meter, dst []byte, held string) []byte {
	dst = long.Grow(dst, byteaLength(held))
	for digits := held[len(byteaMark):]; digits != ""; {
		n := min(len(digits), chunkLength)
		dst, _ = hex.AppendDecode(dst, []byte(digits[:n])) // the engine wrote the digits
		m.Must(n)
		digits = digits[n:]
	}
	return dst
}

// bytesOf are the bytes of a bytea.
func bytesOf(m *Meter, held string) []byte {
	m.growText(byteaLength(held))
	return AppendBytea(m, nil, held)
}

func byteaLength(held string) int { return (len(held) - len(byteaMark)) / 2 }

// readHex reads pairs of hexadecimal digits, with blanks between them.
func readHex(m *Meter, s string) (Value, error) {
	w := maker{m: m}
	w.reserve(len(byteaMark) + len(s))
	w.write(byteaMark)
	for i := 0; i < len(s); {
		if strings.IndexByte(" \n\t\r", s[i]) >= 0 {
			i++
			continue
		}
		for range 2 {
			if i == len(s) {
				return Value{}, Errorf(CodeInvalidParameter, "invalid hexadecimal data: odd number of digits")
			}
			digit := strings.IndexByte("0123456789abcdef", s[i]|0x20)
			if digit < 0 || s[i] < '0' {
				_, size := utf8.DecodeRuneInString(s[i:])
				return Value{}, Errorf(CodeInvalidParameter, "invalid hexadecimal digit: \"%s\"", s[i:i+size])
			}
			w.writeByte(s[i] | 0x20)
			i++
		}
	}
	return textValue(w.String()), nil
}

// readEscapes reads bytes of which a backslash stands before another one or three octal digits.
func readEscapes(m *Meter, s string) (Value, error) {
	m.growText(len(s))
	var out []byte
	for i := 0; i < len(s); i++ {
		if m.Must(1); s[i] != '\\' {
			out = long.Append(out, s[i])
			continue
		}
		switch digits := s[i+1:]; {
		case strings.HasPrefix(digits, `\`):
			out = long.Append(out, '\\')
			i++
		case len(digits) >= 3 && isOctal(digits[0], '3') && isOctal(digits[1], '7') && isOctal(digits[2], '7'):
			out = long.Append(out, (digits[0]-'0')<<6|(digits[1]-'0')<<3|(digits[2]-'0'))
			i += 3
		default:
			return Value{}, Errorf(CodeInvalidText, "invalid input syntax for type bytea")
		}
	}
	return byteaValue(m, out), nil
}

func isOctal(c, most byte) bool { return c >= '0' && c <= most }
