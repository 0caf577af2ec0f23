package algebra

import (
	"strconv"
	"strings"
)

// windowText is a call as SQL writes it, with its frame where it uses one that
// is not the default.
func windowText(c *WindowCall, ids bool) string {
	var b strings.Builder
	if c.IsAggregate() {
		agg := c.Aggregate()
		b.WriteString(AggText(&agg, ids))
	} else {
		b.WriteString(string(c.Func) + "(" + strings.Join(exprTexts(c.Args, ids), ", ") + ")")
	}
	if c.UsesFrame() {
		b.WriteString(c.Frame.text(ids))
	}
	return b.String()
}

// String is the frame as SQL writes it, behind a blank; empty for the default.
func (f *Frame) String() string { return f.text(false) }

func (f *Frame) text(ids bool) string {
	if *f == DefaultFrame() {
		return ""
	}
	text := " " + string(f.Unit) + " between " + f.Start.text(ids) + " and " + f.End.text(ids)
	if f.Exclude != ExcludeNothing {
		text += " exclude " + string(f.Exclude)
	}
	return text
}

func (b *FrameBound) text(ids bool) string {
	switch {
	case b.Limit != nil:
		return exprText(b.Limit, ids) + " " + string(b.Kind)
	case b.Kind == Preceding || b.Kind == Following:
		return strconv.FormatInt(b.Offset, 10) + " " + string(b.Kind)
	}
	return string(b.Kind)
}
