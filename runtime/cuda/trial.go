package cuda

import (
	"errors"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// Of the rows one in firstPart is gone over first. Where these take more than giveUp times as long as
// in the fastest way so far, the kernel begins anew. A run tries mostTried ways at most.
const (
	firstPart = 16
	giveUp    = 1.25
	mostTried = 2
)

// errGivenUp ends a run of a kernel that begins anew in another way.
var errGivenUp = errors.New("another way to aggregate is faster")

// vary carries the kernel out, in a way to aggregate that is tried, or in the fastest that is known.
// What is tried later is compiled when the kernel has run.
func (r *run) vary() (out runtime.Output, room int64, err error) {
	s := r.variants()
	if s == nil {
		return r.attempt(renderPlain, 0)
	}
	taken := r.metrics.Taken
	for range mostTried {
		v, t := r.begin(s)
		if v == nil {
			break
		}
		if out, room, err = r.try(s, v, t); err == nil {
			return r.endVariants(s, out, room)
		}
		if v.planned || !isGivenUp(err) {
			return nil, 0, err
		}
		r.metrics.Taken = taken
	}
	v, t := r.fastest(s)
	r.f = cudagen.Aggregating(r.f, v.sink)
	if t != nil {
		out, room, err = r.tryLaunch(v, t)
	} else {
		out, room, err = r.attempt(v.how, 0)
	}
	if err != nil {
		return nil, 0, err
	}
	return r.endVariants(s, out, room)
}

// tryLaunch carries the kernel out as one block of the search for its launch parameters.
func (r *run) tryLaunch(v *variant, t *trial) (runtime.Output, int64, error) {
	r.trial = t
	out, room, err := r.attempt(v.how, 0)
	r.trial = nil
	if err != nil || t.search == nil {
		return out, room, err
	}
	if err = r.queue.sync(); err == nil {
		err = r.endLaunch(t)
	}
	if err != nil {
		discard(r.queue, out)
		return nil, 0, err
	}
	return out, room, nil
}

// endLaunch tells a search for launch parameters how long its block took, and keeps what was found.
func (r *run) endLaunch(t *trial) error {
	m, info := r.backend.modules, r.backend.device.Info()
	m.tuning.Lock()
	defer m.tuning.Unlock()
	if r.backend.mem.taken.Load() == t.taken { // others may have slowed the block down
		t.search.launched(r.parameters, t.what.Sum64())
		t.search.took(sumOf(t.timers))
	}
	return t.search.save(&info)
}

// isGivenUp reports whether a way to aggregate is given up after an error, and another one taken.
func isGivenUp(err error) bool {
	refusal, compiling := new(cudagen.Refusal), new(CompileError)
	return errors.Is(err, errGivenUp) || errors.Is(err, ErrOutOfMemory) || errors.As(err, &refusal) || errors.As(err, &compiling)
}

// begin returns a way to aggregate that is to be tried, which others leave alone until endTrial; nil: there is
// none, or others use the device.
func (r *run) begin(s *variantSearch) (*variant, *trial) {
	m := r.backend.modules
	m.tuning.Lock()
	defer m.tuning.Unlock()
	v := s.untried(m)
	if v == nil || r.backend.mem.active.Load() > 1 {
		return nil, nil
	}
	best, time := s.Best()
	s.tries = true
	few, _ := r.readsFewer(leastVariedBlocks)
	return v, &trial{whole: few, limit: giveUp * s.rendered[best].first, best: time, taken: r.backend.mem.taken.Load()}
}

// fastest is that of a search, with a trial of its launch parameters where the whole run is one.
func (r *run) fastest(s *variantSearch) (*variant, *trial) {
	m := r.backend.modules
	m.tuning.Lock()
	defer m.tuning.Unlock()
	v := s.fastest(m)
	if few, _ := r.readsFewer(leastBlocks); !few || r.opts.Tuning != runtime.TuneAlways || !s.Done() || r.backend.mem.active.Load() > 1 {
		return v, nil
	}
	return v, &trial{whole: true, tunes: true, taken: r.backend.mem.taken.Load()}
}

// try carries the kernel out in a way, and tells the search how long that took.
func (r *run) try(s *variantSearch, v *variant, t *trial) (runtime.Output, int64, error) {
	r.f, r.trial = cudagen.Aggregating(r.f, v.sink), t
	out, room, err := r.attempt(v.how, 0)
	r.trial = nil
	if err == nil {
		if err = r.queue.sync(); err != nil {
			discard(r.queue, out)
		}
	}
	r.endTrial(s, v, t, err)
	return out, room, err
}

// endTrial tells a search what has become of a trial.
func (r *run) endTrial(s *variantSearch, v *variant, t *trial, err error) {
	m := r.backend.modules
	m.tuning.Lock()
	defer m.tuning.Unlock()
	s.tries = false
	switch {
	case err == nil:
		v.first = t.first
		took := sumOf(t.timers) / float64(r.metrics.RowsIn)
		if v.planned {
			s.usual = took
		}
		if r.backend.mem.taken.Load() == t.taken { // what others may have slowed down is tried again
			s.Took(took)
		}
	case isGivenUp(err):
		s.Took(giveUp * max(t.first, t.best))
	}
}

// endVariants keeps what was found, and has what is tried next compiled. It returns what the run has
// made.
func (r *run) endVariants(s *variantSearch, out runtime.Output, room int64) (runtime.Output, int64, error) {
	m, info := r.backend.modules, r.backend.device.Info()
	m.tuning.Lock()
	defer m.tuning.Unlock()
	r.noteFound(s.found(), s.Done() || s.kept != nil)
	s.compile(m)
	if err := s.save(&info); err != nil {
		discard(r.queue, out)
		return nil, 0, err
	}
	return out, room, nil
}

// tryPart goes over a first part of the rows, and over the rest where that was quick enough.
func (x *interpreter) tryPart(body func(rows int64) error) error {
	left, before := x.ranges[0], len(x.trial.timers)
	part := max(left.rows/firstPart/chunkRows, 1) * chunkRows
	x.move(&rowRange{left.first, part})
	if err := body(part); err != nil {
		return err
	}
	if err := x.queue.sync(); err != nil {
		return err
	}
	x.trial.first = sumOf(x.trial.timers[before:]) / float64(part)
	if x.trial.limit > 0 && x.trial.first > x.trial.limit {
		return errGivenUp
	}
	left.first, left.rows = left.first+part, left.rows-part
	x.move(&left)
	err := body(left.rows)
	x.move(&x.ranges[0])
	return err
}
