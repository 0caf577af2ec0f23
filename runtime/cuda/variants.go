package cuda

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/tune"
)

// What is tried: where a kernel reads at least leastVariedBlocks blocks, or always, those ways that are likely to
// take at most mostVariedCost times as long as the cheapest, each in one run. Hash tables are
// launched again where they were too small: one run tells of that, too.
const (
	leastVariedBlocks = 4
	mostVariedCost    = 10
)

var variedOptions = tune.Options{Similarity: tune.Defaults.Similarity, Prune: tune.Defaults.Prune, MaxVariation: tune.Defaults.MaxVariation, MaxBlocks: 1}

// variants returns the search for the fastest way to carry the kernel out; nil where there is
// nothing to seek: the input is small, or the way is given.
func (r *run) variants() *variantSearch {
	if r.opts.Tuning < runtime.TuneLarge || r.opts.Forced || r.opts.Launch != (runtime.LaunchParameters{}) || r.source != nil || len(r.ranges) != 1 || !cudagen.Varies(r.f) {
		return nil
	}
	few, known := r.readsFewer(leastVariedBlocks)
	if !known {
		return nil
	}
	base := r.backend.modules.get(renderPlain, r.f, r.shapes())
	if base.err != nil {
		return nil // the run meets the same error
	}
	key, info, tries := groupBits(r.f), r.backend.device.Info(), !few || r.opts.Tuning == runtime.TuneAlways
	r.backend.modules.tuning.Lock()
	defer r.backend.modules.tuning.Unlock()
	found := base.variants[key]
	if found == nil && !tries && keptLaunch(&info, kernelName(base.rendered.Source, key)+variantKernel) == nil {
		return nil
	}
	if found == nil {
		if base.variants == nil {
			base.variants = make(map[int]*variantSearch)
		}
		found = r.newVariantSearch(base, key)
		base.variants[key] = found
	}
	if !tries && found.kept == nil && !found.Done() {
		return nil
	}
	return found
}

// readsFewer reports whether the kernel reads fewer blocks than so many; known is false where blocks cannot be
// read.
func (r *run) readsFewer(blocks int64) (fewer, known bool) {
	rows := r.blockRows(r.inputs[r.f.Source.(*kernel.Scan).Input].bound)
	return r.metrics.RowsIn < blocks*rows, rows > 0
}

// newVariantSearch begins the search for a kernel, at what is planned and at all strategies.
func (r *run) newVariantSearch(base *module, key int) *variantSearch {
	info := r.backend.device.Info()
	s := &variantSearch{
		kernel: kernelName(base.rendered.Source, key) + variantKernel, when: time.Now().Format(time.DateOnly), planned: cudagen.VariantOf(r.f),
		rendered: make(map[cudagen.Variant]*variant), ahead: compiledAhead,
	}
	f, modules, rows, shapes := r.f, r.backend.modules, float64(r.metrics.RowsIn), r.shapes()
	_, cost, err := modules.target.As(f, rows, s.planned)
	if err != nil {
		cost = math.Inf(1) // for so many rows another strategy is planned
	}
	s.rendered[s.planned] = &variant{sink: r.f.Sink.(*kernel.Aggregate), how: renderPlain, module: base, planned: true, cost: cost}
	s.render = func(v cudagen.Variant) bool { return s.renders(modules, f, v, rows, shapes) }
	if l := keptLaunch(&info, s.kernel); l != nil {
		kept := cudagen.Variant{Strategy: l.Strategy, Threads: l.Threads, Reported: l.Reported}
		if s.render(kept) {
			s.kept, s.saved = l, true
			s.Search = tune.New(func(cudagen.Variant) []cudagen.Variant { return nil }, []cudagen.Variant{kept}, variedOptions)
			return s
		}
	}
	opts := variedOptions
	if r.opts.Tuning == runtime.TuneAlways { // there is time, and nothing else to do
		opts.MaxBlocks, s.ahead = tune.Window, len(r.backend.opts.Target.Aggregates)
	}
	s.Search = tune.New(s.beside, append([]cudagen.Variant{s.planned}, s.strategies(r)...), opts)
	return s
}

// strategies are all strategies that apply, by the sizes of memory that the device reports where
// those of its file are others, the cheapest first.
func (s *variantSearch) strategies(r *run) []cudagen.Variant {
	sized := r.backend.modules.sized != nil
	var list []cudagen.Variant
	least := math.Inf(1)
	for _, of := range r.backend.opts.Target.Aggregates {
		v := cudagen.Variant{Strategy: of.Name(), Reported: sized}
		if s.render(v) {
			list, least = append(list, v), min(least, s.rendered[v].cost)
		}
	}
	slices.SortStableFunc(list, func(a, b cudagen.Variant) int { return cmp.Compare(s.rendered[a].cost, s.rendered[b].cost) })
	return slices.DeleteFunc(list, func(v cudagen.Variant) bool { return s.rendered[v].cost > mostVariedCost*least })
}

// beside are the ways with blocks of half and of twice as many threads.
func (s *variantSearch) beside(v cudagen.Variant) []cudagen.Variant {
	threads := 0
	plan := s.rendered[v].module.rendered.Plan
	for i := range plan.Entries {
		if e := &plan.Entries[i]; e.Source {
			threads = max(threads, e.Threads)
		}
	}
	var list []cudagen.Variant
	for _, n := range []int{threads / 2, 2 * threads} {
		next := v
		if next.Threads = n; cudagen.IsBlockSize(n) && s.render(next) {
			list = append(list, next)
		}
	}
	return list
}

// renders renders a way to carry a kernel out for so many rows of inputs of some shapes, and reports whether it applies,
// leaves the groups as what is planned does, and is not one of the others.
func (s *variantSearch) renders(modules *modules, f *kernel.Func, v cudagen.Variant, rows float64, shapes []cudagen.InputShape) bool {
	if made, known := s.rendered[v]; known {
		return made != nil
	}
	s.rendered[v] = nil
	how := renderPlain
	if v.Reported {
		how = renderReported
	}
	planned := s.rendered[s.planned].module
	sink, cost, err := modules.targetOf(how).As(f, rows, v)
	if err != nil {
		return false
	}
	m := modules.get(how, cudagen.Aggregating(f, sink), shapes)
	if m.err != nil || !m.givesAs(planned) {
		return false
	}
	for _, other := range s.rendered {
		if other != nil && other.module.isLike(m) {
			return false
		}
	}
	s.rendered[v] = &variant{sink: sink, how: how, module: m, cost: cost}
	return true
}

// givesAs reports whether what the kernel makes lies as that of another one does.
func (m *module) givesAs(o *module) bool {
	return reflect.DeepEqual(m.rendered.Outputs, o.rendered.Outputs) && reflect.DeepEqual(m.rendered.Bases, o.rendered.Bases) &&
		reflect.DeepEqual(m.rendered.Groups, o.rendered.Groups)
}

// isLike reports whether the kernel is another one, launched likewise.
func (m *module) isLike(o *module) bool {
	return m.rendered.Source == o.rendered.Source && launch.Print(m.rendered.Plan) == launch.Print(o.rendered.Plan)
}

// untried is the way that is to be tried next; nil where there is none, or it is not compiled.
func (s *variantSearch) untried(m *modules) *variant {
	for s.kept == nil && !s.tries && !s.Done() {
		at := s.Next()
		v := s.rendered[at]
		if at == s.planned || m.isUsable(v.module) {
			return v
		}
		if !v.module.failed() {
			break
		}
		s.Took(math.Inf(1))
	}
	return nil
}

// fastest is the fastest way so far that is compiled, or else what is planned.
func (s *variantSearch) fastest(m *modules) *variant {
	best, _ := s.Best()
	if v := s.rendered[best]; best == s.planned || m.isUsable(v.module) {
		return v
	}
	return s.rendered[s.planned]
}

// compile has what is tried next compiled.
func (s *variantSearch) compile(m *modules) {
	for _, v := range s.Certain(s.ahead) {
		_ = m.soon(s.rendered[v].module) // the run that tries it asks again
	}
}

// compiledAhead is how many ways are compiled at the same time behind a query, where others are to be disturbed
// as little as can be.
const compiledAhead = 2

// found is what has been found so far.
func (s *variantSearch) found() *machine.Launch {
	if s.kept != nil {
		return s.kept
	}
	best, took := s.Best()
	runs, _, _ := s.Effort()
	l := &machine.Launch{Kernel: s.kernel, Strategy: best.Strategy, Threads: best.Threads, Reported: best.Reported, When: s.when, Blocks: runs, Gain: 1}
	if took > 0 && s.usual > 0 {
		l.Gain = s.usual / took
	}
	return l
}

// save puts what was found in the file of the device when the search has ended.
func (s *variantSearch) save(device *Info) error {
	if !s.Done() || s.saved {
		return nil
	}
	s.saved = true
	return machine.KeepLaunch(device.Name, device.Driver, *s.found())
}
