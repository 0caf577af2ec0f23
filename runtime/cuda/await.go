package cuda

import (
	"errors"
	"time"
)

// await has a copy made of what the kernels have written that were started. Where the run's query
// may be ahead of it, it stands still until the copy is there, unless memory is short: what it has for
// itself alone could be freed before.
func (r *run) await(copied Copy) error {
	m, started := r.backend.mem, time.Now()
	if r.standStill == nil || r.linked || 2*r.backend.room() < r.backend.device.Info().TotalMemory {
		defer func() { r.lap(&r.metrics.Host.Wait, started) }()
		return m.download(r.ctx, copied)
	}
	err := m.standStill(r.opts.Account, func() error {
		if !r.standStill([]Copy{copied}) {
			return errStopped
		}
		return nil
	})
	r.lap(&r.stood, started)
	if err == nil {
		r.from = m.at.started
	}
	return err
}

// errStopped is the error of a run that stands still and is not wanted any more.
var errStopped = errors.New("the run was stopped")
