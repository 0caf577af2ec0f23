package dialect

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// windowDefs reads the entries of the WINDOW clause.
func (r callReader) windowDefs() []*fragment {
	return CommaList(r.Cursor, func() *fragment {
		name := r.Ident()
		r.Expect("as")
		return r.windowSpec(&Window{Define: true, Name: name, Pos: r.Peek().Pos})
	})
}

// over reads what follows OVER.
func (r callReader) over() *fragment {
	m := &Window{Pos: r.Peek().Pos}
	if r.NextIs("(") {
		return r.windowSpec(m)
	}
	m.Base = r.Ident()
	m.Reference = true
	return r.call("w", m)
}

// windowSpec reads ([name] [PARTITION BY …] [ORDER BY …] [frame]).
func (r callReader) windowSpec(m *Window) *fragment {
	r.Expect("(")
	if t := r.Peek(); t.IsName() && !t.IsOneOf("partition", "range", "rows", "groups") {
		m.Base = r.ident()
	}
	var clauses []*fragment
	if r.Accept("partition") {
		r.Expect("by")
		exprs := r.exprs()
		clauses = append(clauses, r.call("x", &Clause{Kind: PartitionByClause}, exprs...))
	}
	if r.NextIs("order") {
		keys := r.sortKeys()
		clauses = append(clauses, r.call("x", &Clause{Kind: OrderByClause}, keys...))
	}
	if r.Peek().IsOneOf("range", "rows", "groups") {
		bounds := r.frame(m)
		clauses = append(clauses, bounds...)
	}
	r.Expect(")")
	return r.call("w", m, clauses...)
}

// The kinds of frame bounds.
const (
	unboundedPreceding = "unbounded preceding"
	preceding          = "preceding"
	currentRow         = "current row"
	following          = "following"
	unboundedFollowing = "unbounded following"
)

// frame reads a frame; the fragments are the offsets of its bounds.
func (r callReader) frame(m *Window) []*fragment {
	m.Frame = &Frame{Unit: r.Next().Text}
	var offsets []*fragment
	bound := func(end bool) (string, Token) {
		t := r.Peek()
		kind, offset := r.bound()
		if offset != nil {
			offsets = append(offsets, r.call("x", &Bound{End: end}, offset))
		}
		return kind, t
	}
	var start, end Token
	between := r.Accept("between")
	m.Frame.Start, start = bound(false)
	if between {
		r.Expect("and")
		m.Frame.End, end = bound(true)
	} else {
		m.Frame.End, end = currentRow, start
	}
	checkFrame(m.Frame, start, end)
	r.exclusion(m.Frame)
	return offsets
}

func (r callReader) bound() (string, *fragment) {
	switch {
	case r.Accept("unbounded", "preceding"):
		return unboundedPreceding, nil
	case r.Accept("unbounded", "following"):
		return unboundedFollowing, nil
	case r.Accept("current", "row"):
		return currentRow, nil
	}
	if r.NextIs("between") { // no column's name here
		panic(r.Unexpected())
	}
	e := r.expr(precLowest)
	if r.Accept("preceding") {
		return preceding, e
	}
	r.Expect("following")
	return following, e
}

// checkFrame refuses the frames that the standard forbids.
func checkFrame(f *Frame, start, end Token) {
	fail := func(t Token, what string) {
		panic(sqlstate.ErrorAt(t.Pos, sqlstate.WindowingError, "%s", what))
	}
	switch {
	case f.Start == unboundedFollowing:
		fail(start, "frame start cannot be UNBOUNDED FOLLOWING")
		return
	case f.End == unboundedPreceding:
		fail(end, "frame end cannot be UNBOUNDED PRECEDING")
		return
	case f.Start == currentRow && f.End == preceding:
		fail(end, "frame starting from current row cannot have preceding rows")
		return
	case f.Start == following && f.End == preceding:
		fail(end, "frame starting from following row cannot have preceding rows")
		return
	case f.Start == following && f.End == currentRow:
		fail(end, "frame starting from following row cannot end with current row")
		return
	}
}

// exclusion reads EXCLUDE ….
func (r callReader) exclusion(f *Frame) {
	if !r.Accept("exclude") {
		return
	}
	switch {
	case r.Accept("current"):
		f.Exclude = "current row"
		r.Expect("row")
		return
	case r.Accept("group"):
		f.Exclude = "group"
	case r.Accept("ties"):
		f.Exclude = "ties"
	default:
		r.Expect("no", "others")
		return
	}
}
