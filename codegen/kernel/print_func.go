package kernel

import (
	"fmt"
	"strconv"
)

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
	p.source(f.Source)
	p.block("body", f.Body)
	p.sink(f.Sink)
	p.depth--
	p.line("end")
	return p.b.String()
}

// String is Print.
func (f *Func) String() string { return Print(f) }

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
	expand := ""
	if in.Matches > 0 {
		expand = " matches " + strconv.FormatFloat(in.Matches, 'g', -1, 64)
		if in.InOrder {
			expand += " in order"
		}
	}
	if in.Expand != "" {
		expand += " expand " + in.Expand
		if in.Open {
			expand += " open"
		}
		if g := in.Pages; g.Rows > 0 {
			expand += fmt.Sprintf(" pages %d blocks %d segment %d", g.Rows, g.Blocks, g.Segment)
		}
	}
	p.line("probe %s %d%s keys%s%s%s", in.Kind, in.Input, sorted, keyRefs(in.Keys), mark, expand)
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
		if s.Strategy == Ordered {
			device = " by " + strconv.Itoa(s.By)
		}
		if s.Partitioned {
			device = " partitioned"
		}
		if s.Device != "" {
			device += " device " + s.Device
		}
		if s.Preaggregate != "" {
			device += " preaggregate " + s.Preaggregate
		}
		if s.Replicas > 0 {
			device += " replicas " + strconv.Itoa(s.Replicas)
		}
		if f := s.RunForm; f != (RunForm{}) {
			device += " kernels " + strconv.Itoa(f.Kernels) + " update " + f.Update + " chunk " + strconv.Itoa(f.Rows)
		}
		if s.Rows > 0 {
			device += " rows " + strconv.FormatFloat(s.Rows, 'g', -1, 64)
		}
		p.line("aggregate %s%s groups %s keys%s", s.Strategy, device, strconv.FormatFloat(s.Groups, 'g', -1, 64), refs(s.Keys))
		for i := range s.Accs {
			p.acc(&s.Accs[i])
		}
		p.line("end")
	case *Cubing:
		p.cubing(s)
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
