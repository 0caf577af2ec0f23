package cuda

import "context"

// hold takes a stream of the device for its caller, waiting for one, and the lock of what
// the backend knows. The error is that of the context, or of the device.
func (m *memory) hold(ctx context.Context) error {
	var q *queue
	select {
	case q = <-m.queues:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if q.stream == nil {
		var err error
		if q.stream, err = m.of.NewStream(); err != nil {
			m.queues <- q
			return err
		}
	}
	m.lock.Lock()
	m.active++
	m.at = q
	return nil
}

// leave gives back what hold has taken. What was started may go on; settle waits for it.
func (m *memory) leave() {
	q := m.at
	m.active--
	m.at, q.owner, q.peak, q.timeFill = nil, nil, 0, nil
	m.lock.Unlock()
	m.queues <- q
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

// launch starts a kernel.
func (m *memory) launch(l Launch) error {
	m.at.busy = true
	return m.at.stream.Launch(l)
}

// fill starts to set bytes.
func (m *memory) fill(dst Ptr, b byte, bytes int64) error {
	q := m.at
	q.busy = true
	var to *Timer
	if q.timeFill != nil {
		to = q.timeFill()
	}
	return q.stream.Fill(dst, b, bytes, to)
}

// upload starts to copy src, which can be changed when it returns.
func (m *memory) upload(dst Ptr, src []byte) error {
	q := m.at
	q.busy = true
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
	if !m.at.busy {
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
	q.busy = false
	for _, p := range q.freed {
		m.idle[m.sizes[p]] = append(m.idle[m.sizes[p]], p)
	}
	q.freed = q.freed[:0]
	return nil
}
