package cuda

import (
	"math"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// Needs is what columns of a relation of the host ask of the device.
type Needs struct {
	Bytes   int64 // as they lie on the device, or are likely to
	Missing int64 // of them: not there now
	Room    int64 // for those that are missing
}

// Stream reports whether the columns are streamed because they do not fit.
func (n *Needs) Stream() bool { return n.Missing > n.Room }

// NeedsOf is Needs of a device that has none of the columns, and room for all of them.
func NeedsOf(rel runtime.Relation, cols []int) Needs {
	var n Needs
	for _, o := range cols {
		n.Missing += estimatedBytes(rel, rel.Types()[o], o)
	}
	n.Bytes, n.Room = n.Missing, n.Missing
	return n
}

// Needs returns what the named columns of a relation ask of the device, without
// loading them.
func (b *Backend) Needs(rel runtime.Relation, cols []int) Needs {
	var n Needs
	var version any
	if v, ok := rel.(runtime.Versioned); ok {
		version = v.Version()
	}
	types, sizes := rel.Types(), b.columns.bytes(version, cols)
	for i, o := range cols {
		if sizes[i] >= 0 {
			n.Bytes += sizes[i]
			continue
		}
		bytes := estimatedBytes(rel, types[o], o)
		n.Bytes += bytes
		n.Missing += bytes
	}
	if n.Missing > 0 {
		n.Room = b.room() / 4 * 3
	}
	return n
}

// estimatedText is how long texts are taken to be.
const estimatedText = 16

// estimatedBytes is the memory of a column as far as the bounds of its blocks show.
func estimatedBytes(rel runtime.Relation, t kernel.Type, ordinal int) int64 {
	shape, _, _ := statedShape(rel, t, ordinal)
	if t == kernel.Str {
		return columnBytes(shape, rel.Rows(), nil) + estimatedText*rel.Rows()
	}
	return columnBytes(shape, rel.Rows(), nil)
}

// statedShape is how a column of a relation is likely to be stored on a device, by the bounds
// of its blocks alone. It is not sure where integers have no bounds.
func statedShape(rel runtime.Relation, t kernel.Type, ordinal int) (shape cudagen.ColumnShape, base int64, sure bool) {
	shape = cudagen.ColumnShape{Type: t, Encoding: plainEncoding(t)}
	if t == kernel.Str {
		shape.Encoding = cudagen.EncStr
	}
	lo, hi, bounded := int64(math.MaxInt64), int64(math.MinInt64), integers(t)
	for i := range rel.Blocks() {
		first, last, all, ok := rel.Range(i, ordinal)
		shape.Nullable = shape.Nullable || !all
		bounded = bounded && ok
		lo, hi = min(lo, first), max(hi, last)
	}
	if bounded && lo <= hi {
		shape.Encoding, base = narrowInteger(lo, hi)
		return shape, base, t != kernel.I128
	}
	return shape, 0, !integers(t)
}
