package kernel

import "strings"

// Outline writes in short what a kernel does, a line for each step. A value is v and its
// number, an input in and its number. What generated code does not depend on is left out:
// names, constants, ranges and estimates.
func Outline(f *Func) string {
	p := &printer{f: f}
	switch s := f.Source.(type) {
	case *Scan:
		p.line("scan in%d", s.Input)
	case *Unmatched:
		word := "rows without a match of"
		if s.Matched {
			word = "rows with a match of"
		}
		p.line("%s in%d", word, s.Input)
	}
	p.outline(f.Body)
	p.outlineSink(f.Sink)
	return strings.ReplaceAll(p.b.String(), "%", "v")
}

func (p *printer) outline(b Block) {
	for _, in := range b {
		switch in := in.(type) {
		case *Compute:
			p.line("%s = %s%s", ref(in.Dst), in.Op, refs(in.Args))
		case *Filter:
			p.line("filter %s", ref(in.Cond))
		case *If:
			p.line("%s = if %s", ref(in.Dst), ref(in.Cond))
			p.outlineWithin(in.Then, in.ThenVal)
			p.line("else")
			p.outlineWithin(in.Else, in.ElseVal)
		case *Map:
			p.line("%s = map %s", ref(in.Dst), ref(in.Src))
		case *Probe:
			p.outlineProbe(in)
		case *Repeat:
			p.line("repeat %s", ref(in.Count))
		}
	}
}

// outlineWithin writes a block that yields a value.
func (p *printer) outlineWithin(b Block, yields ValueID) {
	p.depth++
	p.outline(b)
	p.line("yield %s", ref(yields))
	p.depth--
}

func (p *printer) outlineProbe(in *Probe) {
	word, payload := "probe", make([]ValueID, len(in.Payload))
	if in.Sorted != nil {
		word = "merge"
	}
	for i, c := range in.Payload {
		payload[i] = c.Dst
	}
	gets := ""
	if len(payload) > 0 {
		gets = " for" + refs(payload)
	}
	p.line("%s %s in%d by%s%s", word, in.Kind, in.Input, keyRefs(in.Keys), gets)
	if in.Cond != NoValue {
		p.outlineWithin(in.Residual, in.Cond)
	}
}

func (p *printer) outlineSink(s Sink) {
	switch s := s.(type) {
	case *Materialize:
		p.line("materialize%s", refs(s.Cols))
	case *Build:
		p.line("build by%s of%s", keyRefs(s.Keys), refs(s.Payload))
	case *Aggregate:
		by := ""
		if len(s.Keys) > 0 {
			by = " by" + refs(s.Keys)
		}
		p.line("aggregate%s", by)
		p.depth++
		for i := range s.Accs {
			p.outlineAcc(&s.Accs[i])
		}
		p.depth--
	case *Several:
		for i := range s.Branches {
			p.line("branch")
			p.depth++
			p.outline(s.Branches[i].Body)
			p.outlineSink(s.Branches[i].Sink)
			p.depth--
		}
	case *Sort:
		keys := make([]string, len(s.Keys))
		for i, k := range s.Keys {
			keys[i] = " " + ref(k.Val)
			if k.Desc {
				keys[i] += " desc"
			}
		}
		p.line("sort%s by%s", refs(s.Cols), strings.Join(keys, ","))
	}
}

func (p *printer) outlineAcc(a *Acc) {
	distinct, filter := "", ""
	if a.Distinct {
		distinct = " distinct"
	}
	if a.Filter != NoValue {
		filter = " filter " + ref(a.Filter)
	}
	p.line("%s", strings.TrimSpace(refs(a.Dst))+" = "+string(a.Op)+distinct+refs(a.Args)+filter)
}
