package value

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"
	"unicode/utf8"
)

var byteaRoutines = map[string][]Routine{
	ByteaIn:       {{Params: "s", Result: 'y', Metered: func(m *Meter, a []Value) (Value, error) { return ReadBytea(m, a[0].S) }}},
	ByteaConcat:   {{Params: "yy", Result: 'y', Metered: concatBytea}},
	ByteaPart:     {{Params: "yw", Result: 'y', Metered: byteaPart}, {Params: "yww", Result: 'y', Metered: byteaPart}},
	ByteaPosition: {{Params: "yy", Result: 'w', Metered: byteaPosition}},
	ByteaMD5: {{Params: "y", Result: 's', Metered: func(m *Meter, a []Value) (Value, error) {
		return textValue(hex.EncodeToString(hashed(m, md5.New(), a[0].S))), nil
	}}},
	"sha224":       byteaHash(sha256.New224),
	"sha256":       byteaHash(sha256.New),
	"sha384":       byteaHash(sha512.New384),
	"sha512":       byteaHash(sha512.New),
	"get_byte":     {{Params: "yw", Result: 'w', Call: getByte}},
	"set_byte":     {{Params: "yww", Result: 'y', Metered: setByte}},
	"encode":       {{Params: "ys", Result: 's', Metered: encodeBytea}},
	"decode":       {{Params: "ss", Result: 'y', Metered: decodeBytea}},
	"convert_to":   {{Params: "ss", Result: 'y', Metered: convertTo}},
	"convert_from": {{Params: "ys", Result: 's', Metered: convertFrom}},
}

// byteaHash is a hash of the bytes.
func byteaHash(by func() hash.Hash) []Routine {
	return []Routine{{Params: "y", Result: 'y', Metered: func(m *Meter, a []Value) (Value, error) {
		return byteaValue(m, hashed(m, by(), a[0].S)), nil
	}}}
}

func hashed(m *Meter, by hash.Hash, held string) []byte {
	b := bytesOf(m, held)
	for ; len(b) > 0; b = b[min(len(b), chunkLength):] {
		by.Write(b[:min(len(b), chunkLength)])
		m.Must(4 * chunkLength)
	}
	return by.Sum(nil)
}

func concatBytea(m *Meter, a []Value) (Value, error) {
	return textValue(Concat(m, a[0].S, a[1].S[len(byteaMark):])), nil
}

// byteaPart are the bytes from a place on, so many of them or all.
func byteaPart(m *Meter, a []Value) (Value, error) {
	digits, start, count := a[0].S[len(byteaMark):], 2*a[1].I-1, int64(len(a[0].S))
	if start < 0 && len(a) == 2 {
		start = 1
	}
	if len(a) == 3 {
		count = 2 * a[2].I
	}
	part, err := Substring(m, digits, start, count)
	return textValue(Concat(m, byteaMark, part)), err
}

// byteaPosition is where bytes begin within others, 0 for nowhere.
func byteaPosition(m *Meter, a []Value) (Value, error) {
	digits, looked := a[0].S[len(byteaMark):], a[1].S[len(byteaMark):]
	for at := 0; at <= len(digits); at++ {
		i := index(m, digits[at:], looked)
		if i < 0 {
			break
		}
		if at += i; at%2 == 0 {
			return intValue(int64(at/2 + 1)), nil
		}
	}
	return intValue(0), nil
}

// checkByte fails where there is no byte with a number.
func checkByte(held string, i int64) error {
	if n := byteaLength(held); i < 0 || i >= int64(n) {
		return Errorf(CodeArraySubscript, "index %d out of valid range, 0..%d", i, n-1)
	}
	return nil
}

func getByte(a []Value) (Value, error) {
	if err := checkByte(a[0].S, a[1].I); err != nil {
		return Value{}, err
	}
	at := len(byteaMark) + 2*int(a[1].I)
	b, err := hex.DecodeString(a[0].S[at : at+2])
	if err != nil {
		return Value{}, err
	}
	return intValue(int64(b[0])), nil
}

func setByte(m *Meter, a []Value) (Value, error) {
	if err := checkByte(a[0].S, a[1].I); err != nil {
		return Value{}, err
	}
	at := len(byteaMark) + 2*int(a[1].I)
	return textValue(Concat(m, a[0].S[:at]+hex.EncodeToString([]byte{byte(a[2].I)}), a[0].S[at+2:])), nil
}

// isUTF8 fails for the name of an encoding that texts cannot have.
func isUTF8(name, role string) error {
	switch strings.ToLower(strings.ReplaceAll(name, "-", "")) {
	case "utf8", "unicode":
		return nil
	case "latin1", "iso88591", "sql_ascii", "win1252":
		return Errorf(CodeFeatureNotSupported, "the encoding %s is not supported", name)
	}
	return Errorf(CodeInvalidParameter, "invalid %s encoding name \"%s\"", role, name)
}

func convertTo(m *Meter, a []Value) (Value, error) {
	if err := isUTF8(a[1].S, "destination"); err != nil {
		return Value{}, err
	}
	w := maker{m: m}
	w.write(byteaMark)
	for chunk := range chunks(m, a[0].S) {
		w.write(hex.EncodeToString([]byte(chunk)))
	}
	return textValue(w.String()), nil
}

func convertFrom(m *Meter, a []Value) (Value, error) {
	if err := isUTF8(a[1].S, "source"); err != nil {
		return Value{}, err
	}
	b := bytesOf(m, a[0].S)
	for rest := b; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size <= 1 || r == 0 {
			return Value{}, Errorf(CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\": %s", sequence(rest))
		}
		m.Must(1)
		rest = rest[size:]
	}
	return textValue(string(b)), nil
}

// sequence is what messages show of bytes that are no character.
func sequence(b []byte) string {
	n := 1
	switch {
	case b[0] >= 0xf0 && b[0] < 0xf8:
		n = 4
	case b[0] >= 0xe0 && b[0] < 0xf0:
		n = 3
	case b[0] >= 0xc0 && b[0] < 0xe0:
		n = 2
	}
	shown := make([]string, min(n, len(b)))
	for i := range shown {
		shown[i] = "0x" + hex.EncodeToString(b[i:i+1])
	}
	return strings.Join(shown, " ")
}
