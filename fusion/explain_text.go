package fusion

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// boxWidth is the number of characters inside a box.
const boxWidth = 92

// Text draws each group as a box around the operators that share its kernel,
// in the order in which the kernels run, with the dependence between them;
// below each box stand its borders and their reasons.
func (e *Explanation) Text() string {
	var t textPrinter
	for i := range e.Groups {
		t.group(e, &e.Groups[i])
		t.borders(e, i)
	}
	t.inputs(e)
	return t.b.String()
}

type textPrinter struct{ b strings.Builder }

func (t *textPrinter) group(e *Explanation, g *GroupExplanation) {
	title := fmt.Sprintf(" group %d ", g.Group)
	cost := fmt.Sprintf(" %s, %s shared ", registersText(g), bytesText(float64(g.Needs.Shared)))
	t.b.WriteString("╭─" + title + strings.Repeat("─", max(0, boxWidth-width(title)-width(cost)-2)) + cost + "─╮\n")
	name := 0
	for _, op := range g.Operators {
		name = max(name, width(op.Name))
	}
	for i, op := range g.Operators {
		if i > 0 {
			d := e.edge(g.Operators[i-1].ID, op.ID)
			t.line(" "+strings.Repeat(" ", name)+"  ↓ "+d.Dependence, "")
		}
		t.operator(&op, name)
	}
	if g.RunsOn != "" {
		t.line("", "")
		t.wrapped("on " + g.RunsOn)
	}
	for i := range g.Sharing {
		t.wrapped(plannedSharingText(&g.Sharing[i]))
	}
	if g.KernelOf != nil {
		t.line("", "")
		t.wrapped(fmt.Sprintf("in the kernel of group %d, whose scan it shares", *g.KernelOf))
	}
	if m := g.Measured; m != nil {
		t.line("", "")
		t.line(measuredText(m), "")
		if m.Taken != "" {
			t.wrapped(m.Taken)
		}
		for i := range m.Forms {
			d, sought := &m.Forms[i], ""
			if d.Sought {
				sought = "; later runs try others"
			}
			t.wrapped(fmt.Sprintf("%s: %s, %s; %s%s", d.Of, d.Taken().Strategy, d.Reason, d.Costs(), sought))
		}
		if m.DevicePeak > 0 {
			t.wrapped("at most " + bytesText(float64(m.DevicePeak)) + " of the device's memory held by the query")
		}
		if m.RoomWait > 0 {
			t.wrapped(fmt.Sprintf("waited %.2f ms for the device's memory that other queries held", float64(m.RoomWait)/1e6))
		}
		if m.Stream != nil {
			t.wrapped(streamText(m.Stream))
		}
		for i := range m.Sharing {
			t.wrapped(sharingText(&m.Sharing[i]))
		}
		if m.Phases != nil {
			t.phases(e, g)
		}
		if a := m.Additions; a != nil {
			t.wrapped(fmt.Sprintf("%d additions to groups made of %d rows", a.Made, a.Rows))
		}
		for i := range m.Launches {
			t.wrapped(launchText(m, &m.Launches[i]))
		}
	}
	t.b.WriteString("╰" + strings.Repeat("─", boxWidth) + "╯\n")
}

// phases writes the phases of an aggregation by keys, a line for each. Where its groups stay in their
// cells, what reads them is the last one.
func (t *textPrinter) phases(e *Explanation, g *GroupExplanation) {
	p := g.Measured.Phases
	t.wrapped("INITIALIZE: " + took(p.Initialize) + cellsText(p.Cells))
	t.wrapped("AGGREGATE: " + took(p.Aggregate) + filledText(p))
	switch {
	case p.LastBlock:
		t.wrapped("FINALIZE: by the last block of AGGREGATE")
		return
	case !p.InCells:
		t.wrapped("FINALIZE: " + took(p.Finalize))
		return
	}
	var readers []int
	for _, d := range e.Edges {
		if d.FromGroup == g.Group && d.ToGroup != g.Group {
			readers = append(readers, d.ToGroup)
		}
	}
	t.wrapped("FINALIZE: woven into " + groupList(readers) + ", where the cells are read")
}

func took(d time.Duration) string { return d.Round(100 * time.Nanosecond).String() }

// cellsText says how many cells there are, where that is known.
func cellsText(cells int64) string {
	if cells == 0 {
		return ""
	}
	return fmt.Sprintf(", %d cells", cells)
}

// filledText says how many of them are filled.
func filledText(p *Phases) string {
	switch {
	case p.Filled == 0:
		return ""
	case p.Cells == 0:
		return fmt.Sprintf(", %d groups", p.Filled)
	}
	return fmt.Sprintf(", %d of %d cells filled", p.Filled, p.Cells)
}

// registersText is how many registers a kernel is estimated to need, and how many it was given where
// that is known.
func registersText(g *GroupExplanation) string {
	text := fmt.Sprintf("%d registers", g.Needs.Registers)
	if c := g.Compiled; c != nil {
		text += fmt.Sprintf(" estimated, %d compiled", c.Registers)
	}
	return text
}

// operator writes name, detail and estimated rows; what is too long goes on in
// the next line, and the rows stand in the first.
func (t *textPrinter) operator(op *OperatorExplanation, name int) {
	detail := op.Detail
	if len(op.Sources) > 0 {
		detail += " ⇐ " + groupList(op.Sources)
	}
	rows := rowsText(op.Rows)
	indent := name + 3
	lines := wrap(detail, boxWidth-indent-width(rows)-3)
	for i, line := range lines {
		if i == 0 {
			t.line(fmt.Sprintf(" %-*s  %s", name, op.Name, line), rows+" ")
		} else {
			t.line(strings.Repeat(" ", indent)+line, "")
		}
	}
}

// wrapped writes text over as many lines as it needs.
func (t *textPrinter) wrapped(text string) {
	for i, line := range wrap(text, boxWidth-4) {
		t.line(strings.Repeat(" ", min(1+2*i, 3))+line, "")
	}
}

// line writes a line of a box, left and right.
func (t *textPrinter) line(left, right string) {
	fill := max(0, boxWidth-width(left)-width(right))
	t.b.WriteString("│" + left + strings.Repeat(" ", fill) + right + "│\n")
}

// borders writes why the group ends where it ends.
func (t *textPrinter) borders(e *Explanation, group int) {
	type border struct {
		dependence, reason string
		bytes              float64
		to                 []string
	}
	var borders []*border
	for _, d := range e.Edges {
		if d.Woven || d.FromGroup != group || d.Dependence == operators.Input.String() {
			continue
		}
		to := fmt.Sprintf("%s in group %d", d.ToName, d.ToGroup)
		if n := len(borders); n > 0 && borders[n-1].reason == d.Reason && borders[n-1].dependence == d.Dependence {
			last := borders[n-1]
			if last.to[len(last.to)-1] != to {
				last.to = append(last.to, to)
			}
			continue
		}
		borders = append(borders, &border{d.Dependence, d.Reason, d.Bytes, []string{to}})
	}
	for _, b := range borders {
		text := fmt.Sprintf("%s dependence: %s; %s for %s", b.dependence, b.reason, bytesText(b.bytes), strings.Join(b.to, ", "))
		for i, line := range wrap(text, boxWidth-4) {
			mark := "⇓"
			if i > 0 {
				mark = " "
			}
			t.b.WriteString("   " + mark + " " + line + "\n")
		}
	}
}

// inputs writes which groups read the same table.
func (t *textPrinter) inputs(e *Explanation) {
	for _, d := range e.Edges {
		if d.Dependence == operators.Input.String() {
			fmt.Fprintf(&t.b, "input dependence of groups %d and %d: %s\n", d.FromGroup, d.ToGroup, d.Reason)
		}
	}
}

// DecisionTexts are lines that say of every decision on an operator what was taken and
// why, with what all strategies would cost or why they do not apply.
func (e *Explanation) DecisionTexts() []string {
	var lines []string
	for _, d := range e.Decisions {
		lines = append(lines, fmt.Sprintf("%s of %s: %s, %s", d.Of, groupList(append([]int{d.Group}, d.With...)), d.Taken().Strategy, d.Reason))
		for i := range d.Offers {
			lines = append(lines, "    "+d.Offers[i].Text())
		}
	}
	return lines
}

func groupList(ids []int) string {
	texts := lists.Map(ids, func(id int) string { return fmt.Sprint(id) })
	if len(ids) == 1 {
		return "group " + texts[0]
	}
	return "groups " + strings.Join(texts, ", ")
}

func measuredText(m *Measurement) string {
	s := fmt.Sprintf(" %s on %s: %s → %s rows, read %s, wrote %s", m.Time.Round(time.Microsecond), m.Backend,
		count(float64(m.RowsIn)), count(float64(m.RowsOut)), bytesText(float64(m.BytesRead)), bytesText(float64(m.BytesWritten)))
	if m.BlocksSkipped > 0 {
		s += fmt.Sprintf(", skipped %d blocks", m.BlocksSkipped)
	}
	return s
}

func streamText(s *Stream) string {
	text := fmt.Sprintf("streamed %s in %d chunks and %d passes, %s, %s a second", bytesText(float64(s.Bytes)), s.Chunks, s.Passes,
		s.Time.Round(time.Microsecond), bytesText(float64(s.Bytes)/max(s.Time.Seconds(), 1e-9)))
	if s.Kept > 0 {
		text += fmt.Sprintf(", %s of it kept in page-locked memory", bytesText(float64(s.Kept)))
	}
	if s.Link > 0 {
		text += fmt.Sprintf(", the link busy for %.0f %% of it", 100*s.Link.Seconds()/s.Time.Seconds())
	}
	return text
}

func plannedSharingText(s *Sharing) string {
	text := ""
	for _, one := range s.Shares {
		text += fmt.Sprintf("device %d: %d rows; ", one.Device, one.Rows)
	}
	text += s.Exchange
	if s.Bytes > 0 {
		text += fmt.Sprintf(", about %s to be copied between devices", bytesText(float64(s.Bytes)))
	}
	return text
}

func sharingText(s *Sharing) string {
	parts := make([]string, len(s.Shares))
	for i, one := range s.Shares {
		parts[i] = fmt.Sprintf("device %d: %d rows, %s", one.Device, one.Rows, one.Kernels.Round(time.Microsecond))
	}
	text := strings.Join(append(parts, s.Exchange), "; ")
	if s.Bytes > 0 {
		text += fmt.Sprintf(", %s copied between devices", bytesText(float64(s.Bytes)))
	}
	return text
}

func launchText(m *Measurement, l *Launch) string {
	s := fmt.Sprintf("%s: %s, %d × %d threads, %d registers, %s shared, %s spilled, occupancy %.0f %%",
		l.Entry, l.Time, l.Blocks, l.Threads, l.Registers, bytesText(float64(l.Shared)), bytesText(float64(l.Spilled)), 100*l.Occupancy)
	if l.Bandwidth > 0 && l.Time > 0 && len(m.Launches) == 1 {
		s += fmt.Sprintf(", %.0f %% of the device's bandwidth", 100*float64(m.BytesRead)/l.Time.Seconds()/l.Bandwidth)
	}
	return s
}

func width(s string) int { return utf8.RuneCountInString(s) }

// wrap cuts text into lines of at most n characters, at blanks where it can.
func wrap(text string, n int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Split(text, " ") {
		for width(word) > n {
			runes, room := []rune(word), max(n-width(line)-1, 0)
			lines = append(lines, strings.TrimSpace(line+" "+string(runes[:room])))
			word, line = string(runes[room:]), ""
		}
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) > n:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

func rowsText(rows float64) string {
	if rows < 1.5 {
		return "1 row"
	}
	return count(rows) + " rows"
}

// count writes a number with three digits and a unit.
func count(x float64) string { return scaled(x, 1000, []string{"", " k", " M", " G", " T"}) }

func bytesText(x float64) string {
	return scaled(x, 1024, []string{" B", " KiB", " MiB", " GiB", " TiB"})
}

func scaled(x, step float64, units []string) string {
	i := 0
	for x >= step && i < len(units)-1 {
		x /= step
		i++
	}
	if x >= 1e4 {
		return fmt.Sprintf("%.1e%s", x, units[i])
	}
	if i == 0 || x >= 100 {
		return fmt.Sprintf("%.0f%s", x, units[i])
	}
	return fmt.Sprintf("%.1f%s", x, units[i])
}
