package dialect

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// windowDefs reads the entries of the WINDOW clause.
func (r *rewriter) windowDefs() ([]*fragment, error) {
	return CommaList(r.Cursor, func() (*fragment, error) {
		name, err := r.Ident()
		if err != nil {
			return nil, err
		}
		if err := r.Expect("as"); err != nil {
			return nil, err
		}
		return r.windowSpec(&Window{Define: true, Name: name, Pos: r.Peek().Pos})
	})
}

// over reads what follows OVER.
func (r *rewriter) over() (*fragment, error) {
	m := &Window{Pos: r.Peek().Pos}
	if r.NextIs("(") {
		return r.windowSpec(m)
	}
	var err error
	if m.Base, err = r.Ident(); err != nil {
		return nil, err
	}
	m.Reference = true
	return r.call("w", m), nil
}

// windowSpec reads ([name] [PARTITION BY …] [ORDER BY …] [frame]).
func (r *rewriter) windowSpec(m *Window) (*fragment, error) {
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	if t := r.Peek(); t.IsName() && !t.IsOneOf("partition", "range", "rows", "groups") {
		m.Base = r.ident()
	}
	var clauses []*fragment
	if r.Accept("partition") {
		if err := r.Expect("by"); err != nil {
			return nil, err
		}
		exprs, err := r.exprs()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, r.call("x", &Clause{Kind: PartitionByClause}, exprs...))
	}
	if r.NextIs("order") {
		keys, err := r.sortKeys()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, r.call("x", &Clause{Kind: OrderByClause}, keys...))
	}
	if r.Peek().IsOneOf("range", "rows", "groups") {
		bounds, err := r.frame(m)
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, bounds...)
	}
	return r.call("w", m, clauses...), r.Expect(")")
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
func (r *rewriter) frame(m *Window) ([]*fragment, error) {
	m.Frame = &Frame{Unit: r.Next().Text}
	var offsets []*fragment
	bound := func(end bool) (string, Token, error) {
		t := r.Peek()
		kind, offset, err := r.bound()
		if offset != nil {
			offsets = append(offsets, r.call("x", &Bound{End: end}, offset))
		}
		return kind, t, err
	}
	var start, end Token
	var err error
	between := r.Accept("between")
	if m.Frame.Start, start, err = bound(false); err != nil {
		return nil, err
	}
	if between {
		if err := r.Expect("and"); err != nil {
			return nil, err
		}
		if m.Frame.End, end, err = bound(true); err != nil {
			return nil, err
		}
	} else {
		m.Frame.End, end = currentRow, start
	}
	if err := checkFrame(m.Frame, start, end); err != nil {
		return nil, err
	}
	return offsets, r.exclusion(m.Frame)
}

func (r *rewriter) bound() (string, *fragment, error) {
	switch {
	case r.Accept("unbounded", "preceding"):
		return unboundedPreceding, nil, nil
	case r.Accept("unbounded", "following"):
		return unboundedFollowing, nil, nil
	case r.Accept("current", "row"):
		return currentRow, nil, nil
	}
	if r.NextIs("between") { // no column's name here
		return "", nil, r.Unexpected()
	}
	e, err := r.expr(precLowest)
	if err != nil {
		return "", nil, err
	}
	if r.Accept("preceding") {
		return preceding, e, nil
	}
	return following, e, r.Expect("following")
}

// checkFrame refuses the frames that the standard forbids.
func checkFrame(f *Frame, start, end Token) error {
	fail := func(t Token, what string) error {
		return sqlstate.ErrorAt(t.Pos, sqlstate.WindowingError, "%s", what)
	}
	switch {
	case f.Start == unboundedFollowing:
		return fail(start, "frame start cannot be UNBOUNDED FOLLOWING")
	case f.End == unboundedPreceding:
		return fail(end, "frame end cannot be UNBOUNDED PRECEDING")
	case f.Start == currentRow && f.End == preceding:
		return fail(end, "frame starting from current row cannot have preceding rows")
	case f.Start == following && f.End == preceding:
		return fail(end, "frame starting from following row cannot have preceding rows")
	case f.Start == following && f.End == currentRow:
		return fail(end, "frame starting from following row cannot end with current row")
	}
	return nil
}

// exclusion reads EXCLUDE ….
func (r *rewriter) exclusion(f *Frame) error {
	if !r.Accept("exclude") {
		return nil
	}
	switch {
	case r.Accept("current"):
		f.Exclude = "current row"
		return r.Expect("row")
	case r.Accept("group"):
		f.Exclude = "group"
	case r.Accept("ties"):
		f.Exclude = "ties"
	default:
		return r.Expect("no", "others")
	}
	return nil
}
