package cuda

import "context"

// hasAll is that for who holds the lock of the memory.
func (c *columns) hasAll(l *loadedInput) bool {
	for _, o := range l.cols {
		if l.version == nil || c.versions[columnVersion{l.version, o}] == nil {
			return false
		}
	}
	return true
}

// reload loads the chunks of an input where the device had its columns and has
// them no more.
func (b *Backend) reload(ctx context.Context, l *loadedInput) (err error) {
	if l.host != nil && l.chunks == nil && l.sent == nil && !b.columns.hasAll(l) {
		err = b.mem.wait(func() (err error) {
			l.chunks, err = loadChunks(ctx, l.host, l.cols)
			return err
		})
	}
	for i := range l.parts {
		if err == nil {
			err = b.reload(ctx, &l.parts[i].loadedInput)
		}
	}
	return err
}
