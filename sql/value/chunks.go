package value

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// chunkLength is how many bytes of a large text are worked on between two looks at
// the meter.
const chunkLength = 64 << 10

// growText charges a text of n bytes that is about to be made, which MaxLength bounds.
func (m *Meter) growText(n int) error {
	if n > MaxLength {
		return errTextTooLong()
	}
	return m.Grow(n)
}

// Settle takes back what was charged since used bytes were taken, but for the n bytes
// that are kept.
func (m *Meter) Settle(used, n int) {
	if m != nil {
		m.Shrink(m.Used() - used - min(n, m.Used()-used))
	}
}

// chunks are the parts of a text, which are cut between characters. Err is set where
// they end because the statement is to end.
func chunks(m *Meter, s string, err *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			end := len(s)
			if end > chunkLength {
				for end = chunkLength; !utf8.RuneStart(s[end]); end-- {
				}
			}
			if *err = m.Check(end); *err != nil || !yield(s[:end]) {
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
func (w *maker) reserve(n int) error {
	size := w.out.Len() + n
	switch {
	case size > MaxLength:
		return errTextTooLong()
	case size <= w.out.Cap():
		return nil
	}
	if w.out.Len() > 0 {
		size = min(max(size, 2*w.out.Cap()), MaxLength)
	}
	if err := w.m.Grow(size); err != nil {
		return err
	}
	old := w.out.Cap()
	if err := w.extend(size); err != nil {
		return err
	}
	w.m.Shrink(old)
	return nil
}

// extend makes room for size bytes of text in all.
func (w *maker) extend(size int) error {
	written := w.out.String()
	w.out = strings.Builder{}
	w.out.Grow(size)
	return w.copy(written)
}

// copy writes a text for which there is room.
func (w *maker) copy(s string) error {
	for ; len(s) > chunkLength; s = s[chunkLength:] {
		if err := w.m.Check(chunkLength / 8); err != nil {
			return err
		}
		w.out.WriteString(s[:chunkLength])
	}
	w.out.WriteString(s)
	return w.m.Check(1 + len(s)/8)
}

// write adds a text.
func (w *maker) write(s string) error {
	if err := w.reserve(len(s)); err != nil {
		return err
	}
	return w.copy(s)
}

// writeByte adds a byte.
func (w *maker) writeByte(c byte) error {
	if err := w.reserve(1); err != nil {
		return err
	}
	w.out.WriteByte(c)
	return w.m.Check(1)
}

// repeat adds a text n times.
func (w *maker) repeat(s string, n int) error {
	if s == "" || n <= 0 {
		return nil
	}
	if n > MaxLength/len(s) {
		return errTextTooLong()
	}
	if err := w.reserve(n * len(s)); err != nil {
		return err
	}
	// What has been written is copied, up to a chunk at a time.
	from := w.out.Len()
	if err := w.copy(s); err != nil {
		return err
	}
	for left := (n - 1) * len(s); left > 0; {
		done := w.out.String()[from:]
		chunk := min(len(done), max(chunkLength/len(s), 1)*len(s), left)
		if err := w.copy(done[:chunk]); err != nil {
			return err
		}
		left -= chunk
	}
	return nil
}

func (w *maker) String() string { return w.out.String() }

// mapText maps each character of a text to another; negative ones are left out.
func mapText(m *Meter, s string, to func(rune) rune) (string, error) {
	if len(s) <= chunkLength {
		if err := m.growText(len(s)); err != nil {
			return "", err
		}
		return strings.Map(to, s), m.Check(len(s))
	}
	w := maker{m: m}
	err := w.reserve(len(s))
	if err != nil {
		return "", err
	}
	for chunk := range chunks(m, s, &err) {
		if err := w.write(strings.Map(to, chunk)); err != nil {
			return "", err
		}
	}
	return w.String(), err
}

// length is the number of characters.
func length(m *Meter, s string) (n int, err error) {
	if len(s) <= chunkLength {
		return utf8.RuneCountInString(s), m.Check(1 + len(s)/8)
	}
	for chunk := range chunks(m, s, &err) {
		n += utf8.RuneCountInString(chunk)
	}
	return n, err
}

// offset is where the character after the first n begins; n beyond the end gives
// len(s).
func offset(m *Meter, s string, n int64) (at int, err error) {
	if n >= int64(len(s)) {
		return len(s), nil
	}
	if n <= chunkLength {
		return byteOffset(s, n), m.Check(1 + int(max(n, 0))/8)
	}
	for chunk := range chunks(m, s, &err) {
		count := int64(utf8.RuneCountInString(chunk))
		if count > n {
			return at + byteOffset(chunk, n), nil
		}
		n -= count
		at += len(chunk)
	}
	return at, err
}

// largeNeedle is how long a text must be to be looked for by hashing here: the standard
// library does so without a look at the meter.
const largeNeedle = 1 << 20

// index is the place of the first byte of needle in s, −1 for none.
func index(m *Meter, s, needle string) (int, error) {
	if len(s) <= chunkLength {
		return strings.Index(s, needle), m.Check(1 + len(s)/8)
	}
	if len(needle) > largeNeedle {
		return indexLarge(m, s, needle)
	}
	step := max(chunkLength, 2*len(needle))
	for at := 0; at+len(needle) <= len(s); at += step {
		i := strings.Index(s[at:min(at+step+len(needle)-1, len(s))], needle)
		if i >= 0 {
			return at + i, m.Check(1 + i)
		}
		if err := m.Check(step); err != nil {
			return -1, err
		}
	}
	return -1, nil
}

// indexLarge is index by a rolling hash (Rabin and Karp).
func indexLarge(m *Meter, s, needle string) (int, error) {
	const prime = 16777619
	n := len(needle)
	if n > len(s) {
		return -1, nil
	}
	var want, hash uint64
	power := uint64(1)
	for i := range n {
		want, hash, power = want*prime+uint64(needle[i]), hash*prime+uint64(s[i]), power*prime
		if i%chunkLength == 0 {
			if err := m.Check(chunkLength); err != nil {
				return -1, err
			}
		}
	}
	for i := 0; ; i++ {
		if hash == want && s[i:i+n] == needle {
			return i, nil
		}
		if i+n == len(s) {
			return -1, nil
		}
		hash = hash*prime + uint64(s[i+n]) - power*uint64(s[i])
		if i%chunkLength == 0 {
			if err := m.Check(chunkLength); err != nil {
				return -1, err
			}
		}
	}
}

// count is how often needle, which is not empty, stands in s without overlaps.
func count(m *Meter, s, needle string) (n int, err error) {
	if len(s) <= chunkLength {
		return strings.Count(s, needle), m.Check(len(s))
	}
	for {
		i, err := index(m, s, needle)
		if err != nil || i < 0 {
			return n, err
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
