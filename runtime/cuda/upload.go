package cuda

import (
	"context"
	goruntime "runtime"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
)

// upload puts a column of chunks into one array in device memory.
type upload struct {
	queue  *queue
	typ    kernel.Type
	chunks []*runtime.Chunk
	rows   int
	made   column
}

// overChunks uploads one after the other what encode returns for the chunks.
func (u *upload) overChunks(ctx context.Context, dst Ptr, encode func(c *runtime.Chunk) ([]byte, error)) error {
	at := 0
	next := func() (func() ([]byte, error), error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if at == len(u.chunks) {
			return nil, nil
		}
		c := u.chunks[at]
		at++
		return func() ([]byte, error) { return encode(c) }, nil
	}
	return ordered.Run(goruntime.GOMAXPROCS(0), next, func(data []byte) error {
		if len(data) == 0 {
			return nil
		}
		at := dst
		dst += Ptr(len(data))
		return u.queue.upload(at, data)
	})
}
