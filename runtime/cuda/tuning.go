package cuda

import (
	"encoding/binary"
	"hash/fnv"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// resident goes over a source that lies on the device: at once, or block by block while
// launch parameters are sought.
func (x *interpreter) resident(body func(rows int64) error) error {
	x.passes++
	if x.trial != nil && !x.trial.whole && x.passes == 1 {
		return x.tryPart(body)
	}
	search, rows, err := x.search()
	if err != nil {
		return err
	}
	if search == nil {
		for i := range x.ranges {
			x.at(&x.ranges[i])
			if err := body(x.ranges[i].rows); err != nil {
				return err
			}
		}
		return nil
	}
	left := x.ranges[0]
	if rows > 0 {
		if err := x.tryBlocks(body, search, rows, &left); err != nil {
			return err
		}
	}
	if err := x.endSearch(search); err != nil {
		return err
	}
	if left.rows > 0 {
		x.move(&left)
		err = body(left.rows)
	}
	x.move(&x.ranges[0])
	return err
}

// endSearch takes the best parameters so far, or the next where the run is a block, and keeps what was found.
func (x *interpreter) endSearch(search *launchSearch) error {
	tuning, info := &x.backend.modules.tuning, x.backend.device.Info()
	tuning.Lock()
	defer tuning.Unlock()
	if x.parameters, _ = search.Best(); x.trial != nil {
		x.parameters = search.Next()
	}
	x.noteFound(search.found(), search.Done() || search.kept != nil)
	return search.save(&info)
}

// search returns the search for the parameters of the kernel, and how many rows a block has: 0 where
// blocks are no part of a run. It is nil where there is nothing to seek: they are given, the input is
// small and the file holds nothing, or the launches do not allow for it.
func (x *interpreter) search() (search *launchSearch, rows int64, err error) {
	agg, ok := x.f.Sink.(*kernel.Aggregate)
	scan, scans := x.f.Source.(*kernel.Scan)
	if !ok || !scans || x.f.GroupsSource() >= 0 || len(agg.Keys) == 0 || x.opts.Tuning < runtime.TuneLarge || x.trial != nil && !x.trial.tunes || x.opts.Launch != (runtime.LaunchParameters{}) || len(x.ranges) != 1 || cudagen.MayExpand(x.f) {
		return nil, 0, nil
	}
	key := groupBits(x.f)
	x.backend.modules.tuning.Lock()
	defer x.backend.modules.tuning.Unlock()
	if x.passes > 1 {
		if agg.Strategy == kernel.Hash {
			delete(x.known.searches, key) // the table was full: blocks may have been left early
		}
		if x.trial != nil {
			x.trial.search = nil
		}
		return nil, 0, nil
	}
	rows = x.blockRows(x.inputs[scan.Input].bound)
	if rows == 0 {
		return nil, 0, nil
	}
	found, small, info := x.known.searches[key], x.metrics.RowsIn < leastBlocks*rows, x.backend.device.Info()
	if small && x.trial == nil && (found == nil || !found.Done()) && keptLaunch(&info, kernelName(x.known.rendered.Source, key)) == nil {
		return nil, 0, nil
	}
	if small {
		rows = 0
	}
	if found == nil {
		if found, err = newLaunchSearch(&info, kernelName(x.known.rendered.Source, key)); err != nil {
			return nil, 0, err
		}
		if x.known.searches == nil {
			x.known.searches = make(map[int]*launchSearch)
		}
		x.known.searches[key] = found
	}
	if x.trial != nil {
		x.what = fnv.New64a()
		x.trial.search, x.trial.what = found, x.what
	}
	return found, rows, nil
}

// tryBlocks has a search try parameters on one block after the other of the rows that are
// left, while it goes on, there are some, and nobody else uses the device.
func (x *interpreter) tryBlocks(body func(rows int64) error, search *launchSearch, rows int64, left *rowRange) error {
	x.what = fnv.New64a()
	for {
		n := min(x.nextBlocks(search), left.rows/rows)
		if n == 0 {
			return nil
		}
		ends, taken := make([]int, n), x.backend.mem.taken.Load()
		x.timed = make([]*Timer, 0, 2*n)
		for i := range ends {
			x.move(&rowRange{left.first, rows})
			x.what.Reset()
			if err := body(rows); err != nil {
				return err
			}
			left.first, left.rows, ends[i] = left.first+rows, left.rows-rows, len(x.timed)
		}
		err := x.queue.sync()
		timed := x.timed
		x.timed = nil
		if err != nil {
			return err
		}
		x.tookBlocks(search, timed, ends, taken)
	}
}

// nextBlocks takes the parameters that a search tries next, and returns on how many blocks; 0: it has ended,
// or somebody else uses the device.
func (x *interpreter) nextBlocks(search *launchSearch) int64 {
	x.backend.modules.tuning.Lock()
	defer x.backend.modules.tuning.Unlock()
	if search.Done() || x.backend.mem.active.Load() > 1 {
		return 0
	}
	x.parameters = search.Next()
	return int64(search.Ahead())
}

// tookBlocks tells a search how long blocks took, by where the timers of each end, unless a stream was
// taken since: others may have slowed the blocks down.
func (x *interpreter) tookBlocks(search *launchSearch, timed []*Timer, ends []int, taken int64) {
	x.backend.modules.tuning.Lock()
	defer x.backend.modules.tuning.Unlock()
	search.launched(x.parameters, x.what.Sum64())
	if x.backend.mem.taken.Load() != taken {
		return
	}
	for i, from := 0, 0; i < len(ends); i++ {
		search.took(sumOf(timed[from:ends[i]]))
		from = ends[i]
	}
}

// timer is that of a launch: one for EXPLAIN, or for a search, which is told with what
// the entry is launched.
func (x *interpreter) timer(entry string, l *Launch) *Timer {
	t := x.observe(entry, l)
	if t == nil && (x.timed != nil || x.trial != nil) {
		t = &Timer{}
	}
	if x.trial != nil {
		x.trial.timers = append(x.trial.timers, t)
	}
	if x.timed != nil {
		x.timed = append(x.timed, t)
	}
	if x.what != nil {
		what := binary.LittleEndian.AppendUint64(nil, uint64(l.Grid))
		what = binary.LittleEndian.AppendUint64(what, uint64(l.Shared))
		for _, v := range x.vars {
			what = binary.LittleEndian.AppendUint64(what, uint64(v))
		}
		_, _ = x.what.Write(what) // it takes everything
	}
	return t
}
