package value

import (
	"encoding/hex"
	"strings"
)

// UUIDIn is the routine that reads a text as a uuid, and UUIDOf that which makes a random
// one of three numbers of at least 0 and less than 1.
const (
	UUIDIn = "uuid in"
	UUIDOf = "uuid of"
)

var uuidRoutines = map[string][]Routine{
	UUIDIn: {{Params: "s", Result: 'u', Call: func(a []Value) (Value, error) { return ReadUUID(a[0].S) }}},
	UUIDOf: {{Params: "fff", Result: 'u', Call: randomUUID}},
}

// UUIDSize is how many bytes a uuid has.
const UUIDSize = 16

// ReadUUID reads a uuid in PostgreSQL's spellings: 32 hexadecimal digits, with or without a
// dash behind each four, in braces or not. It is held as the text that PostgreSQL writes
// of it, which orders as the bytes do.
func ReadUUID(s string) (Value, error) {
	rest, braces := strings.CutPrefix(s, "{")
	var b [UUIDSize]byte
	ok := true
	for i := 0; i < len(b) && ok; i++ {
		if ok = len(rest) >= 2; !ok {
			break
		}
		_, err := hex.Decode(b[i:i+1], []byte(rest[:2]))
		rest, ok = rest[2:], err == nil
		if i%2 == 1 && i < len(b)-1 {
			rest = strings.TrimPrefix(rest, "-")
		}
	}
	if braces {
		var closed bool
		rest, closed = strings.CutPrefix(rest, "}")
		ok = ok && closed
	}
	if !ok || rest != "" {
		return Value{}, Errorf(CodeInvalidText, "invalid input syntax for type uuid: \"%s\"", s)
	}
	return textValue(string(AppendUUID(nil, b[:]))), nil
}

// AppendUUID appends the text of the bytes of a uuid.
func AppendUUID(dst, b []byte) []byte {
	for i, c := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, []byte{c})
	}
	return dst
}

// AppendUUIDBytes appends the bytes of a uuid whose text AppendUUID has written.
func AppendUUIDBytes(dst []byte, text string) []byte {
	dst, _ = hex.AppendDecode(dst, []byte(strings.ReplaceAll(text, "-", "")))
	return dst
}

// randomUUID is a uuid of version 4.
func randomUUID(a []Value) (Value, error) {
	var b [UUIDSize]byte
	for i := range b {
		part := uint64(a[i/6].F * (1 << 53))
		b[i] = byte(part >> (i % 6 * 8))
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return textValue(string(AppendUUID(nil, b[:]))), nil
}
