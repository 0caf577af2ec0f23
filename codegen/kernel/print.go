package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

var inputNames = [...]string{RelationInput: "relation", HashTableInput: "table", GroupsInput: "groups"}

// String is the word for the kind in a printed kernel.
func (k InputKind) String() string { return inputNames[k] }

type printer struct {
	b     strings.Builder
	f     *Func
	depth int
	begun bool // the line has words
}

func (p *printer) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", p.depth))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// word writes a word of a line.
func (p *printer) word(word string) {
	switch {
	case word == "":
		return
	case p.begun:
		p.b.WriteByte(' ')
	default:
		p.b.WriteString(strings.Repeat("  ", p.depth))
		p.begun = true
	}
	p.b.WriteString(word)
}

// endLine ends a line of words, where there are any.
func (p *printer) endLine() {
	if p.begun {
		p.b.WriteByte('\n')
	}
	p.begun = false
}

// def declares a value.
func (p *printer) def(id ValueID) string {
	v := p.f.Values[id]
	var b strings.Builder
	fmt.Fprintf(&b, "%%%d %s", id, v.Type)
	if v.Nullable {
		b.WriteByte('?')
	}
	if v.Range.Known {
		fmt.Fprintf(&b, " %d..%d", v.Range.Lo, v.Range.Hi)
	}
	if v.Type == Code {
		fmt.Fprintf(&b, " dict%d", v.Dict)
	}
	if v.Name != "" {
		b.WriteByte(' ')
		b.WriteString(strconv.Quote(v.Name))
	}
	return b.String()
}

func ref(id ValueID) string {
	if id == NoValue {
		return "none"
	}
	return "%" + strconv.Itoa(int(id))
}

func refs(ids []ValueID) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteByte(' ')
		b.WriteString(ref(id))
	}
	return b.String()
}

func keyRefs(keys []Key) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteByte(' ')
		b.WriteString(ref(k.Val))
		if k.NullSafe {
			b.WriteByte('=')
		}
	}
	return b.String()
}

// formatValue writes a parameter's value.
func formatValue(t Type, v value.Value) string {
	if v.Kind == value.Null {
		return "null"
	}
	switch t {
	case Bool:
		return strconv.FormatBool(v.B)
	case I32, I64:
		return strconv.FormatInt(v.I, 10)
	case I128:
		return v.Num.Coef.String()
	case F64:
		return strconv.FormatFloat(v.F, 'g', -1, 64)
	case Num:
		return fmt.Sprintf("%s/%d", v.Num.Coef, v.Num.Scale)
	case Interval:
		return fmt.Sprintf("%d/%d/%d", v.Interval.Months, v.Interval.Days, v.Interval.Micros)
	}
	return strconv.Quote(v.S)
}
