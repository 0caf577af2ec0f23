package store

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// A text column is dictionary-encoded as long as its dictionary has at most
// maxDictionary entries and does not hold most of the values: see keepDictionary.
const (
	maxDictionary = 1 << 19
	// drawnValues is from how many different values rows are drawn at random of which
	// most have not come a second time yet, though they will.
	drawnValues = 1 << 18
	// sampleRows is how many rows must have been seen before the share of
	// distinct values counts.
	sampleRows = 1 << 14
)

// keepDictionary reports whether a column with rows values, entries of them
// distinct, stays dictionary-encoded: while a quarter of them are, or as few as of
// drawnValues values drawn so often at random.
func keepDictionary(rows int64, entries int) bool {
	switch {
	case entries > maxDictionary:
		return false
	case rows < sampleRows || int64(entries) <= rows/4:
		return true
	}
	return float64(entries) <= drawnValues*-math.Expm1(-float64(rows)/drawnValues)
}

// textBuffer gathers texts: as codes into a dictionary of its own while that
// pays, as offsets and bytes otherwise.
type textBuffer struct {
	index   map[string]uint32 // nil: plain
	texts   []string          // by code
	codes   []uint32
	offsets []uint32 // plain: one more than there are rows
	bytes   []byte

	source    *runtime.Dictionary // what translate translates from
	translate []uint32            // code of source → own code plus 1, 0 for not yet known
	known     map[*runtime.Dictionary][]uint32
}

func (t *textBuffer) init(dict bool) {
	if dict {
		t.index = map[string]uint32{}
		return
	}
	t.offsets = append(t.offsets, 0)
}

func (t *textBuffer) reset(dict bool) {
	*t = textBuffer{codes: t.codes[:0]}
	t.init(dict)
}

func (t *textBuffer) plain() bool { return t.index == nil }

// code finds or makes the code of s.
func (t *textBuffer) code(s string) uint32 {
	c, ok := t.index[s]
	if !ok {
		c = uint32(len(t.texts))
		t.texts = append(t.texts, s)
		t.index[s] = c
	}
	return c
}

func (t *textBuffer) append(s string) {
	if t.plain() {
		t.bytes = long.AppendText(t.bytes, s)
		t.offsets = append(t.offsets, uint32(len(t.bytes)))
		return
	}
	c, ok := t.index[s]
	if !ok {
		c = t.code(long.Clone(s))
	}
	t.addCode(c)
}

func (t *textBuffer) appendBytes(s []byte) {
	if t.plain() {
		t.bytes = long.AppendBytes(t.bytes, s)
		t.offsets = append(t.offsets, uint32(len(t.bytes)))
		return
	}
	c, ok := t.index[string(s)]
	if !ok {
		c = t.code(long.Text(s))
	}
	t.addCode(c)
}

func (t *textBuffer) addCode(c uint32) {
	t.codes = append(t.codes, c)
	if n := len(t.codes); n&(sampleRows-1) == 0 && !keepDictionary(int64(n), len(t.texts)) {
		t.makePlain()
	}
}

// null appends a place holder.
func (t *textBuffer) null() {
	if t.plain() {
		t.offsets = append(t.offsets, uint32(len(t.bytes)))
		return
	}
	t.codes = append(t.codes, 0)
}

// makePlain writes the texts out and drops the dictionary, unless they would not fit
// a block then.
func (t *textBuffer) makePlain() {
	offsets, bytes, ok := expand(t.texts, t.codes)
	if !ok {
		return
	}
	t.offsets, t.bytes = offsets, bytes
	t.index, t.texts, t.codes = nil, nil, t.codes[:0]
	t.source, t.translate, t.known = nil, nil, nil
}

// expand writes out the texts that codes stand for; the code of a NULL may be
// any. It fails when they take more than maxBlockText bytes.
func expand(texts []string, codes []uint32) (offsets []uint32, bytes []byte, ok bool) {
	total := 0
	for _, c := range codes {
		if int(c) < len(texts) {
			total += len(texts[c])
		}
	}
	if total > maxBlockText {
		return nil, nil, false
	}
	offsets, bytes = make([]uint32, 1, len(codes)+1), make([]byte, 0, total)
	for _, c := range codes {
		if int(c) < len(texts) {
			bytes = long.AppendText(bytes, texts[c])
		}
		offsets = append(offsets, uint32(len(bytes)))
	}
	return offsets, bytes, true
}

// appendFrom appends the text of code c of another dictionary.
func (t *textBuffer) appendFrom(d *runtime.Dictionary, c uint32) {
	if t.plain() {
		t.append(d.Texts[c])
		return
	}
	if t.source != d {
		t.switchTo(d)
	}
	own := t.translate[c]
	if own == 0 {
		own = t.code(d.Texts[c]) + 1
		t.translate[c] = own
	}
	t.addCode(own - 1)
}

// switchTo makes d the dictionary that translate translates from. Sources may
// alternate from text to text.
func (t *textBuffer) switchTo(d *runtime.Dictionary) {
	if t.known == nil {
		t.known = map[*runtime.Dictionary][]uint32{}
	}
	if t.known[d] == nil {
		t.known[d] = make([]uint32, len(d.Texts))
	}
	t.source, t.translate = d, t.known[d]
}

// maxBlockText bounds the bytes of text of a column in one block, so that
// offsets fit 32 bits.
const maxBlockText = math.MaxInt32
