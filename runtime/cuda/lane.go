package cuda

import (
	"context"
	"sync"
)

// lane does tasks that no query waits for, some of them at a time, in the order in which
// they came. Safe for concurrent use.
type lane struct {
	ctx     context.Context // of the tasks; it ends when the lane is closed
	end     context.CancelFunc
	workers int // tasks that run at the same time
	most    int // that wait

	mu      sync.Mutex // guards what follows
	waiting []func(ctx context.Context)
	running int
	group   sync.WaitGroup
}

func newLane(workers, most int) *lane {
	l := &lane{workers: max(workers, 1), most: most}
	l.ctx, l.end = context.WithCancel(context.Background())
	return l
}

// add has a task done later; false: too many wait, or the lane is closed.
func (l *lane) add(task func(ctx context.Context)) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil || len(l.waiting) >= l.most {
		return false
	}
	l.waiting = append(l.waiting, task)
	if l.running < l.workers {
		l.running++
		l.group.Go(l.work)
	}
	return true
}

// work does tasks until there are no more.
func (l *lane) work() {
	for {
		l.mu.Lock()
		if len(l.waiting) == 0 || l.ctx.Err() != nil {
			l.running--
			l.mu.Unlock()
			return
		}
		task := l.waiting[0]
		l.waiting = l.waiting[1:]
		l.mu.Unlock()
		task(l.ctx)
	}
}

// close ends the lane: tasks that wait are forgotten, those that run are waited for.
func (l *lane) close() {
	l.mu.Lock()
	l.end()
	l.mu.Unlock()
	l.group.Wait()
}

// The most kernels that wait to be compiled, and the most sets of columns that wait to be
// copied.
const (
	maxWaitingKernels = 256
	maxWaitingCopies  = 64
)
