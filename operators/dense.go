package operators

import "github.com/cubeloom/cubeloom/codegen/kernel"

// The limits of dense tables: at most denseMost cells, and at most
// densePerRow cells for each row that is looked up in them, beside denseFree
// that are cheap however few rows there are.
const (
	denseMost   = 1 << 26
	densePerRow = 4
	denseFree   = 1 << 16
)

// Dense tells whether a table over all combinations of the keys is better than
// a hash table for the estimated number of rows, which is 0 for unknown. Each
// nullable key has one value more.
func (w *Weave) Dense(keys []kernel.ValueID, rows float64) bool {
	cells := 1.0
	for _, k := range keys {
		n, ok := w.distinctValues(k)
		if !ok {
			return false
		}
		cells *= n
	}
	return len(keys) > 0 && cells <= denseMost && cells <= densePerRow*rows+denseFree
}

// distinctValues is the number of cells that a key needs.
func (w *Weave) distinctValues(k kernel.ValueID) (float64, bool) {
	v := w.Value(k)
	n := 0.0
	switch {
	case v.Type == kernel.Bool:
		n = 2
	case v.Range.Known:
		n = float64(v.Range.Hi) - float64(v.Range.Lo) + 1
	case v.Type == kernel.Code:
		n = w.Entries(k)
	}
	if v.Nullable {
		n++
	}
	return n, n > 1 || v.Range.Known
}
