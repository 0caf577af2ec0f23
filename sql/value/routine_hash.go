package value

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
)

// hashRoutines are the hash functions by which PostgreSQL tells to which of a table's partitions a row
// belongs: rows that it has exported by partition are those of the same partitions here.
var hashRoutines = map[string][]Routine{
	"hashint2extended":        {{Params: "wl", Result: 'l', Call: hashInt}},
	"hashint4extended":        {{Params: "wl", Result: 'l', Call: hashInt}},
	"hashint8extended":        {{Params: "ll", Result: 'l', Call: hashLong}},
	"hashfloat4extended":      {{Params: "rl", Result: 'l', Call: hashFloat}},
	"hashfloat8extended":      {{Params: "fl", Result: 'l', Call: hashFloat}},
	"hashtextextended":        {{Params: "sl", Result: 'l', Metered: hashText}},
	"hash_numeric_extended":   {{Params: "nl", Result: 'l', Call: hashNumeric}},
	"uuid_hash_extended":      {{Params: "ul", Result: 'l', Call: hashUUID}},
	"timestamp_hash_extended": {{Params: "tl", Result: 'l', Call: hashTimestamp}},
	"time_hash_extended":      {{Params: "kl", Result: 'l', Call: hashLong}},
	"partition_remainder":     {{Params: "sl", Result: 'l', Metered: partitionRemainder}},
}

func hashValue(h uint64) (Value, error) { return intValue(int64(h)), nil }

func hashInt(a []Value) (Value, error) { return hashValue(hashWord(uint32(a[0].I), uint64(a[1].I))) }

func hashLong(a []Value) (Value, error) { return hashValue(hashLongWord(a[0].I, uint64(a[1].I))) }

// hashLongWord is the hash of a number of 64 bits, which is that of one of 32 bits where it fits.
func hashLongWord(i int64, seed uint64) uint64 {
	low, high := uint32(i), uint32(i>>32)
	if i < 0 {
		high = ^high
	}
	return hashWord(low^high, seed)
}

// hashFloat is the hash of a number, which is the same for real and double precision.
func hashFloat(a []Value) (Value, error) {
	if a[0].F == 0 {
		return a[1], nil // minus zero, too
	}
	f := a[0].F
	if math.IsNaN(f) {
		f = math.Float64frombits(0x7ff8 << 48)
	}
	return hashValue(hashBytes(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)), uint64(a[1].I)))
}

func hashText(m *Meter, a []Value) (Value, error) {
	if err := m.Check(len(a[0].S)); err != nil {
		return Value{}, err
	}
	return hashValue(hashBytes([]byte(a[0].S), uint64(a[1].I)))
}

func hashUUID(a []Value) (Value, error) {
	return hashValue(hashBytes(AppendUUIDBytes(nil, a[0].S), uint64(a[1].I)))
}

// postgresEpoch is 2000-01-01, from which PostgreSQL counts microseconds.
const postgresEpoch = 10957 * 24 * 3600 * 1000000

func hashTimestamp(a []Value) (Value, error) {
	i := a[0].I
	if i != math.MinInt64 && i != math.MaxInt64 {
		i -= postgresEpoch
	}
	return hashValue(hashLongWord(i, uint64(a[1].I)))
}

// hashNumeric is the hash of the digits of a numeric in base 10,000, as PostgreSQL keeps them.
func hashNumeric(a []Value) (Value, error) {
	text := strings.TrimPrefix(string(a[0].Num.Append(nil)), "-")
	whole, fraction, _ := strings.Cut(text, ".")
	whole = strings.Repeat("0", -len(whole)&3) + whole
	fraction += strings.Repeat("0", -len(fraction)&3)
	weight := len(whole)/4 - 1
	digits := whole + fraction
	for strings.HasPrefix(digits, "0000") {
		digits = digits[4:]
		weight--
	}
	for strings.HasSuffix(digits, "0000") && len(digits)%4 == 0 {
		digits = digits[:len(digits)-4]
	}
	if digits == "" {
		return intValue(a[1].I - 1), nil
	}
	var bytes []byte
	for ; digits != ""; digits = digits[4:] {
		digit := 0
		for _, c := range digits[:4] {
			digit = 10*digit + int(c-'0')
		}
		bytes = binary.LittleEndian.AppendUint16(bytes, uint16(digit))
	}
	return hashValue(hashBytes(bytes, uint64(a[1].I)) ^ uint64(int64(weight)))
}

// partitionRemainder puts the hashes of keys together, but for those of NULL, and takes the remainder.
func partitionRemainder(m *Meter, a []Value) (Value, error) {
	if a[1].I <= 0 {
		return Value{}, Errorf(CodeInvalidParameter, "modulus for hash partition must be an integer value greater than zero")
	}
	var all uint64
	for item := range items(m, a[0].S) {
		if item.Null {
			continue
		}
		h, err := ParseInt(item.Text, 64)
		if err != nil {
			return Value{}, err
		}
		all ^= uint64(h) + 0x49a0f4dd15e5a8e3 + all<<54 + all>>7
	}
	return hashValue(all % uint64(a[1].I))
}

// hashState is the state of Jenkins' lookup3, the function that PostgreSQL hashes bytes by.
type hashState struct{ a, b, c uint32 }

func startHash(n int, seed uint64) hashState {
	begin := 0x9e3779b9 + uint32(n) + 3923095
	s := hashState{begin, begin, begin}
	if seed != 0 {
		s.a += uint32(seed >> 32)
		s.b += uint32(seed)
		s.mix()
	}
	return s
}

func (s *hashState) mix() {
	a, b, c := s.a, s.b, s.c
	step := func(x, y, z *uint32, by int) {
		*x -= *z
		*x ^= bits.RotateLeft32(*z, by)
		*z += *y
	}
	step(&a, &b, &c, 4)
	step(&b, &c, &a, 6)
	step(&c, &a, &b, 8)
	step(&a, &b, &c, 16)
	step(&b, &c, &a, 19)
	step(&c, &a, &b, 4)
	s.a, s.b, s.c = a, b, c
}

func (s *hashState) end() uint64 {
	a, b, c := s.a, s.b, s.c
	step := func(x *uint32, y uint32, by int) {
		*x ^= y
		*x -= bits.RotateLeft32(y, by)
	}
	step(&c, b, 14)
	step(&a, c, 11)
	step(&b, a, 25)
	step(&c, b, 16)
	step(&a, c, 4)
	step(&b, a, 14)
	step(&c, b, 24)
	return uint64(b)<<32 | uint64(c)
}

// hashWord is the hash of a number of 32 bits.
func hashWord(k uint32, seed uint64) uint64 {
	s := startHash(4, seed)
	s.a += k
	return s.end()
}

// hashBytes is the hash of bytes.
func hashBytes(k []byte, seed uint64) uint64 {
	s := startHash(len(k), seed)
	for ; len(k) >= 12; k = k[12:] {
		s.a += binary.LittleEndian.Uint32(k)
		s.b += binary.LittleEndian.Uint32(k[4:])
		s.c += binary.LittleEndian.Uint32(k[8:])
		s.mix()
	}
	var rest [12]byte
	copy(rest[:8], k)
	if len(k) > 8 {
		copy(rest[9:], k[8:]) // the lowest byte of c is that of the length
	}
	s.a += binary.LittleEndian.Uint32(rest[:])
	s.b += binary.LittleEndian.Uint32(rest[4:])
	s.c += binary.LittleEndian.Uint32(rest[8:])
	return s.end()
}
