package cuda

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// boundsOfBlocks returns the bounds of chunks, or nil where they would not skip anything.
func boundsOfBlocks(chunks []*runtime.Chunk) *blockBounds {
	if len(chunks) < 2 || !slices.ContainsFunc(chunks, func(c *runtime.Chunk) bool { return c.HasRange }) {
		return nil
	}
	b := &blockBounds{}
	rows := int64(0)
	for _, c := range chunks {
		lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
		if c.HasRange {
			lo, hi = c.Min, c.Max
		}
		rows += int64(c.Rows)
		b.ends, b.lo, b.hi = append(b.ends, rows), append(b.lo, lo), append(b.hi, hi)
	}
	return b
}

// skips notes the blocks of which no row matters, in skipped, which is nil before the
// first of them, and returns it.
func (b *blockBounds) skips(skipped []bool, bounds *runtime.Bounds) []bool {
	for i := range b.ends {
		if bounds.Skip(b.lo[i], b.hi[i]) {
			if skipped == nil {
				skipped = make([]bool, len(b.ends))
			}
			skipped[i] = true
		}
	}
	return skipped
}

// skip finds what is left of the rows of a source that lies on the device.
func (r *run) skip() {
	s, ok := r.f.Source.(*kernel.Scan)
	if !ok || r.inputs[s.Input].bound == nil {
		r.ranges = []rowRange{{0, r.sourceRows()}}
		return
	}
	b, read := r.inputs[s.Input].bound, 1.0
	for _, c := range s.Cols {
		read += float64(b.cols[c.Ordinal].shape.Encoding.Width())
	}
	device := &r.backend.opts.Target.Device
	r.ranges = r.left(b.rows, func(ordinal int) *blockBounds { return b.cols[ordinal].parts }, device.Bandwidth*device.Reached/read)
	if r.metrics.BlocksSkipped > 0 {
		r.metrics.BytesRead -= int64(float64(b.bytes()) * (1 - float64(rowsOf(r.ranges))/float64(b.rows)))
	}
}

// cutLaunches has an aggregation by keys go over its rows in the blocks that its launch parameters say.
func (r *run) cutLaunches() {
	agg, aggregates := r.f.Sink.(*kernel.Aggregate)
	scan, scans := r.f.Source.(*kernel.Scan)
	if rows := int64(r.opts.Launch.Rows); rows > 0 && aggregates && len(agg.Keys) > 0 && scans && r.inputs[scan.Input].bound != nil {
		r.ranges = cutRows(r.ranges, max(rows/chunkRows, 1)*chunkRows)
	}
}

// cutRows cuts ranges of rows into some of so many, at most.
func cutRows(ranges []rowRange, rows int64) (cut []rowRange) {
	for _, r := range ranges {
		for first, end := r.first, r.first+r.rows; first == r.first || first < end; first += rows {
			cut = append(cut, rowRange{first, min(rows, end-first)})
		}
	}
	return cut
}

// left returns what is left of the rows of the source, whose columns have bounds, where a
// second is enough for so many rows.
func (r *run) left(rows int64, columns func(ordinal int) *blockBounds, second float64) []rowRange {
	s := r.f.Source.(*kernel.Scan)
	bounds := runtime.ScanBounds(r.f, s, func(input, key int) (lo, hi int64, ok bool) {
		if t := r.inputs[input].table; t != nil && key < len(t.bounds) {
			return t.bounds[key].lo, t.bounds[key].hi, t.bounds[key].known
		}
		return 0, 0, false
	})
	ranges, blocks := left(rows, bounds, columns, int64(r.backend.opts.Target.Device.Launch*second/1e9))
	r.metrics.BlocksSkipped = blocks
	return ranges
}

// left returns the ranges of rows that are left where blocks are skipped of which no row
// matters, by the bounds of columns by ordinal, and how many blocks that are. There is one
// range at least, if of no rows. Ranges begin at multiples of chunkRows, and what lies
// between two is never less than so many rows, since another launch does not pay for less.
func left(rows int64, list []runtime.Bounds, columns func(ordinal int) *blockBounds, between int64) (ranges []rowRange, blocks int64) {
	var skipped []bool
	var ends []int64
	for i := range list {
		b := columns(list[i].Ordinal)
		if b == nil || b.ends[len(b.ends)-1] != rows || skipped != nil && len(skipped) != len(b.ends) {
			continue
		}
		ends, skipped = b.ends, b.skips(skipped, &list[i])
	}
	if skipped == nil {
		return []rowRange{{0, rows}}, 0
	}
	first := int64(0)
	for i, end := range ends {
		if !skipped[i] {
			ranges = withRange(ranges, first, end, between)
		}
		first = end
	}
	at := 0
	first = 0
	for i, end := range ends {
		for at < len(ranges) && ranges[at].first+ranges[at].rows <= first {
			at++
		}
		if skipped[i] && (at == len(ranges) || first < ranges[at].first) {
			blocks++
		}
		first = end
	}
	if ranges == nil {
		ranges = []rowRange{{}}
	}
	return ranges, blocks
}

// withRange appends the rows from first up to end to ranges, to the last of them where
// little lies between.
func withRange(ranges []rowRange, first, end, between int64) []rowRange {
	first -= first % chunkRows
	if n := len(ranges); n > 0 {
		if last := &ranges[n-1]; first-(last.first+last.rows) <= between {
			last.rows = end - last.first
			return ranges
		}
	}
	return append(ranges, rowRange{first, end - first})
}

// rowsOf is the number of rows of ranges.
func rowsOf(ranges []rowRange) int64 {
	n := int64(0)
	for _, r := range ranges {
		n += r.rows
	}
	return n
}
