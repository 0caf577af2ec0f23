package compile

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// keptTexts is how much memory for the texts of a batch an operation keeps for those of the next, and
// shortText how long a text may be that is put together there.
const (
	keptTexts = 128 << 10
	shortText = 1 << 10
)

// written appends the text of each value to memory that the next batch takes again: to allocate a text
// for each row costs more than to write it.
func written[A any](write func(dst []byte, a A) []byte) func(*Compiler, *kernel.Compute) apply {
	return func(c *Compiler, in *kernel.Compute) apply {
		if c.shared.uses.lasting[in.Dst] {
			var buf []byte
			return infallible(func(a A) string {
				buf = write(buf[:0], a)
				return string(buf)
			})
		}
		return func(f *frame) {
			a, am, dst := vector.Of[A](f.args[0]), f.args[0].Mask(), vector.Of[string](f.dst)
			texts, null := f.takeTexts(), f.dst.Null
			for _, i := range f.rows() {
				if null != nil && null[i] != 0 {
					continue
				}
				at := len(texts)
				texts = write(texts, a[int(i)&am])
				dst[i] = textOf(texts[at:])
			}
			f.texts = texts
		}
	}
}

// makeConcat compiles ||.
func makeConcat(c *Compiler, in *kernel.Compute) apply {
	if c.shared.uses.lasting[in.Dst] {
		return metered2(copied)
	}
	return func(f *frame) {
		o, dst, texts := operandsOf[string](f), vector.Of[string](f.dst), f.takeTexts()
		f.valid(func(i int) {
			a, b := o.a[i&o.am], o.b[i&o.bm]
			if len(a)+len(b) > shortText {
				dst[i] = value.Concat(f.meter, a, b)
				return
			}
			f.meter.MustGrow(len(a) + len(b))
			at := len(texts)
			texts = append(append(texts, a...), b...)
			dst[i] = textOf(texts[at:])
		})
		f.texts = texts
	}
}

// copied is a text and one behind it in memory that no other text has.
func copied(m *value.Meter, a, b string) string {
	if a != "" && b != "" {
		return value.Concat(m, a, b)
	}
	m.MustGrow(len(a) + len(b))
	return long.Clone(a + b)
}

// takeTexts returns the memory of the texts of the batch before for those of this one.
func (f *frame) takeTexts() []byte {
	f.dst.Fleeting = true
	if cap(f.texts) > keptTexts {
		f.texts = nil
	}
	return f.texts[:0]
}

// textOf is a text that shares the memory of bytes.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
