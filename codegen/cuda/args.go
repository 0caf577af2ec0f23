package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/launch"
)

// include adds a file of device primitives.
func (r *renderer) include(file string) { r.Include(deviceFile(file)) }

// Include adds device code.
func (r *renderer) Include(text string) {
	if !slices.Contains(r.files, text) {
		r.files = append(r.files, text)
	}
}

// Arg returns the expression of an argument, adding it where it is new. ctype is
// its type in the source, of 64 bits.
func (r *renderer) Arg(a Arg, ctype, comment string) string {
	if name, ok := r.known[a]; ok {
		r.takes[slices.Index(r.args, a)] = true
		return name
	}
	field := fmt.Sprintf("%s_%d", a.Kind, len(r.args))
	r.takes[len(r.args)] = true
	r.args = append(r.args, a)
	r.words = append(r.words, launch.Word{Name: field, Pointer: elementBytes(ctype), Bound: a.bound()})
	r.fields = append(r.fields, fmt.Sprintf("    %s %s;  // %s", ctype, field, comment))
	r.known[a] = "p." + field
	return r.known[a]
}

// cellArg is an argument that leads to cells of groups: of those of the kernel, or of an input.
func (e *Entry) cellArg(a Arg, ctype, comment string) string {
	if e.groups > 0 {
		a = e.shapes[e.groups-1].Groups.word(e.groups-1, a)
	}
	return e.Arg(a, ctype, comment)
}

// cellLayout is how the cells lie to which such arguments lead.
func (e *Entry) cellLayout() *CellLayout {
	if e.groups > 0 {
		return &e.shapes[e.groups-1].Groups.layout
	}
	return &e.grouping.Layout
}

// word is what an argument of the aggregation is for a kernel that reads its cells as an input.
func (c *GroupCells) word(input int, a Arg) Arg {
	return Arg{Kind: ArgCellWord, Input: input, Index: slices.Index(c.words, a)}
}

// elementBytes is how many bytes an element has that a type points to; 0: it is no pointer.
func elementBytes(ctype string) int {
	to, _, pointer := strings.Cut(strings.TrimPrefix(ctype, "const "), "*")
	if !pointer {
		return 0
	}
	return bytesOf[to]
}

// bytesOf is the size of types that pointers point to.
var bytesOf = map[string]int{"u8": 1, "u16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f64": 8, "Text": 8}
