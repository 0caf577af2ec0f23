package cuda

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
)

// hold takes a stream of the device for its caller. It is that of a query which has runs that stand
// still, unless another goroutine copies on it; else the one that was used last, whose memory of the host
// is there, waiting for one. The error is that of the context, or of the device.
func (m *memory) hold(ctx context.Context, query *runtime.Account) (*queue, error) {
	m.lock.Lock()
	q := m.kept[query]
	has := q != nil && !q.inUse
	if has {
		q.runs++
		q.inUse = true
	}
	m.lock.Unlock()
	if has {
		return q, nil
	}
	return m.take(ctx)
}

// take waits for a stream that nobody has, and takes it.
func (m *memory) take(ctx context.Context) (*queue, error) {
	select {
	case m.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	m.lock.Lock()
	last := len(m.spare) - 1
	q := m.spare[last]
	m.spare = m.spare[:last]
	q.runs, q.inUse = 1, true
	m.lock.Unlock()
	m.active.Add(1)
	m.taken.Add(1)
	var err error
	if q.stream == nil {
		if q.stream, err = m.of.NewStream(); err != nil {
			q.stream = nil
			q.leave()
			return nil, err
		}
	}
	return q, nil
}

// leave gives back what hold has taken. What was started may go on; settle waits for it.
func (q *queue) leave() {
	if !q.mem.giveBack(q) {
		return
	}
	q.mem.active.Add(-1)
	<-q.mem.places
}

// giveBack notes that a user has left a queue, and reports whether nobody has it any more.
func (m *memory) giveBack(q *queue) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	q.inUse = false
	if q.runs--; q.runs > 0 {
		return false
	}
	delete(m.kept, q.query)
	q.query, q.owner, q.peak = nil, nil, 0
	m.spare = append(m.spare, q)
	return true
}

// standStill has other runs of a query have the stream until f returns.
func (q *queue) standStill(query *runtime.Account, f func() error) error {
	q.mem.keep(q, query)
	err := f()
	q.mem.lock.Lock()
	defer q.mem.lock.Unlock()
	q.inUse, q.owner = true, query
	return err
}

// keep has other runs of a query find its queue.
func (m *memory) keep(q *queue, query *runtime.Account) {
	m.lock.Lock()
	defer m.lock.Unlock()
	q.inUse, q.query, m.kept[query] = false, query, q
}

// own has what is allocated from now on be a query's, until it is called again; nil
// for what is kept for later. It returns whose it was before.
func (q *queue) own(owner *runtime.Account) (before *runtime.Account) {
	before, q.owner = q.owner, owner
	return before
}

// busy reports whether something was started that nobody has waited for.
func (q *queue) busy() bool { return q.started != q.awaited }

// launch starts a kernel.
func (q *queue) launch(l Launch) error {
	q.started++
	return q.stream.Launch(l)
}

// fill starts to set bytes.
func (q *queue) fill(dst Ptr, b byte, bytes int64) error {
	q.started++
	var to *Timer
	if q.timeFill != nil {
		to = q.timeFill()
	}
	return q.stream.Fill(dst, b, bytes, to)
}

// upload starts to copy src, which can be changed when it returns.
func (q *queue) upload(dst Ptr, src []byte) error {
	q.started++
	return q.stream.Upload(dst, src)
}

// download copies to the host, when all that was started has ended.
func (q *queue) download(ctx context.Context, copies ...Copy) error {
	return q.ended(q.stream.Download(ctx, copies...))
}

// sync waits until all that was started has ended.
func (q *queue) sync() error { return q.ended(q.stream.Sync()) }

// settle is sync where something was started.
func (q *queue) settle() error {
	if !q.busy() {
		return nil
	}
	return q.sync()
}

// ended notes that nothing of the stream is under way, unless there is an error, and
// has others use what was freed meanwhile.
func (q *queue) ended(err error) error {
	if err != nil {
		return err
	}
	q.awaited = q.started
	if len(q.freed) > 0 {
		q.mem.lock.Lock()
		q.mem.makeIdle(q.freed)
		q.mem.lock.Unlock()
		q.freed = q.freed[:0]
	}
	return nil
}

// makeIdle has anybody use memory. The caller holds the lock.
func (m *memory) makeIdle(list []Ptr) {
	for _, p := range list {
		size := m.all[p].size
		m.idle[size] = append(m.idle[size], p)
	}
}
