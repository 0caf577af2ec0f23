package value

import (
	little "encoding/binary"
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// chunkLength is how many bytes of a large text are worked on between two looks at
// the meter.
const chunkLength = 64 << 10

// growText charges a text of n bytes that is about to be made, which MaxLength bounds.
func (m *Meter) growText(n int) {
	if n > MaxLength {
		panic(errTextTooLong())
	}
	m.MustGrow(n)
}

// Settle takes back what was charged since used bytes were taken, but for the n bytes
// that are kept.
func (m *Meter) Settle(used, n int) {
	if m != nil {
		m.Shrink(m.Used() - used - min(n, m.Used()-used))
	}
}

// chunks are the parts of a text, which are cut between characters.
func chunks(m *Meter, s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			end := len(s)
			if end > chunkLength {
				for end = chunkLength; !utf8.RuneStart(s[end]); end-- {
				}
			}
			if m.Must(end); !yield(s[:end]) {
				return
			}
			s = s[end:]
		}
	}
}

// maker makes a text and charges its bytes before it takes them. The zero maker with a
// meter is an empty text.
type maker struct {
	m   *Meter
	out strings.Builder
}

// reserve makes room for n more bytes.
func (w *maker) reserve(n int) {
	size := w.out.Len() + n
	switch {
	case size > MaxLength:
		panic(errTextTooLong())
	case size <= w.out.Cap():
		return
	}
	if w.out.Len() > 0 {
		size = min(max(size, 2*w.out.Cap()), MaxLength)
	}
	w.m.MustGrow(size)
	old := w.out.Cap()
	w.extend(size)
	w.m.Shrink(old)
}

// extend makes room for size bytes of text in all.
func (w *maker) extend(size int) {
	written := w.out.String()
	w.out = strings.Builder{}
	w.out.Grow(size)
	w.copy(written)
}

// copy writes a text for which there is room.
func (w *maker) copy(s string) {
	for ; len(s) > chunkLength; s = s[chunkLength:] {
		w.m.Must(chunkLength / 8)
		w.out.WriteString(s[:chunkLength])
	}
	w.out.WriteString(s)
	w.m.Must(1 + len(s)/8)
}

// write adds a text.
func (w *maker) write(s string) {
	w.reserve(len(s))
	w.copy(s)
}

// writeByte adds a byte.
func (w *maker) writeByte(c byte) {
	w.reserve(1)
	w.out.WriteByte(c)
	w.m.Must(1)
}

// repeat adds a text n times.
func (w *maker) repeat(s string, n int) {
	if s == "" || n <= 0 {
		return
	}
	if n > MaxLength/len(s) {
		panic(errTextTooLong())
	}
	w.reserve(n * len(s))
	// What has been written is copied, up to a chunk at a time.
	from := w.out.Len()
	w.copy(s)
	for left := (n - 1) * len(s); left > 0; {
		done := w.out.String()[from:]
		chunk := min(len(done), max(chunkLength/len(s), 1)*len(s), left)
		w.copy(done[:chunk])
		left -= chunk
	}
}

func (w *maker) String() string { return w.out.String() }

// mapText maps each character of a text to another; negative ones are left out.
func mapText(m *Meter, s string, to func(rune) rune) string {
	if len(s) <= chunkLength {
		m.growText(len(s))
		m.Must(len(s))
		return strings.Map(to, s)
	}
	w := maker{m: m}
	w.reserve(len(s))
	for chunk := range chunks(m, s) {
		w.write(strings.Map(to, chunk))
	}
	return w.String()
}

// length is the number of characters.
func length(m *Meter, s string) (n int) {
	if len(s) <= chunkLength {
		m.Must(1 + len(s)/8)
		return characters(s)
	}
	for chunk := range chunks(m, s) {
		n += characters(chunk)
	}
	return n
}

// characters is the number of characters of valid UTF-8, eight bytes at a time: of ASCII that of its bytes, else
// of those that continue none.
func characters(s string) int {
	bytes := unsafe.Slice(unsafe.StringData(s), len(s))
	if isASCII(bytes) {
		return len(s)
	}
	const lowBits = 0x0101010101010101
	n := len(s)
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		x := little.LittleEndian.Uint64(bytes)
		n -= bits.OnesCount64(x >> 7 & (^x >> 6) & lowBits)
	}
	for _, c := range bytes {
		if c&0xc0 == 0x80 {
			n--
		}
	}
	return n
}

// isASCII reports whether no byte has its highest bit.
func isASCII(bytes []byte) bool {
	const highBits = 0x8080808080808080
	var any uint64
	if n := len(bytes); n >= 8 {
		for rest := bytes; len(rest) >= 8; rest = rest[8:] {
			any |= little.LittleEndian.Uint64(rest)
		}
		return (any|little.LittleEndian.Uint64(bytes[n-8:]))&highBits == 0 // the last ones once more
	}
	for _, c := range bytes {
		any |= uint64(c)
	}
	return any&highBits == 0
}

// offset is where the character after the first n begins; n beyond the end gives
// len(s).
func offset(m *Meter, s string, n int64) (at int) {
	if n >= int64(len(s)) {
		return len(s)
	}
	if n <= chunkLength {
		m.Must(1 + int(max(n, 0))/8)
		return byteOffset(s, n)
	}
	for chunk := range chunks(m, s) {
		count := int64(characters(chunk))
		if count > n {
			return at + byteOffset(chunk, n)
		}
		n -= count
		at += len(chunk)
	}
	return at
}

// largeNeedle is how long a text must be to be looked for by hashing here: the standard
// library does so without a look at the meter.
const largeNeedle = 1 << 20

// index is the place of the first byte of needle in s, −1 for none.
func index(m *Meter, s, needle string) int {
	if len(s) <= chunkLength {
		m.Must(1 + len(s)/8)
		return strings.Index(s, needle)
	}
	if len(needle) > largeNeedle {
		return indexLarge(m, s, needle)
	}
	step := max(chunkLength, 2*len(needle))
	for at := 0; at+len(needle) <= len(s); at += step {
		i := strings.Index(s[at:min(at+step+len(needle)-1, len(s))], needle)
		if i >= 0 {
			m.Must(1 + i)
			return at + i
		}
		m.Must(step)
	}
	return -1
}

// indexLarge is index by a rolling hash (Rabin and Karp).
func indexLarge(m *Meter, s, needle string) int {
	const prime = 16777619
	n := len(needle)
	if n > len(s) {
		return -1
	}
	var want, hash uint64
	power := uint64(1)
	for i := range n {
		want, hash, power = want*prime+uint64(needle[i]), hash*prime+uint64(s[i]), power*prime
		if i%chunkLength == 0 {
			m.Must(chunkLength)
		}
	}
	for i := 0; ; i++ {
		if hash == want && s[i:i+n] == needle {
			return i
		}
		if i+n == len(s) {
			return -1
		}
		hash = hash*prime + uint64(s[i+n]) - power*uint64(s[i])
		if i%chunkLength == 0 {
			m.Must(chunkLength)
		}
	}
}

// count is how often needle, which is not empty, stands in s without overlaps.
func count(m *Meter, s, needle string) (n int) {
	if len(s) <= chunkLength {
		m.Must(len(s))
		return strings.Count(s, needle)
	}
	for {
		i := index(m, s, needle)
		if i < 0 {
			return n
		}
		n++
		s = s[i+len(needle):]
	}
}

func errTextTooLong() error { return Errorf(CodeProgramLimit, "requested length too large") }

// byteOffset is the offset of the character after the first n; n beyond the
// end gives len(s).
func byteOffset(s string, n int64) int {
	if n >= int64(len(s)) {
		return len(s)
	}
	offset := 0
	for ; n > 0 && offset < len(s); n-- {
		if s[offset] < utf8.RuneSelf {
			offset++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}
