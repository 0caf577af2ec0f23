package cuda

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
)

// hold takes a stream of the device for its caller, and the lock of what the backend knows. It
// is that of a query which has runs that stand still, unless another goroutine copies on it; else the
// one that was used last, whose memory of the host is there, waiting for one. The error is that of the
// context, or of the device.
func (m *memory) hold(ctx context.Context, query *runtime.Account) error {
	m.lock.Lock()
	q := m.kept[query]
	if q == nil || q.inUse {
		m.lock.Unlock()
		var err error
		if q, err = m.take(ctx); err != nil {
			return err
		}
	}
	q.runs++
	q.inUse, m.at = true, q
	return nil
}

// take waits for a stream and takes it, and the lock.
func (m *memory) take(ctx context.Context) (q *queue, err error) {
	select {
	case m.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	m.lock.Lock()
	last := len(m.spare) - 1
	q = m.spare[last]
	if q.stream == nil {
		if q.stream, err = m.of.NewStream(); err != nil {
			m.lock.Unlock()
			<-m.places
			return nil, err
		}
	}
	m.spare = m.spare[:last]
	m.active++
	m.taken++
	return q, nil
}

// leave gives back what hold has taken. What was started may go on; settle waits for it.
func (m *memory) leave() {
	q := m.at
	q.inUse, m.at = false, nil
	if q.runs--; q.runs > 0 {
		m.lock.Unlock()
		return
	}
	delete(m.kept, q.query)
	q.query, q.owner, q.peak = nil, nil, 0
	m.active--
	m.spare = append(m.spare, q)
	m.lock.Unlock()
	<-m.places
}

// wait lets others go on while f waits for something.
func (m *memory) wait(f func() error) error {
	q := m.at
	m.at = nil
	m.lock.Unlock()
	defer func() {
		m.lock.Lock()
		m.at = q
	}()
	return f()
}

// again has f hold what its caller has left to others by wait.
func (m *memory) again(q *queue, f func() error) error {
	m.lock.Lock()
	m.at = q
	defer func() {
		m.at = nil
		m.lock.Unlock()
	}()
	return f()
}

// standStill lets others go on, and other runs of a query have the stream, until f returns.
func (m *memory) standStill(query *runtime.Account, f func() error) error {
	q := m.at
	q.inUse, q.query, m.kept[query] = false, query, q
	err := m.wait(f)
	q.inUse, q.owner = true, query
	return err
}

// busy reports whether something was started that nobody has waited for.
func (q *queue) busy() bool { return q.started != q.ended }

// launch starts a kernel.
func (m *memory) launch(l Launch) error {
	m.at.started++
	return m.at.stream.Launch(l)
}

// fill starts to set bytes.
func (m *memory) fill(dst Ptr, b byte, bytes int64) error {
	q := m.at
	q.started++
	var to *Timer
	if q.timeFill != nil {
		to = q.timeFill()
	}
	return q.stream.Fill(dst, b, bytes, to)
}

// upload starts to copy src, which can be changed when it returns.
func (m *memory) upload(dst Ptr, src []byte) error {
	q := m.at
	q.started++
	return m.wait(func() error { return q.stream.Upload(dst, src) })
}

// download copies to the host, when all that was started has ended.
func (m *memory) download(ctx context.Context, copies ...Copy) error {
	q := m.at
	return m.ended(m.wait(func() error { return q.stream.Download(ctx, copies...) }))
}

// sync waits until all that was started has ended.
func (m *memory) sync() error {
	q := m.at
	return m.ended(m.wait(q.stream.Sync))
}

// settle is sync where something was started.
func (m *memory) settle() error {
	if !m.at.busy() {
		return nil
	}
	return m.sync()
}

// ended notes that nothing of the holder's stream is under way, unless there is an error, and
// has others use what was freed meanwhile.
func (m *memory) ended(err error) error {
	if err != nil {
		return err
	}
	q := m.at
	q.ended = q.started
	for _, p := range q.freed {
		m.idle[m.sizes[p]] = append(m.idle[m.sizes[p]], p)
	}
	q.freed = q.freed[:0]
	return nil
}
