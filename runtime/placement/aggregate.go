package placement

import (
	"errors"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// kernels are those of the step.
func (s *deviceStep) kernels() []*kernel.Func {
	if s.split != nil {
		return s.split.Kernels()
	}
	return []*kernel.Func{s.whole}
}

// deviceStep splits a step where that is needed, and chooses the strategies of its
// aggregations.
func (p *Plan) deviceStep(i int) (*deviceStep, error) {
	step := &p.query.Program.Steps[i]
	s := &deviceStep{whole: step.Func, split: codegen.SplitDistinct(step.Func)}
	if agg, ok := step.Func.Sink.(*kernel.Aggregate); ok && s.split != nil && agg.Strategy == kernel.Ordered {
		return s, &cudagen.Refusal{Reason: "groups that are runs of rows are not split into steps for DISTINCT"}
	}
	var err error
	if s.split == nil {
		s.whole, err = p.decided(s, i, step.Func, p.sourceRows(i))
		return s, err
	}
	err = p.decidedSplit(s, i)
	sets := &deviceStep{whole: step.Func}
	var offers cudagen.Distinct
	if sets.split, offers.NoSets = codegen.DistinctBits(step.Func); sets.split != nil {
		if setsErr := p.decidedSplit(sets, i); setsErr != nil {
			offers.NoSets = setsErr.Error()
		}
	}
	if err != nil {
		return s, err
	}
	marks, err := p.marked(i)
	if err != nil {
		offers.NoMarks = err.Error()
	}
	const setKernels = 2
	launch := p.backend.Target().Device.Launch
	offers.Kernels = len(s.split.Finer)
	offers.Split = s.cost + launch*float64(offers.Kernels+1)
	offers.Sets = sets.cost + launch*setKernels
	offers.Marks = marks.cost + launch
	d, err := offers.Choose(p.query.Wants.Distinct)
	switch {
	case d.Takes(distinct.Set):
		s = sets
	case d.Takes(distinct.Mark):
		s = marks
	}
	s.decisions = append([]strategy.Decision{d}, s.decisions...)
	return s, asRefusal(err)
}

// marked is step i with the values marked that are new to their groups, in one kernel.
func (p *Plan) marked(i int) (*deviceStep, error) {
	f := codegen.MarkDistinct(p.query.Program.Steps[i].Func)
	s := &deviceStep{whole: f}
	if p.shares(i) {
		return s, &cudagen.Refusal{Reason: "the kernel shares its pass over the rows with others"}
	}
	rows := p.sourceRows(i)
	whole, err := p.decided(s, i, f, rows)
	if err != nil {
		return s, err
	}
	s.whole = whole
	// Rows are added while others wait for their marks (docs/measurements/2026-11-30-marks.md).
	s.cost = max(s.cost, p.backend.Target().MarkCost(whole, rows))
	return s, nil
}

// shares reports whether step i shares a pass over its rows with others.
func (p *Plan) shares(i int) bool {
	return slices.ContainsFunc(p.query.Program.Shared, func(set []int) bool { return slices.Contains(set, i) })
}

// inCells is the split of step i with groups that are read from their cells, where there is one set of them and it can
// have cells: a kernel of several sinks has none that another one can read.
func (p *Plan) inCells(i int, split *codegen.Split) *codegen.Split {
	if p.shares(i) || len(split.Finer) > 1 || !cudagen.LeavesCells(split.Finer[0]) {
		return split
	}
	return split.InCells()
}

// decidedSplit chooses the strategies of the kernels of a split.
func (p *Plan) decidedSplit(s *deviceStep, i int) (err error) {
	s.split = p.inCells(i, s.split)
	for d, f := range s.split.Finer {
		if s.split.Finer[d], err = p.decided(s, i, f, p.sourceRows(i)); err != nil {
			return err
		}
	}
	s.split.Coarser, err = p.decided(s, i, s.split.Coarser, s.split.Groups())
	return err
}

// decided returns a kernel of step i with the strategy of its sink, the forms of its expansions, the
// filters of its probes and where rows are packed, over so many rows: what a form costs depends on what is done with its rows.
func (p *Plan) decided(s *deviceStep, i int, f *kernel.Func, rows float64) (*kernel.Func, error) {
	target := p.backend.Target()
	f, err := p.decidedSink(s, i, cudagen.DealtFirst(f), rows)
	if err != nil {
		return f, err
	}
	f, expansions, err := target.ChooseExpansions(f, rows, p.query.Expansions, p.query.Pages)
	s.decisions = append(s.decisions, expansions...)
	if err != nil {
		return f, err
	}
	return p.sharing(s, i, f, rows)
}

// decidedSink returns the kernel with the strategy of its sink.
func (p *Plan) decidedSink(s *deviceStep, i int, f *kernel.Func, rows float64) (*kernel.Func, error) {
	target := p.backend.Target()
	var decisions []strategy.Decision
	var err error
	switch f.Sink.(type) {
	case *kernel.Build:
		f, decisions, err = target.ChooseTable(f, p.probesOf(i))
	case *kernel.Sort:
		f, decisions, err = target.ChooseSort(f, p.groupsRead(i), rows, p.query.Wants.Sorts)
	case *kernel.Window:
		decisions, err = target.ChooseWindow(f, rows)
	case *kernel.Materialize:
		decisions, err = target.ChooseMaterialize(f, p.query.Rows(i), rows)
	case *kernel.Aggregate:
		return p.decidedAggregate(s, f, rows)
	}
	s.decisions = append(s.decisions, decisions...)
	return f, asRefusal(err)
}

// groupsRead is the aggregation whose groups step i reads from their cells, nil for none. It has been decided before.
func (p *Plan) groupsRead(i int) *kernel.Aggregate {
	maker := p.query.Program.GroupsRead(i)
	if maker < 0 || p.onDevice[maker] == nil {
		return nil
	}
	kernels := p.onDevice[maker].kernels()
	agg, _ := kernels[len(kernels)-1].Sink.(*kernel.Aggregate)
	return agg
}

// decidedAggregate returns the kernel with the table of its groups, and with what fills it.
func (p *Plan) decidedAggregate(s *deviceStep, f *kernel.Func, rows float64) (*kernel.Func, error) {
	f, tables, err := p.backend.Target().ChooseGroups(f, p.query.Wants.Tables)
	if err != nil {
		return f, err
	}
	by, decisions, err := p.backend.Target().ChooseAggregate(f, rows, &p.query.Wants)
	if err != nil {
		return f, err
	}
	s.decisions = append(append(s.decisions, tables...), decisions...)
	s.cost += decisions[0].Taken().Cost
	with := *f
	with.Sink = by
	return &with, nil
}

// sharing returns a kernel with what its blocks have in shared memory beside groups: filters of keys and
// rows that wait. Where the aggregation leaves no room for them, another strategy may take its place.
func (p *Plan) sharing(s *deviceStep, i int, f *kernel.Func, rows float64) (*kernel.Func, error) {
	choose := func(f *kernel.Func) (*kernel.Func, []strategy.Decision, error) {
		return p.backend.Target().ChooseShared(f, p.builds(i), rows, p.query.Filters, p.query.Packing)
	}
	with, decisions, err := choose(f)
	if other, name := cudagen.WithRoom(f); other != nil && p.query.Wants.Aggregates.Force == "" && (err != nil || len(decisions) > 0) {
		of := slices.IndexFunc(s.decisions, func(d strategy.Decision) bool { return d.Of == cudagen.OfGroups })
		roomy, others, otherErr := choose(other)
		if otherErr != nil || of < 0 {
			s.decisions = append(s.decisions, decisions...)
			return with, asRefusal(err)
		}
		groups := &s.decisions[of]
		more := groups.CostOf(name) - groups.Taken().Cost
		if p.sharesByForce() || err == nil && shareCost(others)+more < shareCost(decisions) {
			cudagen.TakeRoom(groups, name)
			with, decisions, err = roomy, others, nil
		}
	}
	s.decisions = append(s.decisions, decisions...)
	return with, asRefusal(err)
}

// sharesByForce reports whether filters or rows that wait are forced.
func (p *Plan) sharesByForce() bool {
	return slices.ContainsFunc(p.query.forced(), func(w strategy.Preference) bool {
		return w.Setting == p.query.Filters.Setting || w.Setting == p.query.Packing.Setting
	})
}

// shareCost is what the way costs that the last of the decisions takes.
func shareCost(decisions []strategy.Decision) float64 {
	return decisions[len(decisions)-1].Taken().Cost
}

// builds are the kernels that make the tables of a step, by input.
func (p *Plan) builds(i int) map[int]*kernel.Func {
	steps := p.query.Program.Steps
	builds := make(map[int]*kernel.Func)
	for in := range steps[i].Inputs {
		parts := steps[i].Inputs[in].Parts
		if len(parts) != 1 || parts[0].Cols != nil {
			continue
		}
		if _, ok := steps[parts[0].Step].Func.Sink.(*kernel.Build); !ok {
			continue
		}
		builds[in] = steps[parts[0].Step].Func
		if made := p.onDevice[parts[0].Step]; made != nil {
			builds[in] = made.whole
		}
	}
	return builds
}

// probesOf are the probes that look keys up in the table of a step.
func (p *Plan) probesOf(i int) []*kernel.Probe {
	var probes []*kernel.Probe
	for at := range p.query.Program.Steps {
		step := &p.query.Program.Steps[at]
		for _, in := range step.Func.Body {
			probe, ok := in.(*kernel.Probe)
			if !ok || probe.Sorted != nil {
				continue
			}
			if parts := step.Inputs[probe.Input].Parts; len(parts) == 1 && parts[0].Step == i {
				probes = append(probes, probe)
			}
		}
	}
	return probes
}

// asRefusal has the CPU do what is forced and does not apply on the device.
func asRefusal(err error) error {
	var e *value.Error
	if errors.As(err, &e) {
		return &cudagen.Refusal{Reason: e.Message}
	}
	return err
}

// prepareSteps finds how the steps that are wanted on the device are done there, and
// which of them it refuses.
func (p *Plan) prepareSteps() map[int]refusal {
	if kept := p.query.Memo.find(p); kept != nil {
		p.onDevice = maps.Clone(kept.steps)
		return kept.refused
	}
	p.onDevice = make(map[int]*deviceStep)
	refused := make(map[int]refusal)
	for i := range p.query.Program.Steps {
		if _, known := refused[p.group[i]]; known || !p.wanted[i] {
			continue
		}
		s, err := p.deviceStep(i)
		var noCode *cudagen.Refusal
		if err != nil && !errors.As(err, &noCode) {
			p.err = errors.Join(p.err, err)
			continue
		}
		if err == nil {
			err = p.check(s)
		}
		if err != nil {
			refused[p.group[i]] = refusal{i, err}
			continue
		}
		p.onDevice[i] = s
	}
	p.query.Memo.keep(p, refused)
	return refused
}

// check reports why the device has no code for a step.
func (p *Plan) check(s *deviceStep) error {
	for _, f := range s.kernels() {
		isNew, err := p.backend.Check(f)
		p.isNew = p.isNew || isNew
		if err != nil {
			return err
		}
	}
	return nil
}

// adopt puts the kernels of the steps that run on the device into the program.
func (p *Plan) adopt() {
	maps.DeleteFunc(p.onDevice, func(i int, _ *deviceStep) bool { return !p.isOnDevice(i) })
	if len(p.onDevice) == 0 {
		return
	}
	program := *p.query.Program
	program.Steps = slices.Clone(program.Steps)
	splits := make(map[int]*codegen.Split)
	for i, s := range p.onDevice {
		step := &program.Steps[i]
		step.Decisions = append(slices.Clip(step.Decisions), s.decisions...)
		step.Func = s.whole
		if s.split != nil {
			splits[i] = s.split
		}
	}
	if len(splits) == 0 {
		p.query.Program = &program
		return
	}
	var from []int
	p.query.Program, from = program.WithSplits(splits)
	p.adopted(from)
}

// adopted notes that the program has other steps: from[i] is what step i was.
func (p *Plan) adopted(from []int) {
	p.steps = picked(p.steps, from)
	if p.wanted != nil {
		p.wanted = picked(p.wanted, from)
	}
	rows := p.query.Rows
	p.query.Rows = func(step int) float64 { return rows(from[step]) }
}

// picked are the elements with the numbers.
func picked[T any](of []T, numbers []int) []T {
	return lists.Map(numbers, func(n int) T { return of[n] })
}

// checkForced holds that what strategies are forced of runs where these exist.
func (p *Plan) checkForced() {
	for _, want := range p.query.forced() {
		for i := range p.steps {
			f := p.query.Program.Steps[i].Func
			concerns := groupsByKeys(f)
			switch want.Setting {
			case p.query.Expansions.Setting:
				concerns = cudagen.MayExpand(f)
			case p.query.Wants.Distinct.Setting:
				concerns = codegen.MarkDistinct(f) != nil
			case p.query.Wants.Sorts.Setting:
				_, concerns = f.Sink.(*kernel.Sort)
			case p.query.Filters.Setting, p.query.Packing.Setting:
				concerns = len(p.builds(i)) > 0
			}
			if !concerns || p.isOnDevice(i) || p.err != nil {
				continue
			}
			why := p.steps[i].Reason
			if why == "" {
				why = "device is cpu"
			}
			p.err = value.Errorf(value.CodeFeatureNotSupported, "%s is %s, a strategy of CUDA devices, which does not apply to group %d: it runs on the CPU: %s",
				want.Setting, want.Force, p.query.Program.Steps[i].Group, why)
		}
	}
}

// groupsByKeys reports whether a kernel aggregates by keys.
func groupsByKeys(f *kernel.Func) bool {
	agg, ok := f.Sink.(*kernel.Aggregate)
	return ok && len(agg.Keys) > 0
}
