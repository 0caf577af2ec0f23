package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// encodingNames are the encodings in print.
var encodingNames = map[Encoding]string{
	EncNull: "null", EncU8: "u8", EncU16: "u16", EncU32: "u32", EncI64: "i64", EncI128: "i128", EncF64: "f64",
	EncBits: "bits", EncStr: "text", EncTexts: "texts", EncNum: "num", EncIntervals: "intervals",
}

// layoutNames are the layouts in print.
var layoutNames = map[Layout]string{
	LayoutAll: "all", LayoutCells: "cells", LayoutDense: "dense", LayoutNarrow: "narrow", LayoutSorted: "sorted", LayoutWide: "wide",
}

// ShapesText puts the shapes of f's inputs into words, a line each: the encodings of the
// columns that are read, by their numbers, with a ? where there may be NULLs.
func ShapesText(f *kernel.Func, shapes []InputShape) string {
	var b strings.Builder
	for i := range shapes {
		s := &shapes[i]
		fmt.Fprintf(&b, "input %q:", f.Inputs[i].Name)
		columns := s.Columns
		if t := s.Table; t != nil {
			fmt.Fprintf(&b, " table %s", layoutNames[t.Layout])
			if t.Unique {
				b.WriteString(" unique")
			}
			columns = t.Payload
		}
		if s.Groups != nil {
			fmt.Fprintf(&b, " groups in %d arrays", len(s.Groups.words))
		}
		for k, c := range columns {
			if c == (ColumnShape{}) {
				continue
			}
			fmt.Fprintf(&b, " %d %s", k, encodingNames[c.Encoding])
			if c.Nullable {
				b.WriteByte('?')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
