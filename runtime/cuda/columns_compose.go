package cuda

import (
	"math"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compose puts the columns of a composed relation together on the device. What
// comes of one part alone is read where it lies.
func (r *run) compose(l *loadedInput) (*bound, error) {
	parts := make([]*bound, len(l.parts))
	defer func() {
		for _, p := range parts {
			if p != nil {
				p.release(r.queue)
			}
		}
	}()
	b := &bound{}
	for i := range l.parts {
		var err error
		if parts[i], err = r.bindRelation(&l.parts[i].loadedInput); err != nil {
			return nil, err
		}
		b.rows += l.parts[i].rows
		r.metrics.FromPeers += l.parts[i].far
	}
	appends := make([][]cudagen.AppendColumn, len(l.parts))
	for _, o := range l.cols {
		for len(b.cols) <= o {
			b.cols = append(b.cols, column{})
		}
		segments := l.segments(parts, o)
		var err error
		if b.cols[o], err = r.composeColumn(segments, b.rows, appends); err != nil {
			b.release(r.queue)
			return nil, err
		}
	}
	if err := r.appendParts(l.parts, appends); err != nil {
		b.release(r.queue)
		return nil, err
	}
	return b, nil
}

// segments are what the parts give to column o.
func (l *loadedInput) segments(parts []*bound, o int) []segment {
	segments := make([]segment, len(parts))
	for i := range l.parts {
		p := &l.parts[i]
		segments[i] = segment{rows: p.rows}
		if source := sourceOrdinal(p.seen, o); source >= 0 {
			segments[i].col = &parts[i].cols[source]
			segments[i].typ = segments[i].col.shape.Type
		} else {
			segments[i].typ, segments[i].val = p.seen[o].Type, p.seen[o].Const
		}
	}
	return segments
}

// composeColumn makes a column with a share of its memory. Where it cannot be
// that of one part, it is allocated, and appends gets what each part is to append
// to it.
func (r *run) composeColumn(segments []segment, rows int64, appends [][]cudagen.AppendColumn) (column, error) {
	for i := range segments {
		if p := &segments[i]; p.col != nil && p.rows == rows {
			c := *p.col
			c.held.share()
			return c, nil
		}
	}
	c := column{held: r.backend.mem.newBuffers()}
	c.shape, c.base = commonShape(segments)
	for _, p := range segments {
		if p.col != nil && p.col.dict != nil && (c.dict == nil || len(p.col.dict.Texts) > len(c.dict.Texts)) {
			c.dict = p.col.dict
		}
	}
	if c.shape.Encoding == cudagen.EncNull {
		return c, nil
	}
	if err := r.composeTexts(segments, c.held); err != nil {
		c.held.release(r.queue)
		return column{}, err
	}
	if err := c.reserve(r.queue, rows); err != nil {
		c.held.release(r.queue)
		return column{}, err
	}
	for i := range segments {
		appends[i] = append(appends[i], segments[i].append(&c))
	}
	return c, nil
}

// appendParts appends the rows of the parts to the columns.
func (r *run) appendParts(parts []loadedPart, appends [][]cudagen.AppendColumn) error {
	first := int64(0)
	for i := range parts {
		for cols := appends[i]; len(cols) > 0; {
			n := min(len(cols), cudagen.RowsColumns)
			p := cudagen.AppendParams{Rows: uint64(parts[i].rows), First: uint64(first), Columns: uint64(n)}
			copy(p.Column[:], cols[:n])
			if err := r.overRows(cudagen.AppendPlan(), block(&p), parts[i].rows); err != nil {
				return err
			}
			cols = cols[n:]
		}
		first += parts[i].rows
	}
	return nil
}

// append describes how a segment is appended to a column.
func (p *segment) append(c *column) cudagen.AppendColumn {
	a := cudagen.AppendColumn{
		To: uint64(c.data), ToValid: uint64(c.valid), ToWidth: uint64(c.shape.Encoding.Width()), ToBase: uint64(c.base),
	}
	if p.col != nil && p.col.shape.Encoding != cudagen.EncNull {
		a.From, a.FromValid = uint64(p.col.data), uint64(p.col.valid)
		a.FromWidth, a.FromBase = uint64(p.col.shape.Encoding.Width()), uint64(p.col.base)
		if p.col.shape.Encoding == cudagen.EncStr {
			a.FromWidth, a.FromBase = cudagen.TextColumn, uint64(p.col.bytes)
		}
		return a
	}
	if p.null() {
		a.Null = 1
		return a
	}
	a.Value = valueWords(p.typ, p.val)
	if p.typ == kernel.Str {
		a.Value = [3]uint64{p.text}
	}
	return a
}

// null reports whether every row of the segment is NULL.
func (p *segment) null() bool {
	if p.col != nil {
		return p.col.shape.Encoding == cudagen.EncNull
	}
	return p.val.Kind == value.Null
}

// valueWords are the words of a constant, integers in 128 bits.
func valueWords(t kernel.Type, v value.Value) [3]uint64 {
	switch t {
	case kernel.Num:
		return [3]uint64{v.Num.Coef.Lo, uint64(v.Num.Coef.Hi), uint64(v.Num.Scale)}
	case kernel.Interval:
		return [3]uint64{uint64(v.Interval.Months), uint64(v.Interval.Days), uint64(v.Interval.Micros)}
	}
	lo, hi := paramWords(t, v)
	return [3]uint64{lo, hi}
}

// commonShape is a shape that holds the values of all segments.
func commonShape(segments []segment) (shape cudagen.ColumnShape, base int64) {
	shape = cudagen.ColumnShape{Type: segments[0].typ, Nullable: true}
	if slices.ContainsFunc(segments, func(p segment) bool { return p.rows > 0 }) {
		shape.Nullable = false
	}
	lo, hi, wide := int64(math.MaxInt64), int64(math.MinInt64), false
	for i := range segments {
		p := &segments[i]
		if p.rows == 0 {
			continue
		}
		shape.Nullable = shape.Nullable || p.null() || p.col != nil && p.col.shape.Nullable
		if p.null() {
			continue
		}
		shape.Encoding = plainEncoding(p.typ)
		first, last, ok := p.bounds()
		lo, hi, wide = min(lo, first), max(hi, last), wide || !ok
	}
	if shape.Encoding == cudagen.EncNull || !integers(shape.Type) {
		return shape, 0
	}
	if wide {
		return shape, 0
	}
	shape.Encoding, base = narrowInteger(lo, hi)
	return shape, base
}

// plainEncoding holds any values of a type.
func plainEncoding(t kernel.Type) cudagen.Encoding {
	switch t {
	case kernel.Bool:
		return cudagen.EncBits
	case kernel.F64:
		return cudagen.EncF64
	case kernel.Num:
		return cudagen.EncNum
	case kernel.Interval:
		return cudagen.EncIntervals
	case kernel.Str:
		return cudagen.EncTexts
	case kernel.I128:
		return cudagen.EncI128
	}
	return cudagen.EncI64
}

// bounds are those of a segment's integers; ok is false where they may need more
// than 64 bits.
func (p *segment) bounds() (lo, hi int64, ok bool) {
	if p.col == nil {
		if p.typ == kernel.I128 {
			n, ok := p.val.Num.Coef.Int64()
			return n, n, ok
		}
		return p.val.I, p.val.I, true
	}
	switch enc := p.col.shape.Encoding; enc {
	case cudagen.EncU8, cudagen.EncU16, cudagen.EncU32:
		max := uint64(1)<<(8*enc.Width()) - 1
		if hi := p.col.base + int64(max); hi >= p.col.base {
			return p.col.base, hi, true
		}
		return p.col.base, math.MaxInt64, true
	case cudagen.EncI64:
		return math.MinInt64, math.MaxInt64, true
	}
	return 0, 0, false
}

// bindRelation copies the columns of a relation to the device.
func (r *run) bindRelation(l *loadedInput) (*bound, error) {
	switch {
	case l.device != nil:
		return l.device.bind(l.cols)
	case l.peer != nil:
		return r.copyFromPeer(l.peer, l.cols)
	case l.parts != nil:
		return r.compose(l)
	}
	return r.upload(l)
}

// upload copies the columns of a relation of the host to the device.
func (r *run) upload(l *loadedInput) (*bound, error) {
	columns := r.backend.columns
	if l.chunks == nil {
		if b := columns.bound(l); b != nil {
			return b, nil
		}
		var err error
		if l.chunks, err = loadChunks(r.ctx, l.host, l.cols); err != nil {
			return nil, err // evicted since reload
		}
	}
	types := l.host.Types()
	b := &bound{rows: l.host.Rows(), cols: make([]column, len(types))}
	for i, o := range l.cols {
		var err error
		if b.cols[o], err = columns.column(r.ctx, r.queue, &upload{typ: types[o], chunks: l.chunks[i]}); err != nil {
			b.release(r.queue)
			return nil, err
		}
		if l.version != nil {
			columns.note(columnVersion{l.version, o}, l.chunks[i])
		}
	}
	return b, nil
}
