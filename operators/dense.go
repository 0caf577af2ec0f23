package operators

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// The strategies of tables by keys, of groups or of the rows of a join's side.
const (
	DenseTable = string(kernel.Dense) // an array over all combinations of the keys
	HashTable  = string(kernel.Hash)
)

// Table is a table by keys of which the strategy is chosen.
type Table struct {
	Figures *machine.Tables // of the machine that has the table
	Cells   float64         // combinations of the keys, where Refusal is ""
	Refusal string          // why there is no array over them
	Rows    float64         // estimated number that is looked up, 0 for unknown
}

// Tables are the strategies of tables by keys.
var Tables = strategy.Table[*Table]{{Name: DenseTable, Offer: (*Table).dense}, {Name: HashTable, Offer: (*Table).hash}}

func (t *Table) dense() strategy.Offer {
	if t.Refusal != "" {
		return strategy.Offer{Refusal: t.Refusal}
	}
	return strategy.Offer{Detail: fmt.Sprintf("%.0f cells", t.Cells), Cost: t.Figures.DenseCell*t.Cells + t.Figures.DenseGroup*t.Rows}
}

func (t *Table) hash() strategy.Offer {
	return strategy.Offer{Cost: t.Figures.HashStart + t.Figures.Hashed*t.Rows}
}

// Table is the host's table by keys in which so many rows are looked up, 0 for unknown.
func (w *Weave) Table(keys []kernel.ValueID, rows float64) *Table {
	cells, refusal := w.Cells(keys)
	return &Table{&w.Machine.Host.Tables, cells, refusal, rows}
}

// maxDense is how many cells a dense table has at most.
const maxDense = 1 << 26

// Cells is the number of combinations of the keys, or why a table cannot have a cell for
// each. Each nullable key has one value more.
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
	if n > maxDense {
		return 0, fmt.Sprintf("%.0f combinations of the keys, more than %d", n, maxDense)
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
	case v.Type == kernel.Code:
		n = w.Entries(k)
	case v.Range.Known:
		n = float64(v.Range.Hi) - float64(v.Range.Lo) + 1
	}
	if v.Nullable {
		n++
	}
	return n, n > 1 || v.Range.Known
}
