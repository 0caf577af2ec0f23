package file

import (
	"context"
	"io"
	"os"

	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
)

// decompressed is what a compressed file holds, as a file of its own that has no name and ends when it is
// closed, since a query reads many places of it at the same time. It owns in from then on.
func decompressed(ctx context.Context, in *os.File, path string) (_ *os.File, err error) {
	defer in.Close()
	r, err := newGzipReader(in, path)
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp("", "cubeloom-*")
	if err != nil {
		return nil, fileaccess.WriteError(path, err)
	}
	err = os.Remove(out.Name())
	if err == nil {
		_, err = io.Copy(&diskWriter{ctx: ctx, w: out, path: out.Name()}, r)
	}
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}
