// Package explain makes the rows of EXPLAIN: of a query that is ready to run, and of one that
// has run.
package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
)

// Explanation is everything that EXPLAIN shows, in the form of its JSON.
type Explanation struct {
	Algebra  json.RawMessage     `json:"algebra"` // set for JSON only
	Rules    []Rule              `json:"rules,omitempty"`
	Program  *fusion.Explanation `json:"program"`
	Kernels  []string            `json:"kernels,omitempty"`
	CUDA     []string            `json:"cuda,omitempty"`
	Launch   []string            `json:"launch,omitempty"`
	Tuned    []machine.Tuned     `json:"tuned,omitempty"` // of the figures that were gone by
	Found    []string            `json:"found,omitempty"` // by a tuner for kernels on a device
	Planning time.Duration       `json:"planning_nanoseconds"`
	Measured *Run                `json:"measured,omitempty"`
}

// Run is what executing the query cost.
type Run struct {
	Execution time.Duration `json:"execution_nanoseconds"`
	Rows      int64         `json:"rows"`
	PeakBytes int64         `json:"peak_bytes"`
}

// New is what there is to show of a query before it runs.
func New(c *query.Compiled, opts Options) *Explanation {
	e := &Explanation{Program: fusion.Explain(c.Woven), Tuned: machine.HostTuned(), Planning: c.Elapsed}
	for i := range c.Program.Steps {
		step := &c.Program.Steps[i]
		for _, d := range step.Decisions {
			e.Program.AddDecision(c.Woven, fusion.Decision{Op: c.Woven.Groups[step.Group].Last(), Decision: d})
		}
	}
	if opts.Rules {
		e.Rules = changedRules(c.Plan)
	}
	if opts.kernel {
		for i := range c.Program.Steps {
			e.Kernels = append(e.Kernels, kernel.Print(c.Program.Steps[i].Func))
		}
	}
	return e
}

// Measure adds what executing the query cost, group by group.
func (e *Explanation) Measure(c *query.Compiled, stats *result.Stats, rows int64) {
	e.Measured = &Run{Execution: stats.Execution, Rows: rows, PeakBytes: stats.Peak}
	for i, m := range stats.Kernels {
		group := &e.Program.Groups[c.Program.Steps[i].Group]
		if group.Measured == nil {
			group.Measured = &fusion.Measurement{Backend: stats.Places[i].Backend.Name()}
		}
		if a := additions(&m); a != nil {
			group.Measured.Additions = a
		}
		group.Measured.Launches = append(group.Measured.Launches, launches(&m)...)
		e.shared(&c.Program.Steps[i])
		group.Measured.Time += m.Time
		group.Measured.RowsIn += m.RowsIn
		group.Measured.RowsOut = m.RowsOut
		group.Measured.BytesRead += m.BytesRead
		group.Measured.BytesWritten += m.BytesWritten
		group.Measured.BlocksSkipped += m.BlocksSkipped
		group.Measured.Taken = m.Taken
		if m.Phases != nil {
			phases := fusion.Phases(*m.Phases)
			group.Measured.Phases = &phases
		}
		group.Measured.Forms = append(group.Measured.Forms, m.Forms...)
		group.Measured.DevicePeak = max(group.Measured.DevicePeak, m.DevicePeak)
		group.Measured.RoomWait += m.RoomWait
		if m.Sharing != nil {
			group.Measured.Sharing = append(group.Measured.Sharing, sharing(m.Sharing))
		}
		if s := m.Stream; s.Passes > 0 {
			group.Measured.Stream = &fusion.Stream{Passes: s.Passes, Chunks: s.Chunks, Bytes: s.Bytes, Kept: s.Kept, Time: s.Time, Link: s.Link}
		}
	}
}

// shared notes of the other groups of a step that they share its scan.
func (e *Explanation) shared(step *codegen.Step) {
	for _, g := range step.Groups {
		if g != step.Group {
			e.Program.Groups[g].KernelOf = &step.Group
		}
	}
}

// Lines makes the rows of EXPLAIN: one text a line.
func (e *Explanation) Lines(c *query.Compiled, opts Options) ([][]string, error) {
	var text string
	switch opts.format {
	case "json":
		var err error
		if e.Algebra, err = algebra.JSON(c.Plan.Root); err != nil {
			return nil, err
		}
		out, err := json.MarshalIndent(e, "", "  ")
		if err != nil {
			return nil, err
		}
		text = string(out)
	case "dot":
		text = e.Program.Dot()
	default:
		text = e.text(c, opts)
	}
	var rows [][]string
	for line := range strings.Lines(text) {
		rows = append(rows, []string{strings.TrimSuffix(line, "\n")})
	}
	return rows, nil
}

// text is the text form: the woven groups, then whatever the options ask for.
func (e *Explanation) text(c *query.Compiled, opts Options) string {
	var out strings.Builder
	if opts.costs {
		out.WriteString(headline(c.Plan))
	}
	if opts.Rules {
		e.writeRules(&out, c.Plan)
	}
	out.WriteString(e.Program.Text())
	if opts.Fusion {
		e.writeDecisions(&out)
		e.writeChoices(&out, c.Plan)
	}
	for _, text := range e.Kernels {
		out.WriteString("\n" + text)
	}
	for _, text := range slices.Concat(e.CUDA, e.Launch) {
		out.WriteString("\n" + text)
	}
	fmt.Fprintf(&out, "\nplanned, woven and generated in %.3f ms\n", float64(e.Planning.Microseconds())/1000)
	if m := e.Measured; m != nil {
		fmt.Fprintf(&out, "executed in %.3f ms: %d rows, at most %d kB held\n",
			float64(m.Execution.Microseconds())/1000, m.Rows, m.PeakBytes>>10)
	}
	return out.String()
}

// writeChoices lists what rules chose from by costs.
func (e *Explanation) writeChoices(out *strings.Builder, plan *planner.Plan) {
	for _, step := range plan.Steps {
		if len(step.Decisions) > 0 {
			fmt.Fprintf(out, "\nalternatives of rule %s\n", step.Rule)
			writeAlternatives(out, step.Decisions)
		}
	}
}

// writeDecisions lists what was decided for every pair of operators.
func (e *Explanation) writeDecisions(out *strings.Builder) {
	out.WriteString("\ndecisions\n")
	for _, d := range e.Program.Edges {
		verdict := "border"
		if d.Woven {
			verdict = "woven"
		}
		fmt.Fprintf(out, "  %-6s  %s (group %d) → %s (group %d), %s dependence: %s (%s)\n",
			verdict, d.FromName, d.FromGroup, d.ToName, d.ToGroup, d.Dependence, d.Reason, d.Costs())
	}
	if lines := e.Program.DecisionTexts(); len(lines) > 0 {
		out.WriteString("\nstrategies, by estimated time of one core or of the device, placements by the clock\n  " + strings.Join(lines, "\n  ") + "\n")
	}
	if len(e.Tuned)+len(e.Found) > 0 {
		out.WriteString("\ntuned on this machine\n")
	}
	for i := range e.Tuned {
		fmt.Fprintf(out, "  %s\n", &e.Tuned[i])
	}
	for _, text := range e.Found {
		fmt.Fprintf(out, "  %s\n", text)
	}
}

// writeRules writes the plan as it was bound, what each rule changed in it, and
// the plan that this led to.
func (e *Explanation) writeRules(out *strings.Builder, plan *planner.Plan) {
	fmt.Fprintf(out, "bound algebra\n%s\n", algebra.Format(plan.Bound))
	for _, rule := range e.Rules {
		fmt.Fprintf(out, "rule %s: %s\n", rule.Name, rule.Why)
		writeAlternatives(out, rule.Decisions)
		fmt.Fprintf(out, "%s\n\n", strings.Join(rule.Changes, "\n"))
	}
	fmt.Fprintf(out, "optimized algebra\n%s\n", algebra.Format(plan.Root))
}
