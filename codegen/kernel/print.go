package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Print writes a kernel as text that Parse reads. A value is declared where it
// is defined: its number, its type with ? where it can be NULL, its range, its
// dictionary and its name.
func Print(f *Func) string {
	p := &printer{f: f}
	p.line("kernel %s dicts %d", strconv.Quote(f.Name), f.Dicts)
	p.depth++
	for i, in := range f.Inputs {
		p.line("input %d %s %s", i, in.Kind, strconv.Quote(in.Name))
	}
	for _, param := range f.Params {
		p.line("param %s = %s", p.def(param.Dst), formatValue(f.Values[param.Dst].Type, param.Val))
	}
	p.source(f.Source)
	p.block("body", f.Body)
	p.sink(f.Sink)
	p.depth--
	p.line("end")
	return p.b.String()
}

// String is Print.
func (f *Func) String() string { return Print(f) }

var inputNames = [...]string{RelationInput: "relation", HashTableInput: "table"}

// String is the word for the kind in a printed kernel.
func (k InputKind) String() string { return inputNames[k] }

type printer struct {
	b     strings.Builder
	f     *Func
	depth int
}

func (p *printer) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", p.depth))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
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

func (p *printer) columns(cols []SourceCol) {
	for _, c := range cols {
		p.line("%s = column %d", p.def(c.Dst), c.Ordinal)
	}
}

func (p *printer) source(s Source) {
	switch s := s.(type) {
	case *Scan:
		p.line("scan %d", s.Input)
		p.depth++
		p.columns(s.Cols)
		for _, c := range s.Prune {
			p.line("prune column %d from %s to %s", c.Ordinal, ref(c.Lo), ref(c.Hi))
		}
		p.depth--
	case *Unmatched:
		word := "unmatched"
		if s.Matched {
			word = "matched"
		}
		p.line("%s %d", word, s.Input)
		p.depth++
		p.columns(s.Cols)
		p.depth--
	}
}

func (p *printer) block(title string, b Block) {
	p.line("%s", title)
	p.instrs(b)
}

func (p *printer) instrs(b Block) {
	p.depth++
	for _, in := range b {
		p.instr(in)
	}
	p.depth--
}

func (p *printer) yield(id ValueID) {
	p.depth++
	p.line("yield %s", ref(id))
	p.depth--
}

func (p *printer) instr(in Instr) {
	switch in := in.(type) {
	case *Compute:
		p.line("%s = %s%s%s", p.def(in.Dst), in.Op, refs(in.Args), suffix(in))
	case *Filter:
		p.line("filter %s", ref(in.Cond))
	case *If:
		p.block(p.def(in.Dst)+" = if "+ref(in.Cond), in.Then)
		p.yield(in.ThenVal)
		p.block("else", in.Else)
		p.yield(in.ElseVal)
		p.line("end")
	case *Map:
		p.line("%s = map %s as %s", p.def(in.Dst), ref(in.Src), p.def(in.Arg))
		p.instrs(in.Body)
		p.yield(in.Result)
		p.line("end")
	case *Probe:
		p.probe(in)
	case *Repeat:
		if in.Index == NoValue {
			p.line("repeat %s", ref(in.Count))
			return
		}
		p.line("repeat %s index %s", ref(in.Count), p.def(in.Index))
	}
}

// suffix is what an instruction has beside its arguments.
func suffix(c *Compute) string {
	var b strings.Builder
	a := c.Aux
	if a.Scale != 0 {
		fmt.Fprintf(&b, " scale=%d", a.Scale)
	}
	if a.Bits != 0 {
		fmt.Fprintf(&b, " bits=%d", a.Bits)
	}
	if a.Digits != 0 {
		fmt.Fprintf(&b, " digits=%d", a.Digits)
	}
	if a.Field != "" {
		fmt.Fprintf(&b, " field=%s", a.Field)
	}
	if a.Length != 0 {
		fmt.Fprintf(&b, " length=%d", a.Length)
	}
	if c.Checked {
		b.WriteString(" checked")
	}
	if c.Pos != value.NoPos {
		fmt.Fprintf(&b, " @%d", c.Pos)
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

func (p *printer) probe(in *Probe) {
	mark := ""
	if in.Mark {
		mark = " mark"
	}
	sorted := ""
	if s := in.Sorted; s != nil {
		sorted = fmt.Sprintf(" sorted %d", s.Ordinal)
		if s.Unique {
			sorted += " unique"
		}
	}
	p.line("probe %s %d%s keys%s%s", in.Kind, in.Input, sorted, keyRefs(in.Keys), mark)
	p.depth++
	p.columns(in.Payload)
	p.depth--
	if in.Cond != NoValue {
		p.block("residual", in.Residual)
		p.yield(in.Cond)
	}
	p.line("end")
}

func (p *printer) sink(s Sink) {
	switch s := s.(type) {
	case *Materialize:
		ordered := ""
		if s.Ordered {
			ordered = " ordered"
		}
		p.line("materialize limit %d offset %d%s columns%s", s.Limit, s.Offset, ordered, refs(s.Cols))
	case *Build:
		dense := ""
		if s.Dense {
			dense = " dense"
		}
		p.line("build%s rows %s keys%s payload%s", dense, strconv.FormatFloat(s.Rows, 'g', -1, 64), keyRefs(s.Keys), refs(s.Payload))
	case *Aggregate:
		device := ""
		if s.Device != "" {
			device = " device " + s.Device
		}
		p.line("aggregate %s%s groups %s keys%s", s.Strategy, device, strconv.FormatFloat(s.Groups, 'g', -1, 64), refs(s.Keys))
		for i := range s.Accs {
			p.acc(&s.Accs[i])
		}
		p.line("end")
	case *Sort:
		top := ""
		if s.Top {
			top = " top"
		}
		p.line("sort%s limit %d offset %d columns%s", top, s.Limit, s.Offset, refs(s.Cols))
		p.sortKeys("by", s.Keys)
		p.line("end")
	case *Window:
		p.window(s)
	}
}

func (p *printer) acc(a *Acc) {
	p.depth++
	p.line("%s", accText(a))
	p.gives(a.Dst)
	p.depth--
}

func accText(a *Acc) string {
	distinct := ""
	if a.Distinct {
		distinct = " distinct"
	}
	return fmt.Sprintf("%s%s%s filter %s", a.Op, refs(a.Args), distinct, ref(a.Filter))
}

func (p *printer) gives(dst []ValueID) {
	p.depth++
	for _, d := range dst {
		p.line("gives %s", p.def(d))
	}
	p.depth--
}

// sortKeys prints a line for each key, which word begins.
func (p *printer) sortKeys(word string, keys []SortKey) {
	p.depth++
	for _, k := range keys {
		dir, nulls := "asc", "last"
		if k.Desc {
			dir = "desc"
		}
		if k.NullsFirst {
			nulls = "first"
		}
		p.line("%s %s %s nulls %s", word, ref(k.Val), dir, nulls)
	}
	p.depth--
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
