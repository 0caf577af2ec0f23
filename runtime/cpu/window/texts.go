package window

import (
	"slices"
	"strconv"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// LateTexts returns a kernel whose window puts texts of integers together, with the integers in the place of
// their texts: rows are then kept and ordered with numbers, and no text is made but the one that has all.
func LateTexts(f *kernel.Func) *kernel.Func {
	win, ok := f.Sink.(*kernel.Window)
	if !ok {
		return f
	}
	with, late := *win, make(map[kernel.ValueID]bool)
	with.Calls = slices.Clone(win.Calls)
	for i := range with.Calls {
		c := &with.Calls[i]
		if c.Func != kernel.WindowStringAgg || timesRead(f, c.Args[0]) > 1 {
			continue
		}
		if of := formatted(f, c.Args[0]); of != kernel.NoValue {
			late[c.Args[0]] = true
			c.Args = []kernel.ValueID{of, c.Args[1]}
		}
	}
	if len(late) == 0 {
		return f
	}
	out := *f
	out.Sink = &with
	out.Body = slices.DeleteFunc(slices.Clone(f.Body), func(in kernel.Instr) bool {
		c, ok := in.(*kernel.Compute)
		return ok && late[c.Dst]
	})
	return &out
}

// formatted returns the integer whose text a value is, or NoValue.
func formatted(f *kernel.Func, id kernel.ValueID) kernel.ValueID {
	for _, in := range f.Body {
		c, ok := in.(*kernel.Compute)
		if !ok || c.Dst != id || c.Op != kernel.OpFormat || c.Aux != (kernel.Aux{}) {
			continue
		}
		if typ := f.Values[c.Args[0]].Type; typ == kernel.I32 || typ == kernel.I64 {
			return c.Args[0]
		}
	}
	return kernel.NoValue
}

// timesRead returns how often a kernel reads a value.
func timesRead(f *kernel.Func, id kernel.ValueID) (n int) {
	count := func(read kernel.ValueID) { n += int(vector.B2u(read == id)) }
	kernel.SinkOperands(f.Sink, count)
	for _, in := range f.Body {
		kernel.Operands(in, count, nil)
	}
	return n
}

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
			n += len(l.separator(p, i)) + digits(l.number(i))
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

// digits is the length of an integer's text.
func digits(n int64) int {
	if n < 0 {
		return 1 + value.DigitsOf(-uint64(n))
	}
	return value.DigitsOf(uint64(n))
}
