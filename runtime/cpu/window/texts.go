package window

import (
	"strconv"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// stringAgg concatenates the texts of each partition in its last row.
func (t *windowTask) stringAgg(c *kernel.WindowCall) windowColumn {
	col := t.newComputed(kernel.Str)
	col.v.Null = make([]uint8, t.rows())
	vector.Fill(col.v.Null, 1)
	l := t.newTextList(c)
	var room []byte
	for _, p := range t.parts {
		length := l.length(p)
		if length > value.MaxLength {
			panic(value.Errorf(value.CodeProgramLimit, "requested length too large"))
		}
		t.grow(int64(length))
		if length > cap(room) {
			room = make([]byte, 0, max(length, textRoom))
		}
		all := l.append(room[:0:length], p)
		room = room[length:length:cap(room)]
		col.v.Null[p.hi-1] = vector.B2u(l.text.IsNull(int(p.hi - 1)))
		vector.Of[string](col.v)[p.hi-1] = unsafe.String(unsafe.SliceData(all), length)
	}
	return col
}

// textRoom is how many bytes are taken at once for short texts.
const textRoom = 1 << 14

// textList are the texts that one call concatenates: texts, or integers that are written as texts.
type textList struct {
	task       *windowTask
	text, sep  *vector.Vector
	texts      []string
	numbers    []int64 // or these, where texts is nil
	narrow     []int32
	separators []string
	distinct   bool
}

func (t *windowTask) newTextList(c *kernel.WindowCall) *textList {
	l := &textList{task: t, text: t.column(c.Args[0]), sep: t.column(c.Args[1]), distinct: c.Func == kernel.WindowStringAggDistinct}
	l.separators = vector.Of[string](l.sep)
	switch l.text.Type {
	case kernel.Str:
		l.texts = vector.Of[string](l.text)
	case kernel.I64:
		l.numbers = vector.Of[int64](l.text)
	default:
		l.narrow = vector.Of[int32](l.text)
	}
	return l
}

// number is the integer of row i.
func (l *textList) number(i int32) int64 {
	at := int(i) & l.text.Mask()
	if l.numbers != nil {
		return l.numbers[at]
	}
	return int64(l.narrow[at])
}

// takes reports whether the text of row i of a partition is one of those.
func (l *textList) takes(p span, i int32) bool {
	if i%order.GatherRows == order.GatherRows-1 {
		l.task.poll()
	}
	if l.text.IsNull(int(i)) {
		return false
	}
	mask := l.text.Mask()
	return !l.distinct || i == p.lo || l.texts[int(i)&mask] != l.texts[int(i-1)&mask]
}

// separator is what stands before the text of row i.
func (l *textList) separator(p span, i int32) string {
	if i == p.lo || l.sep.IsNull(int(i)) {
		return ""
	}
	return l.separators[int(i)&l.sep.Mask()]
}

// length is the length of a partition's concatenation.
func (l *textList) length(p span) (n int) {
	mask := l.text.Mask()
	for i := p.lo; i < p.hi; i++ {
		switch {
		case !l.takes(p, i):
		case l.texts != nil:
			n += len(l.separator(p, i)) + len(l.texts[int(i)&mask])
		default:
			n += len(l.separator(p, i)) + value.IntegerLength(l.number(i))
		}
	}
	return n
}

// append appends a partition's concatenation.
func (l *textList) append(dst []byte, p span) []byte {
	mask := l.text.Mask()
	for i := p.lo; i < p.hi; i++ {
		if !l.takes(p, i) {
			continue
		}
		dst = long.AppendText(dst, l.separator(p, i))
		if l.texts != nil {
			dst = long.AppendText(dst, l.texts[int(i)&mask])
		} else {
			dst = strconv.AppendInt(dst, l.number(i), 10)
		}
	}
	return dst
}
