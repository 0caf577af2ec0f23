package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Which texts a value may refer to. A result keeps no more than these, and the longest of those of
// a key says how many words keys take.

// textWords is the number of words that hold the longest text of the values by which the sink orders
// its rows.
func (r *run) textWords() int64 {
	n := 0
	for _, id := range orderedBy(r.f.Sink) {
		if r.f.Values[id].Type != kernel.Str {
			continue
		}
		for _, b := range r.textsOf(id) {
			n = max(n, (b.length+7)/8)
		}
	}
	return int64(n)
}

// orderedBy are the keys by which a sink orders its rows where it does.
func orderedBy(s kernel.Sink) []kernel.ValueID {
	var keys []kernel.SortKey
	switch s := s.(type) {
	case *kernel.Aggregate:
		return s.Keys
	case *kernel.Cubing:
		return s.Keys
	case *kernel.Sort:
		keys = s.Keys
	case *kernel.Window:
		keys = slices.Concat(s.Partition, s.Order)
	}
	return lists.Map(keys, func(k kernel.SortKey) kernel.ValueID { return k.Val })
}

// textsOf is what the texts of a value lie in: those of the column that it is, that an extreme of
// an aggregation is one of, or that it is computed of, since an operation copies no text. Of other values
// it is all that values of the kernel may refer to.
func (r *run) textsOf(id kernel.ValueID) []*buffers {
	if s, ok := r.f.Sink.(*kernel.Aggregate); ok {
		for i := range s.Accs {
			if a := &s.Accs[i]; slices.Contains(a.Dst, id) && len(a.Args) == 1 {
				id = a.Args[0]
			}
		}
	}
	s, ok := r.f.Source.(*kernel.Scan)
	if !ok {
		return r.texts
	}
	at := slices.IndexFunc(s.Cols, func(c kernel.SourceCol) bool { return c.Dst == id })
	in := &r.inputs[s.Input]
	switch {
	case at < 0:
		return r.computedTexts(id)
	case in.groups != nil:
		return in.groups.texts[s.Cols[at].Ordinal]
	case in.bound != nil:
		return textsOf(nil, in.bound.cols[s.Cols[at].Ordinal:][:1])
	}
	return r.texts
}

// computedTexts is textsOf of a value that is no column.
func (r *run) computedTexts(id kernel.ValueID) []*buffers {
	if slices.ContainsFunc(r.f.Params, func(p kernel.Param) bool { return p.Dst == id }) {
		return r.fixed
	}
	at := slices.IndexFunc(r.f.Body, func(in kernel.Instr) bool {
		c, ok := in.(*kernel.Compute)
		return ok && c.Dst == id
	})
	if at < 0 {
		return r.texts
	}
	var texts []*buffers
	for _, arg := range r.f.Body[at].(*kernel.Compute).Args {
		switch r.f.Values[arg].Type {
		case kernel.Str:
			texts = append(texts, r.textsOf(arg)...)
		case kernel.Code:
			texts = append(texts, r.fixed...)
		}
	}
	return texts
}
