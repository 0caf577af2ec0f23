package operators

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of tables by keys, of groups or of the rows of a join's side.
const (
	DenseTable = string(kernel.Dense) // an array over all combinations of the keys
	HashTable  = string(kernel.Hash)
)

// TableStrategies are the names of the strategies of tables.
func TableStrategies() []string { return []string{DenseTable, HashTable} }

// maxDense is how many cells a dense table has at most.
const maxDense = 1 << 26

// TableOffers are what a table by the keys would cost where the estimated number of
// rows, 0 for unknown, are looked up in it.
func (w *Weave) TableOffers(keys []kernel.ValueID, rows float64) []strategy.Offer {
	host := &w.Machine.Host
	dense := strategy.Offer{Strategy: DenseTable}
	switch cells, refusal := w.Cells(keys); {
	case refusal != "":
		dense.Refusal = refusal
	case cells > maxDense:
		dense.Refusal = fmt.Sprintf("%.0f combinations of the keys, more than %d", cells, maxDense)
	default:
		dense.Detail = fmt.Sprintf("%.0f cells", cells)
		dense.Cost = host.DenseCell*cells + host.DenseGroup*rows
	}
	return []strategy.Offer{dense, {Strategy: HashTable, Cost: host.HashStart + host.Hashed*rows}}
}

// Cells is the number of combinations of the keys, or why it is not known. Each
// nullable key has one value more.
func (w *Weave) Cells(keys []kernel.ValueID) (n float64, refusal string) {
	if len(keys) == 0 {
		return 0, "there are no keys"
	}
	n = 1
	for i, k := range keys {
		distinct, ok := w.distinctValues(k)
		if !ok {
			return 0, fmt.Sprintf("the values of key %d are not known to lie in a range", i+1)
		}
		n *= distinct
	}
	return n, ""
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
