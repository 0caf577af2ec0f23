package cubeloom

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// explainOptions are the options of an EXPLAIN.
type explainOptions struct {
	analyze bool // run the query and show what each kernel cost
	fusion  bool // show every decision
	kernel  bool // show the kernels
	rules   bool // show what each rewrite rule changed
	cuda    bool // show the CUDA source of the kernels
	launch  bool // show how a device launches them
	costs   bool // begin with the estimated cost
	format  string
}

// explained is everything that EXPLAIN shows, in the form of its JSON.
type explained struct {
	Algebra  json.RawMessage     `json:"algebra"`
	Rules    []explainedRule     `json:"rules,omitempty"`
	Program  *fusion.Explanation `json:"program"`
	Kernels  []string            `json:"kernels,omitempty"`
	CUDA     []string            `json:"cuda,omitempty"`
	Launch   []string            `json:"launch,omitempty"`
	Planning time.Duration       `json:"planning_nanoseconds"`
	Measured *explainedRun       `json:"measured,omitempty"`
}

// explainedRun is what executing the query cost.
type explainedRun struct {
	Execution time.Duration `json:"execution_nanoseconds"`
	Rows      int64         `json:"rows"`
	PeakBytes int64         `json:"peak_bytes"`
}

// readExplainOptions reads the options of an EXPLAIN.
func readExplainOptions(list []sql.Option) (explainOptions, error) {
	opts := explainOptions{format: "text", costs: true}
	switches := map[string]*bool{"analyze": &opts.analyze, "fusion": &opts.fusion, "kernel": &opts.kernel, "rules": &opts.rules, "cuda": &opts.cuda, "launch": &opts.launch, "costs": &opts.costs}
	ignored := new(bool) // PostgreSQL's options that change nothing here
	for _, name := range []string{"verbose", "timing", "summary", "buffers", "settings", "wal"} {
		switches[name] = ignored
	}
	for _, o := range list {
		if o.Name == "format" {
			opts.format = strings.ToLower(o.Value)
			if opts.format != "text" && opts.format != "json" && opts.format != "dot" {
				return opts, value.ErrorAt(int(o.Pos), value.CodeInvalidParameter,
					"unrecognized value for EXPLAIN option \"format\": %q (use text, json or dot)", o.Value)
			}
			continue
		}
		dst := switches[o.Name]
		if dst == nil {
			return opts, value.ErrorAt(int(o.Pos), value.CodeSyntax, "unrecognized EXPLAIN option %q", o.Name)
		}
		*dst = true
		if o.Value != "" {
			if err := settings.SetBool(o.Name, dst, o.Value); err != nil {
				return opts, value.At(err, int(o.Pos))
			}
		}
	}
	return opts, nil
}

// explain runs EXPLAIN.
func (s *Session) explain(ctx context.Context, stmt *sql.Explain) (*Result, error) {
	opts, err := readExplainOptions(stmt.Options)
	if err != nil {
		return nil, err
	}
	if execute := explainedExecute(stmt); execute != nil {
		var res *Result
		err := s.withPrepared(execute, func(p *Prepared) error {
			if p.Statement == nil {
				return value.Errorf(value.CodeFeatureNotSupported, "EXPLAIN of an empty statement is not supported")
			}
			res, err = s.explainStatement(ctx, p.Statement.parsed.Statement, stmt.Pos, opts)
			return err
		})
		return res, err
	}
	return s.explainStatement(ctx, stmt.Statement, stmt.Pos, opts)
}

// explainedExecute is the EXECUTE whose statement is explained, or nil.
func explainedExecute(stmt *sql.Explain) *sql.Execute {
	switch inner := stmt.Statement.(type) {
	case *sql.Execute:
		return inner
	case *sql.CreateTableAs:
		return inner.Execute
	}
	return nil
}

// explainStatement explains a statement of an EXPLAIN at pos.
func (s *Session) explainStatement(ctx context.Context, stmt sql.Statement, pos sql.Pos, opts explainOptions) (*Result, error) {
	query, err := explainedQuery(stmt, pos)
	if err == nil {
		err = s.permitExplained(stmt)
	}
	if err != nil {
		return nil, err
	}
	planOpts := s.planOptions()
	planOpts.Trace, planOpts.Weigh = opts.rules, opts.rules || opts.fusion
	c, err := s.compile(query, s.catalog(), planOpts, false)
	if err != nil {
		return nil, err
	}
	p, err := s.place(c)
	if err != nil {
		return nil, err
	}
	e, err := newExplained(c, opts)
	if err != nil {
		return nil, err
	}
	places := p.Steps()
	var kernels []runtime.Metrics // that ran
	if opts.analyze {
		run := s.runOptions()
		run.Explain = true
		run.Account = s.db.memory.Below(s.settings.MemoryLimit) // what it gives is not the result
		defer run.Account.Close()
		res, err := s.executeAt(ctx, c, p, run)
		if err != nil {
			return nil, err
		}
		e.measure(c, &res.Stats, res.Rows())
		kernels = res.Stats.Kernels
		places = res.Stats.Places
	}
	for group, text := range p.Reasons(places) {
		e.Program.Groups[group].RunsOn = text
	}
	if opts.cuda || opts.launch {
		for _, text := range c.deviceTexts(ctx, p, kernels) {
			if opts.cuda {
				e.CUDA = append(e.CUDA, text.head+text.source)
			}
			if opts.launch {
				e.Launch = append(e.Launch, text.head+text.plan)
			}
		}
	}
	rows, err := e.lines(c, opts)
	if err != nil {
		return nil, err
	}
	return textResult("EXPLAIN", []string{"QUERY PLAN"}, rows), nil
}

// explainedQuery is the query within the statement that is explained.
func explainedQuery(stmt sql.Statement, pos sql.Pos) (*sql.Query, error) {
	switch inner := stmt.(type) {
	case *sql.Query:
		return inner, nil
	case *sql.CreateTableAs:
		return inner.Query, nil
	case *sql.CreateView:
		return inner.Query, nil
	case *sql.Insert:
		if inner.Query != nil { // not DEFAULT VALUES
			return inner.Query, nil
		}
	}
	return nil, value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "EXPLAIN of this kind of statement is not supported")
}

// newExplained is what there is to show of a query before it runs.
func newExplained(c *compiled, opts explainOptions) (*explained, error) {
	e := &explained{Program: fusion.Explain(c.woven), Planning: c.elapsed}
	for i := range c.program.Steps {
		step := &c.program.Steps[i]
		for _, d := range step.Decisions {
			e.Program.AddDecision(c.woven, fusion.Decision{Op: c.woven.Groups[step.Group].Last(), Decision: d})
		}
	}
	var err error
	if e.Algebra, err = algebra.JSON(c.plan.Root); err != nil {
		return nil, err
	}
	if opts.rules {
		e.Rules = changedRules(c.plan)
	}
	if opts.kernel {
		for i := range c.program.Steps {
			e.Kernels = append(e.Kernels, kernel.Print(c.program.Steps[i].Func))
		}
	}
	return e, nil
}

// measure adds what executing the query cost, group by group.
func (e *explained) measure(c *compiled, stats *Stats, rows int64) {
	e.Measured = &explainedRun{Execution: stats.Execution, Rows: rows, PeakBytes: stats.Peak}
	for i, m := range stats.Kernels {
		group := &e.Program.Groups[c.program.Steps[i].Group]
		if group.Measured == nil {
			group.Measured = &fusion.Measurement{Backend: stats.Places[i].Backend.Name()}
		}
		group.Measured.Launches = append(group.Measured.Launches, launches(&m)...)
		group.Measured.Time += m.Time
		group.Measured.RowsIn += m.RowsIn
		group.Measured.RowsOut = m.RowsOut
		group.Measured.BytesRead += m.BytesRead
		group.Measured.BytesWritten += m.BytesWritten
		group.Measured.BlocksSkipped += m.BlocksSkipped
		group.Measured.Taken = m.Taken
		group.Measured.DevicePeak = max(group.Measured.DevicePeak, m.DevicePeak)
		if s := m.Stream; s.Passes > 0 {
			group.Measured.Stream = &fusion.Stream{Passes: s.Passes, Pieces: s.Pieces, Bytes: s.Bytes, Kept: s.Kept, Time: s.Time, Link: s.Link}
		}
	}
}

// lines makes the rows of EXPLAIN: one text a line.
func (e *explained) lines(c *compiled, opts explainOptions) ([][]string, error) {
	var text string
	switch opts.format {
	case "json":
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
func (e *explained) text(c *compiled, opts explainOptions) string {
	var out strings.Builder
	if opts.costs {
		out.WriteString(headline(c.plan))
	}
	if opts.rules {
		e.writeRules(&out, c.plan)
	}
	out.WriteString(e.Program.Text())
	if opts.fusion {
		e.writeDecisions(&out)
		e.writeChoices(&out, c.plan)
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
func (e *explained) writeChoices(out *strings.Builder, plan *planner.Plan) {
	for _, step := range plan.Steps {
		if len(step.Decisions) > 0 {
			fmt.Fprintf(out, "\nalternatives of rule %s\n", step.Rule)
			writeAlternatives(out, step.Decisions)
		}
	}
}

// writeDecisions lists what was decided for every pair of operators.
func (e *explained) writeDecisions(out *strings.Builder) {
	out.WriteString("\ndecisions\n")
	for _, d := range e.Program.Edges {
		verdict := "border"
		if d.Woven {
			verdict = "woven"
		}
		fmt.Fprintf(out, "  %-6s  %s (group %d) → %s (group %d), %s dependence: %s\n",
			verdict, d.FromName, d.FromGroup, d.ToName, d.ToGroup, d.Dependence, d.Reason)
	}
	if lines := e.Program.DecisionTexts(); len(lines) > 0 {
		out.WriteString("\nstrategies, by estimated time of one core\n  " + strings.Join(lines, "\n  ") + "\n")
	}
}
