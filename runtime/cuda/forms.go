package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// sample samples the source, of what is left of it the longest range.
func (r *run) sample() error {
	ranges, rows := r.ranges, r.metrics.RowsIn
	defer func() { r.ranges, r.metrics.RowsIn = ranges, rows }()
	longest := slices.MaxFunc(ranges, func(a, b rowRange) int { return cmp.Compare(a.rows, b.rows) })
	r.ranges, r.metrics.RowsIn = []rowRange{longest}, longest.rows
	_, _, err := r.attempt(renderSample, 0)
	return err
}

// chooseForms chooses the forms of the kernel's expansions that are open: those that were timed over the same
// rows before, or else by how the rows of the tables spread over their keys, and where that pays by what a
// sample of the source finds there.
func (r *run) chooseForms() error {
	if r.source != nil || r.metrics.RowsIn == 0 || !cudagen.HasOpen(r.f) {
		return nil
	}
	known := &cudagen.Known{Spreads: make(map[int]*cudagen.Spread), Rows: float64(r.metrics.RowsIn)}
	for i := range r.inputs {
		if t := r.inputs[i].table; t != nil && t.spread != nil && t.spread.Keys > 0 {
			known.Spreads[i] = t.spread
		}
	}
	if len(known.Spreads) == 0 {
		return nil
	}
	m, key := r.backend.modules.get(renderPlain, r.f, r.shapes()), r.formKey(known)
	if r.forms = r.formTimes(m, key, nil); r.forms != nil {
		return nil
	}
	predicted, err := r.predictForms(known)
	if err == nil && predicted != nil && len(predicted.Decisions) > 0 {
		r.forms = r.formTimes(m, key, predicted)
	}
	return err
}

// formTimes are the times of a kernel's forms by their key. Where there are none they begin with what is
// predicted; nil: they do not begin.
func (r *run) formTimes(m *module, key string, predicted *cudagen.OpenForms) *cudagen.FormTimes {
	r.backend.modules.tuning.Lock()
	defer r.backend.modules.tuning.Unlock()
	if found := m.forms[key]; found != nil || predicted == nil {
		return found
	}
	if len(m.forms) == 0 || len(m.forms) >= maxFormTimes {
		m.forms = make(map[string]*cudagen.FormTimes)
	}
	m.forms[key] = cudagen.NewFormTimes(predicted, &r.backend.opts.Target.Device.Expand)
	return m.forms[key]
}

// predictForms are the forms that are likely to be the fastest; nil where no sample can be taken.
func (r *run) predictForms(known *cudagen.Known) (*cudagen.OpenForms, error) {
	target := r.backend.opts.Target
	sample, err := target.NeedsSample(r.f, r.shapes(), known)
	if err == nil && sample {
		err = r.sample()
	}
	if refusal := new(cudagen.Refusal); errors.As(err, &refusal) {
		return nil, nil // the kernel itself is refused for the same reason
	}
	if err != nil {
		return nil, err
	}
	return target.ChooseKnown(r.f, r.shapes(), known, r.sampled)
}

// maxFormTimes is for how many different rows, tables and constants the forms of a kernel are timed before
// all are forgotten.
const maxFormTimes = 64

// formKey is what the times of forms depend on beside the kernel: the rows of the source and of the
// tables, how these spread over their keys, and constants.
func (r *run) formKey(known *cudagen.Known) string {
	key := fmt.Append(cudagen.AppendConstants(nil, r.f.Params), known.Rows)
	for i := range r.inputs {
		if t := r.inputs[i].table; t != nil {
			key = fmt.Append(key, " ", i, t.rows)
		}
		if s := known.Spreads[i]; s != nil {
			key = fmt.Append(key, *s)
		}
	}
	return string(key)
}

// inForms carries the kernel out in the forms that are next, and times that where it is wanted. What a
// trial of forms is refused for leaves the kernel to others.
func (r *run) inForms() (out runtime.Output, room int64, err error) {
	if r.forms == nil {
		return r.vary()
	}
	f := r.f
	for {
		w, t := r.nextForms(f)
		r.f, r.trial = w.Of(f), t
		out, room, err = r.vary()
		r.trial = nil
		if err == nil && out == nil {
			return nil, room, nil // another rendering follows
		}
		if err == nil && t != nil {
			if err = r.queue.sync(); err != nil {
				discard(r.queue, out)
			}
		}
		if !r.endForms(w, t, err) {
			return out, room, err
		}
	}
}

// nextForms is how the kernel is carried out, and its trial where that is to be timed: nobody else uses the
// device, and nobody waits for its memory.
func (r *run) nextForms(f *kernel.Func) (*cudagen.FormWay, *trial) {
	r.backend.modules.tuning.Lock()
	defer r.backend.modules.tuning.Unlock()
	w, t := r.forms.Fastest(), (*trial)(nil)
	if r.standStill == nil && r.backend.mem.active.Load() == 1 {
		if w = r.forms.Next(func(w *cudagen.FormWay) bool { return r.isUsable(w, f) }); r.forms.IsWanted(w) {
			t = &trial{whole: true, taken: r.backend.mem.taken.Load()}
		}
	}
	if r.opts.Explain {
		r.metrics.Forms = r.forms.Decisions(w)
	}
	return w, t
}

// isUsable reports whether nobody waits for the compiler when f is carried out in a way. Otherwise it
// has that compiled for a later run.
func (r *run) isUsable(w *cudagen.FormWay, f *kernel.Func) bool {
	m := r.backend.modules.get(renderPlain, w.Of(f), r.shapes())
	if m.err != nil {
		w.Refused = true
		return false
	}
	why := r.backend.modules.soon(m)
	w.Refused = why != nil && !why.Coming
	return why == nil
}

// endForms notes what a trial has taken, unless others have used the device meanwhile, and reports whether
// the kernel is to be carried out in another way.
func (r *run) endForms(w *cudagen.FormWay, t *trial, err error) (again bool) {
	if t == nil {
		return false
	}
	r.backend.modules.tuning.Lock()
	defer r.backend.modules.tuning.Unlock()
	if took := sumOf(t.timers); err == nil && took > 0 && r.backend.mem.taken.Load() == t.taken {
		w.Note(took)
	}
	w.Refused = err != nil && w != r.forms.Predicted() && isGivenUp(err)
	return w.Refused
}

// fitFilters leaves filters of keys off, and rows in their threads, where the device has no room for
// them, rows are more than can be numbered, or they were not planned for the tables that there are.
func (r *run) fitFilters() {
	target, room := r.backend.opts.Target, int64(r.backend.device.Info().SharedMemory)
	groups := &target.Device.Groups
	fits := room >= groups.WideBytes+groups.SpareBytes // what was planned for
	fits = r.metrics.RowsIn <= math.MaxUint32 && (fits || target.FilterBytes(r.f, r.shapes()) <= room)
	fits = fits && !cudagen.PacksMatches(r.f, r.shapes())
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && p.Filter.Form == kernel.ExactFilter {
			t := r.inputs[p.Input].table
			fits = fits && t != nil && t.hasExact(p.Filter.Words)
		}
	}
	if !fits {
		r.f = cudagen.WithoutFilters(r.f)
	}
}
