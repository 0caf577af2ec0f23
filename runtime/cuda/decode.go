package cuda

import (
	"context"
	"errors"
	goruntime "runtime"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
)

// decoding sends columns of a relation whose blocks are made when they are loaded, such as a file's,
// to the device: blocks are decoded and encoded for the device on all cores, while those before
// them travel. The bounds of blocks say beforehand how wide columns are; they are checked as the
// values come.
type decoding struct {
	backend *Backend
	rel     runtime.Decoded
	cols    []int  // ordinals
	direct  []bool // by place in cols: blocks are sent as they come; others when all are there
	bound   *bound
	kept    [][]*runtime.Chunk // by place in cols: of those that are not direct
	sent    int64              // rows
}

// piece is a block of a decoding.
type piece struct {
	rows    int
	encoded [][]byte         // by place in cols: of those that are direct
	chunks  []*runtime.Chunk // likewise, of the others
}

// errBounds is the error of a block with values beyond the bounds that its relation has stated.
var errBounds = errors.New("values are beyond the bounds of their block")

// sendDecoded returns columns of a relation on the device, to be released by the caller. Nil says
// that they cannot be sent while they are decoded: nothing says how wide they are, the bounds of
// blocks do not hold, or there is no room for them.
func (b *Backend) sendDecoded(ctx context.Context, rel runtime.Decoded, cols []int) (*bound, error) {
	d := &decoding{backend: b, rel: rel, cols: cols, direct: make([]bool, len(cols)), kept: make([][]*runtime.Chunk, len(cols))}
	if !d.plan() {
		return nil, nil
	}
	q, err := b.mem.hold(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer q.leave()
	if err = d.sendAll(ctx, q); err == nil {
		return d.bound, nil
	}
	_ = q.settle() // after an error nothing travels any more
	d.bound.release(q)
	if errors.Is(err, errBounds) || errors.Is(err, ErrOutOfMemory) {
		return nil, nil
	}
	return nil, err
}

// sendAll sends the columns, which are there when it returns.
func (d *decoding) sendAll(ctx context.Context, q *queue) error {
	if err := d.alloc(q); err != nil {
		return err
	}
	err := ordered.Run(goruntime.GOMAXPROCS(0), d.next(ctx), func(p piece) error { return d.send(q, p) })
	if err == nil {
		err = d.sendKept(ctx, q)
	}
	if err == nil {
		err = q.settle()
	}
	return err
}

// plan finds which columns are direct; false: none is, or they do not fit.
func (d *decoding) plan() bool {
	types := d.rel.Types()
	d.bound = &bound{rows: d.rel.Rows(), cols: make([]column, len(types))}
	for i, o := range d.cols {
		c := &d.bound.cols[o]
		shape, base, sure := statedShape(d.rel, types[o], o)
		if d.direct[i] = sure && !shape.Nullable && isDirect(types[o]); d.direct[i] {
			c.shape, c.base = shape, base
		}
	}
	if !slices.Contains(d.direct, true) || d.rel.Blocks() < 2 || d.rel.Rows() == 0 {
		return false
	}
	needs := d.backend.Needs(d.rel, d.cols)
	return !needs.Stream()
}

// isDirect reports whether columns of a type are arrays of values on a device, to which blocks
// are added one after the other.
func isDirect(t kernel.Type) bool {
	return t == kernel.I32 || t == kernel.I64 || t == kernel.F64
}

// alloc allocates the arrays of the direct columns.
func (d *decoding) alloc(q *queue) error {
	defer q.own(q.own(nil))
	for i, o := range d.cols {
		if !d.direct[i] {
			continue
		}
		c := &d.bound.cols[o]
		c.held = q.mem.newBuffers()
		var err error
		if c.data, err = c.held.alloc(q, int64(c.shape.Encoding.Width())*padded(int(d.bound.rows))); err != nil {
			return err
		}
	}
	return nil
}

// next returns what makes the jobs that decode blocks.
func (d *decoding) next(ctx context.Context) func() (func() (piece, error), error) {
	block, account := 0, runtime.AccountOf(ctx)
	return func() (func() (piece, error), error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if block == d.rel.Blocks() {
			return nil, nil
		}
		at := block
		block++
		return func() (piece, error) {
			bytes := d.rel.LoadBytes(at, d.cols)
			if err := account.Grow(bytes); err != nil {
				return piece{}, err
			}
			defer account.Shrink(bytes)
			return d.decode(at)
		}, nil
	}
}

// decode loads a block and encodes what of it is direct.
func (d *decoding) decode(at int) (piece, error) {
	block, err := d.rel.Load(at, d.cols)
	if err != nil {
		return piece{}, err
	}
	p := piece{rows: block.Rows, encoded: make([][]byte, len(d.cols)), chunks: make([]*runtime.Chunk, len(d.cols))}
	for i, o := range d.cols {
		chunk, c := block.Cols[o], &d.bound.cols[o]
		switch {
		case block.Rows == 0:
		case !d.direct[i]:
			p.chunks[i] = chunk
		case !holds(c, chunk):
			return piece{}, errBounds
		default:
			p.encoded[i] = make([]byte, c.shape.Encoding.Width()*chunk.Rows)
			fillData(p.encoded[i], c.shape.Encoding, c.base, chunk)
		}
	}
	return p, nil
}

// holds reports whether a column can hold a chunk.
func holds(c *column, chunk *runtime.Chunk) bool {
	if hasNulls(chunk) || chunk.Enc == runtime.EncI128 {
		return false
	}
	if !integers(chunk.Type) || c.shape.Encoding == cudagen.EncI64 {
		return true
	}
	lo, hi := bounds(chunk)
	return lo >= c.base && uint64(hi)-uint64(c.base) < 1<<(8*c.shape.Encoding.Width())
}

// send sends what of a block is direct, and keeps the rest.
func (d *decoding) send(q *queue, p piece) error {
	if d.sent += int64(p.rows); d.sent > d.bound.rows {
		return errBounds
	}
	d.keep(p)
	for i, o := range d.cols {
		if len(p.encoded[i]) == 0 {
			continue
		}
		c := &d.bound.cols[o]
		at := c.data + Ptr(int64(c.shape.Encoding.Width())*(d.sent-int64(p.rows)))
		if err := q.upload(at, p.encoded[i]); err != nil {
			return err
		}
	}
	return nil
}

// sendKept sends the columns that are not direct.
func (d *decoding) sendKept(ctx context.Context, q *queue) error {
	if d.sent != d.bound.rows {
		return errBounds
	}
	for i, o := range d.cols {
		if d.direct[i] {
			continue
		}
		var err error
		if d.bound.cols[o], err = d.backend.columns.column(ctx, q, &upload{typ: d.rel.Types()[o], chunks: d.kept[i]}); err != nil {
			return err
		}
	}
	return nil
}

// loadChunks returns the chunks of the named columns, those of blocks without rows
// left out.
func loadChunks(ctx context.Context, rel runtime.Relation, ordinals []int) ([][]*runtime.Chunk, error) {
	if d, ok := rel.(runtime.Decoded); ok {
		return decodeChunks(ctx, d, ordinals)
	}
	chunks := make([][]*runtime.Chunk, len(ordinals))
	for i := range rel.Blocks() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		block, err := rel.Load(i, ordinals)
		if err != nil {
			return nil, err
		}
		if block.Rows == 0 {
			continue
		}
		for k, o := range ordinals {
			chunks[k] = append(chunks[k], block.Cols[o])
		}
	}
	return chunks, nil
}

// decodeChunks is loadChunks of a relation whose blocks are made when they are loaded, on all cores.
func decodeChunks(ctx context.Context, rel runtime.Decoded, ordinals []int) ([][]*runtime.Chunk, error) {
	d := &decoding{rel: rel, cols: ordinals, direct: make([]bool, len(ordinals)), kept: make([][]*runtime.Chunk, len(ordinals)), bound: &bound{cols: make([]column, len(rel.Types()))}}
	err := ordered.Run(goruntime.GOMAXPROCS(0), d.next(ctx), func(p piece) error {
		d.keep(p)
		return nil
	})
	return d.kept, err
}

// keep keeps the chunks of a block that are not direct.
func (d *decoding) keep(p piece) {
	for i, chunk := range p.chunks {
		if chunk != nil {
			d.kept[i] = append(d.kept[i], chunk)
		}
	}
}
