package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// sharedScans are sets of steps that fusion has woven because they read the same input.
func (g *generator) sharedScans() (sets [][]int) {
	step := func(op int) int {
		group := &g.program.Groups[g.program.Ops[op].Group]
		return g.results[group.Last()].binding.Parts[0].Step
	}
	for i := range g.program.Edges {
		e := &g.program.Edges[i]
		if e.Dependence != operators.Input || !e.Takes(fusion.Woven) {
			continue
		}
		first, other := step(e.From), step(e.To)
		at := slices.IndexFunc(sets, func(set []int) bool { return set[0] == first })
		if at < 0 {
			at = len(sets)
			sets = append(sets, []int{first})
		}
		sets[at] = append(sets[at], other)
	}
	return sets
}

// SharedScan is the kernel that takes the place of some steps, and what was decided for it.
type SharedScan struct {
	Steps     []int
	Func      *kernel.Func
	Decisions []strategy.Decision
}

// WithSharedScans returns the program with one kernel in the place of the first step of each
// scan, which gives a result for each of its steps. The numbers of steps change: from[i] is
// the first step that step i was.
func (p *Program) WithSharedScans(scans []SharedScan) (_ *Program, from []int) {
	out := *p
	out.Steps, out.Shared = nil, nil
	now := make([]Part, len(p.Steps)) // where the result of a step is
	for i := range p.Steps {
		if now[i].Result > 0 {
			continue // a step before gives it
		}
		now[i].Step = len(out.Steps)
		step := p.Steps[i]
		step.Inputs = rebound(step.Inputs, now)
		if at := slices.IndexFunc(scans, func(s SharedScan) bool { return s.Steps[0] == i }); at >= 0 {
			step = p.sharing(&scans[at], step.Inputs)
			for result, other := range scans[at].Steps[1:] {
				now[other] = Part{Step: len(out.Steps), Result: result + 1}
			}
		}
		out.Steps, from = append(out.Steps, step), append(from, i)
	}
	out.Result = rebound([]Binding{p.Result}, now)[0]
	return &out, from
}

// sharing is the step in which some share the scan of the first one.
func (p *Program) sharing(s *SharedScan, inputs []Binding) Step {
	step := Step{Func: s.Func, Inputs: inputs, Group: p.Steps[s.Steps[0]].Group}
	for _, i := range s.Steps {
		step.Groups = append(step.Groups, p.Steps[i].Group)
		step.Decisions = append(step.Decisions, p.Steps[i].Decisions...)
	}
	step.Decisions = append(step.Decisions, s.Decisions...)
	return step
}

// rebound are bindings whose parts lie elsewhere now.
func rebound(bindings []Binding, now []Part) []Binding {
	out := slices.Clone(bindings)
	for i := range out {
		out[i].Parts = slices.Clone(out[i].Parts)
		for k := range out[i].Parts {
			part := &out[i].Parts[k]
			part.Result += now[part.Step].Result
			part.Step = now[part.Step].Step
		}
	}
	return out
}

// ShareScan makes one kernel of several that scan the same relation: see kernel.Several. Kernels
// with the very body of the first one share that too; the others read nothing but the
// relation.
func ShareScan(funcs []*kernel.Func) *kernel.Func {
	first, sink := funcs[0], &kernel.Several{}
	if sameBody(funcs) {
		for _, g := range funcs {
			sink.Branches = append(sink.Branches, kernel.Branch{Sink: g.Sink})
		}
		return cleaned(withSink(first, sink)) // the first one has values that others define, or nobody
	}
	f := *first
	scan := *first.Source.(*kernel.Scan)
	scan.Cols, f.Values, f.Params = slices.Clone(scan.Cols), slices.Clone(f.Values), slices.Clone(f.Params)
	f.Source = &scan
	// What one of them skips, another may read.
	scan.Prune, f.Body = nil, nil
	sink.Branches = append(sink.Branches, kernel.Branch{Body: first.Body, Sink: first.Sink})
	for _, g := range funcs[1:] {
		sink.Branches = append(sink.Branches, newBranch(&f, &scan, g))
	}
	f.Sink = sink
	return &f
}

// sameBody reports whether kernels differ in nothing but their sinks.
func sameBody(funcs []*kernel.Func) bool {
	return !slices.ContainsFunc(funcs[1:], func(g *kernel.Func) bool {
		return g.Source != funcs[0].Source || !slices.Equal(g.Body, funcs[0].Body)
	})
}

// newBranch makes a branch of f of another kernel, whose values and dictionaries get numbers
// behind those of f. A column that f loads is not loaded again.
func newBranch(f *kernel.Func, scan *kernel.Scan, of *kernel.Func) kernel.Branch {
	own := *of
	from := *of.Source.(*kernel.Scan)
	from.Cols, from.Prune = slices.Clone(from.Cols), nil
	own.Params, own.Source, own.Body, own.Sink = slices.Clone(of.Params), &from, kernel.CloneBlock(of.Body), ownSink(of.Sink)
	values, dicts := make(map[kernel.ValueID]kernel.ValueID), make(map[kernel.DictID]kernel.DictID)
	var more []int // of own columns: those that f does not load
	for i, c := range from.Cols {
		at := slices.IndexFunc(scan.Cols, func(o kernel.SourceCol) bool { return o.Ordinal == c.Ordinal })
		if at < 0 {
			more = append(more, i)
			continue
		}
		values[c.Dst] = scan.Cols[at].Dst
		if v := &of.Values[c.Dst]; v.Type == kernel.Code {
			dicts[v.Dict] = f.Values[scan.Cols[at].Dst].Dict
		}
	}
	add := func(id kernel.ValueID) {
		v := of.Values[id]
		if v.Type == kernel.Code {
			if _, known := dicts[v.Dict]; !known {
				dicts[v.Dict] = kernel.DictID(f.Dicts)
				f.Dicts++
			}
			v.Dict = dicts[v.Dict]
		}
		values[id] = kernel.ValueID(len(f.Values))
		f.Values = append(f.Values, v)
	}
	number := func(id *kernel.ValueID) {
		if *id == kernel.NoValue {
			return
		}
		if _, known := values[*id]; !known {
			add(*id)
		}
		*id = values[*id]
	}
	kernel.VisitValues(&own, number)
	for _, i := range more {
		scan.Cols = append(scan.Cols, from.Cols[i])
	}
	f.Params = append(f.Params, own.Params...)
	return kernel.Branch{Body: own.Body, Sink: own.Sink}
}
