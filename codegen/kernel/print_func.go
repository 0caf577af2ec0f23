package kernel

import "strconv"

// Print writes a kernel as text. A value is declared where it
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
	w := &fields{out: p}
	w.function(f)
	p.depth--
	p.line("end")
	return p.b.String()
}

// String is Print.
func (f *Func) String() string { return Print(f) }

// Read reads the source, the body and the sink of a kernel as Print wrote them.
func Read(in Reader, f *Func) { (&fields{in: in}).function(f) }
