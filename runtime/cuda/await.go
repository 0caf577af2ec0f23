package cuda

import (
	"errors"
	"time"
)

// await has copies made of what the kernels have written that were started. Where the run's query
// may be ahead of it, it stands still until the copies are there, unless memory is short: what it has for
// itself alone could be freed before.
func (r *run) await(copied ...Copy) error {
	started := time.Now()
	if r.standStill == nil || r.linked || !r.backend.hasRoom(r.backend.device.Info().TotalMemory/2) {
		defer func() { r.lap(&r.metrics.Host.Wait, started) }()
		return r.queue.download(r.ctx, copied...)
	}
	err := r.queue.standStill(r.opts.Account, func() error {
		if !r.standStill(copied) {
			return errStopped
		}
		return nil
	})
	r.lap(&r.stood, started)
	if err == nil {
		r.from = r.queue.started
	}
	return err
}

// errStopped is the error of a run that stands still and is not wanted any more.
var errStopped = errors.New("the run was stopped")
