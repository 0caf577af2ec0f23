package lower

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Numbering defines the value of a window function for column c that
// numbers or ranks the rows of a partition of at most rows rows.
func (b *Builder) Numbering(c algebra.Column, rows float64) kernel.ValueID {
	v := kernel.Value{Type: PhysicalType(c.Type), Name: c.Name, Nullable: c.Nullable}
	var known fact
	if v.Type == kernel.I64 {
		known.bounds = countBounds(rows)
	}
	return b.define(v, known)
}

// Picked defines the value of a window function for column c by taking
// arg from some row, or NULL where nullable.
func (b *Builder) Picked(c algebra.Column, arg kernel.ValueID, nullable bool) kernel.ValueID {
	v, known := b.Func.Values[arg], b.facts[arg]
	known.param, known.widened = nil, false
	v.Name, v.Nullable = c.Name, v.Nullable || nullable
	return b.define(v, known)
}
