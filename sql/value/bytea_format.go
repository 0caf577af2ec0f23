package value

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/value/long"
)

// base64Line is how many characters of base64 stand in a line, and base64Bytes what they are of.
const base64Line, base64Bytes = 76, 57

// encodeBytea is encode(bytea, format).
func encodeBytea(m *Meter, a []Value) (Value, error) {
	w := maker{m: m}
	switch strings.ToLower(a[1].S) {
	case "hex":
		w.write(a[0].S[len(byteaMark):])
	case "base64":
		b := bytesOf(m, a[0].S)
		for ; len(b) >= base64Bytes; b = b[base64Bytes:] {
			w.write(base64.StdEncoding.EncodeToString(b[:base64Bytes]) + "\n")
		}
		w.write(base64.StdEncoding.EncodeToString(b))
	case "escape":
		for _, c := range bytesOf(m, a[0].S) {
			switch {
			case c == '\\':
				w.write(`\\`)
			case c == 0 || c >= utf8.RuneSelf:
				w.write(fmt.Sprintf(`\%03o`, c))
			default:
				w.writeByte(c)
			}
		}
	default:
		return Value{}, errEncoding(a[1].S)
	}
	return textValue(w.String()), nil
}

// decodeBytea is decode(text, format).
func decodeBytea(m *Meter, a []Value) (Value, error) {
	switch strings.ToLower(a[1].S) {
	case "hex":
		return readHex(m, a[0].S)
	case "base64":
		return readBase64(m, a[0].S)
	case "escape":
		return readEscapes(m, a[0].S)
	}
	return Value{}, errEncoding(a[1].S)
}

func errEncoding(name string) error {
	return Errorf(CodeInvalidParameter, "unrecognized encoding: \"%s\"", name)
}

// readBase64 reads base64 with blanks anywhere, as PostgreSQL does: what stands behind a group with =
// counts as long as the last group is whole.
func readBase64(m *Meter, s string) (Value, error) {
	m.growText(len(s))
	var out []byte
	group, pos, end := uint32(0), 0, 0
	for i := 0; i < len(s); i++ {
		m.Must(1)
		digit := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", s[i])
		switch {
		case strings.IndexByte(" \t\n\r", s[i]) >= 0:
			continue
		case s[i] == '=' && end == 0 && pos != 2 && pos != 3:
			return Value{}, Errorf(CodeInvalidParameter, "unexpected \"=\" while decoding base64 sequence")
		case s[i] == '=':
			if end == 0 {
				end = pos - 1
			}
			digit = 0
		case digit < 0:
			_, size := utf8.DecodeRuneInString(s[i:])
			return Value{}, Errorf(CodeInvalidParameter, "invalid symbol \"%s\" found while decoding base64 sequence", s[i:i+size])
		}
		group = group<<6 | uint32(digit)
		if pos++; pos < 4 {
			continue
		}
		size := 3
		if end > 0 {
			size = end
		}
		out = long.Append(out, []byte{byte(group >> 16), byte(group >> 8), byte(group)}[:size]...)
		group, pos = 0, 0
	}
	if pos != 0 {
		e := Errorf(CodeInvalidParameter, "invalid base64 end sequence")
		e.Hint = "Input data is missing padding, is truncated, or is otherwise corrupted."
		return Value{}, e
	}
	return byteaValue(m, out), nil
}
