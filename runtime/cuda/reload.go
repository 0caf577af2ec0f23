package cuda

import "context"

// reload loads the chunks of an input where the device had its columns and has
// them no more.
func (b *Backend) reload(ctx context.Context, l *loadedInput) (err error) {
	if l.host != nil && l.chunks == nil && l.sent == nil && !b.columns.hasAll(l) {
		l.chunks, err = loadChunks(ctx, l.host, l.cols)
	}
	for i := range l.parts {
		if err == nil {
			err = b.reload(ctx, &l.parts[i].loadedInput)
		}
	}
	return err
}
