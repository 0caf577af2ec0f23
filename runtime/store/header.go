package store

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Header is embedded in sources of whose values nothing is known before they are read. Their
// text is written out.
type Header struct {
	Total   int64 // rows
	columns []Column
	types   []kernel.Type
}

// Describe says what the columns are.
func (h *Header) Describe(columns []Column) {
	h.columns, h.types = columns, make([]kernel.Type, len(columns))
	for i, c := range columns {
		h.types[i] = PhysicalType(c.Type, false)
	}
}

// Columns implements Source.
func (h *Header) Columns() []Column { return h.columns }

// Stats implements Source.
func (h *Header) Stats(int) algebra.Stats { return algebra.Stats{} }

// Exact implements Source.
func (h *Header) Exact() bool { return false }

// Types implements runtime.Relation.
func (h *Header) Types() []kernel.Type { return h.types }

// Rows implements runtime.Relation.
func (h *Header) Rows() int64 { return h.Total }

// Range implements runtime.Relation.
func (h *Header) Range(int, int) (lo, hi int64, all, ok bool) { return 0, 0, false, false }
