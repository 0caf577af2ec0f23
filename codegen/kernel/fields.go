package kernel

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

func (s *Scan) source(w *fields) {
	number(w, "scan", &s.Input)
	w.columns(&s.Cols)
	w.nest(1)
	list(w, &s.Prune, is("prune"), func(p *Prune) {
		number(w, "prune column", &p.Ordinal)
		w.reads("from", &p.Lo)
		w.reads("to", &p.Hi)
		w.line()
	})
	w.nest(-1)
}

func (s *Unmatched) source(w *fields) {
	w.either("matched", "unmatched", &s.Matched)
	number(w, "", &s.Input)
	w.columns(&s.Cols)
}

func (in *Compute) instr(w *fields) {
	w.results(&in.Dst)
	w.word("=")
	text(w, "", &in.Op)
	w.readsAll("", &in.Args)
	attribute(w, "scale=", &in.Aux.Scale, 0)
	attribute(w, "bits=", &in.Aux.Bits, 0)
	attribute(w, "digits=", &in.Aux.Digits, 0)
	w.attached("field=", &in.Aux.Field)
	attribute(w, "length=", &in.Aux.Length, 0)
	w.flag("checked", &in.Checked)
	attribute(w, "@", &in.Pos, value.NoPos)
	w.line()
}

func (in *Filter) instr(w *fields) {
	w.reads("filter", &in.Cond)
	w.flag("pack", &in.Pack)
	w.line()
}

func (in *If) instr(w *fields) {
	w.results(&in.Dst)
	w.reads("= if", &in.Cond)
	w.block(&in.Then, &in.ThenVal)
	w.word("else")
	w.block(&in.Else, &in.ElseVal)
	w.end()
}

func (in *Map) instr(w *fields) {
	w.results(&in.Dst)
	w.reads("= map", &in.Src)
	w.word("as")
	w.defines(&in.Arg)
	w.block(&in.Body, &in.Result)
	w.end()
}

func (in *Probe) instr(w *fields) {
	w.word("probe")
	text(w, "", &in.Kind)
	number(w, "", &in.Input)
	if w.has("sorted", in.Sorted != nil) {
		if in.Sorted == nil {
			in.Sorted = &Sorted{}
		}
		number(w, "", &in.Sorted.Ordinal)
		w.flag("unique", &in.Sorted.Unique)
	}
	w.keys(&in.Keys)
	w.flag("mark", &in.Mark)
	w.estimateIfKnown("matches", &in.Matches)
	w.flag("in order", &in.InOrder)
	if w.has("rows", in.Rows != (ProbeRows{})) {
		w.estimate("", &in.Rows.In)
		w.estimate("to", &in.Rows.Out)
		w.estimate("of", &in.Rows.Table)
	}
	if text(w, "expand", &in.Expand); in.Expand != "" {
		w.flag("open", &in.Open)
		if g := &in.Pages; w.has("pages", g.Rows > 0) {
			number(w, "", &g.Rows)
			number(w, "blocks", &g.Blocks)
			number(w, "segment", &g.Segment)
		}
	}
	if w.has("filter", in.Filter.Form != NoFilter) {
		text(w, "", &in.Filter.Form)
		number(w, "words", &in.Filter.Words)
	}
	w.flag("pack", &in.Pack)
	w.columns(&in.Payload)
	if w.has("residual", in.Cond != NoValue) {
		w.block(&in.Residual, &in.Cond)
	}
	w.end()
}

func (in *Repeat) instr(w *fields) {
	w.reads("repeat", &in.Count)
	if w.has("index", in.Index != NoValue) {
		w.defines(&in.Index)
	}
	w.line()
}

func (s *Materialize) sink(w *fields) {
	w.word("materialize")
	w.limits(&s.Limit, &s.Offset)
	w.flag("ordered", &s.Ordered)
	w.readsAll("columns", &s.Cols)
	w.line()
}

func (s *Build) sink(w *fields) {
	w.word("build")
	w.flag("dense", &s.Dense)
	w.flag("members", &s.Members)
	w.flag("repeats", &s.Repeats)
	w.estimate("rows", &s.Rows)
	w.keys(&s.Keys)
	w.readsAll("payload", &s.Payload)
	w.line()
}

func (s *Aggregate) sink(w *fields) {
	w.word("aggregate")
	if text(w, "", &s.Strategy); s.Strategy == Ordered {
		number(w, "by", &s.By)
	}
	numberIfAny(w, "determinant", &s.Determinant)
	w.flag("partitioned", &s.Partitioned)
	w.flag("cells", &s.Cells)
	text(w, "device", &s.Device)
	text(w, "preaggregate", &s.Preaggregate)
	numberIfAny(w, "replicas", &s.Replicas)
	numberIfAny(w, "threads", &s.Threads)
	numberIfAny(w, "thread_rows", &s.ThreadRows)
	if f := &s.RunForm; w.has("kernels", *f != (RunForm{})) {
		number(w, "", &f.Kernels)
		text(w, "update", &f.Update)
		number(w, "chunk", &f.Rows)
	}
	w.estimateIfKnown("rows", &s.Rows)
	w.estimate("groups", &s.Groups)
	w.estimateIfKnown("largest", &s.Largest)
	w.estimateIfKnown("combinations", &s.Combinations)
	w.estimateIfKnown("marks", &s.Marks)
	w.readsAll("keys", &s.Keys)
	w.line()
	w.accs(&s.Accs)
	w.end()
}

func (s *Sort) sink(w *fields) {
	w.word("sort")
	w.flag("top", &s.Top)
	w.flag("cells", &s.ByCells)
	w.limits(&s.Limit, &s.Offset)
	w.readsAll("columns", &s.Cols)
	w.line()
	w.sortKeys("by", &s.Keys)
	w.end()
}

func (s *Window) sink(w *fields) {
	w.word("window")
	w.flag("ordered", &s.InOrder)
	w.readsAll("columns", &s.Cols)
	w.line()
	w.sortKeys("partition", &s.Partition)
	w.sortKeys("order", &s.Order)
	if w.has("first", s.First > 0) {
		number(w, "", &s.First)
		w.flag("ties", &s.Ties)
		w.line()
	}
	w.nest(1)
	list(w, &s.Frames, is("frame"), w.frame)
	list(w, &s.Calls, is("call"), w.call)
	w.nest(-1)
	w.end()
}

func (w *fields) frame(f *Frame) {
	text(w, "frame", &f.Unit)
	w.bound("from", &f.Start)
	w.bound("to", &f.End)
	text(w, "exclude", &f.Exclude)
	w.reads("key", &f.Key)
	w.line()
}

func (w *fields) bound(word string, b *FrameBound) {
	text(w, word, &b.Kind)
	number(w, "", &b.Offset)
	w.reads("", &b.Limit)
}

func (w *fields) call(c *WindowCall) {
	text(w, "call", &c.Func)
	number(w, "frame", &c.Frame)
	if c.Func == WindowAggregate {
		w.accOf(&c.Acc)
	} else {
		if w.in != nil {
			c.Filter = NoValue
		}
		w.readsAll("", &c.Args)
	}
	w.line()
	w.gives(&c.Dst)
}

// barWord begins the line of a bar, which may follow accumulators.
const barWord = "at"

// accs are accumulators up to what ends them.
func (w *fields) accs(accs *[]Acc) {
	w.nest(1)
	more := func(word string) bool { return word != "" && word != "end" && word != barWord }
	list(w, accs, more, func(a *Acc) {
		w.accOf(a)
		w.line()
		w.gives(&a.Dst)
	})
	w.nest(-1)
}

// accOf goes over an accumulator less what it defines.
func (w *fields) accOf(a *Acc) {
	text(w, "", &a.Op)
	w.readsAll("", &a.Args)
	w.flag("distinct", &a.Distinct)
	if row, _ := a.Op.Row(); row.Fraction {
		w.estimate("at", &a.Fraction)
	}
	w.reads("filter", &a.Filter)
}

// gives defines values, in a line each.
func (w *fields) gives(dst *[]ValueID) {
	w.nest(1)
	list(w, dst, is("gives"), func(id *ValueID) {
		w.word("gives")
		w.defines(id)
		w.line()
	})
	w.nest(-1)
}

func (w *fields) limits(limit, offset *int64) {
	number(w, "limit", limit)
	number(w, "offset", offset)
}

// keys are values, each with = behind it where NULL equals NULL.
func (w *fields) keys(keys *[]Key) {
	w.word("keys")
	list(w, keys, isValue, func(k *Key) {
		if w.in != nil {
			k.NullSafe = strings.HasSuffix(w.in.Peek(), "=")
		}
		w.reads("", &k.Val)
		if w.out != nil && k.NullSafe {
			w.out.b.WriteByte('=')
		}
	})
}

// sortKeys has a line for each key, which word begins.
func (w *fields) sortKeys(word string, keys *[]SortKey) {
	w.nest(1)
	list(w, keys, is(word), func(k *SortKey) {
		w.reads(word, &k.Val)
		w.either("desc", "asc", &k.Desc)
		w.word("nulls")
		w.either("first", "last", &k.NullsFirst)
		w.line()
	})
	w.nest(-1)
}

// columns ends the line, and has one for each column.
func (w *fields) columns(cols *[]SourceCol) {
	w.line()
	w.nest(1)
	list(w, cols, isValue, func(c *SourceCol) {
		w.defines(&c.Dst)
		number(w, "= column", &c.Ordinal)
		w.line()
	})
	w.nest(-1)
}
