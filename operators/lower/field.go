package lower

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Field is what is known of a column that one kernel leaves for another.
type Field struct {
	Column   algebra.Column
	Type     kernel.Type
	Nullable bool
	Unique   bool // no two rows have the same value, NULL aside
	// Ascending says of integers that the rows are in their order, and that none is NULL.
	Ascending bool
	Range     kernel.Range
	Scale     int     // of an exact number held as an integer
	Entries   float64 // of a code: entries of the dictionary, 0 for unknown
	Dict      string  // of a code: identifies the dictionary across kernels
}

// typeRange is the range that an SQL type by itself gives.
func typeRange(t algebra.Type) kernel.Range {
	switch {
	case t.Kind == algebra.Int16:
		return kernel.Range{Known: true, Lo: -1 << 15, Hi: 1<<15 - 1}
	case t.Kind == algebra.Decimal && t.Precision <= algebra.MaxDigits64:
		return digitBounds(int(t.Precision)).within(kernel.I64)
	}
	return kernel.Range{}
}

// PlainField is the field of a column of which nothing but its SQL type is
// known.
func PlainField(c algebra.Column) Field {
	return Field{
		Column: c, Type: PhysicalType(c.Type), Nullable: c.Nullable,
		Range: typeRange(c.Type), Scale: scaleOf(c.Type),
	}
}

// PlainFields are the fields of columns of which nothing but their types is known.
func PlainFields(cols []algebra.Column) []Field {
	return lists.Map(cols, PlainField)
}

// ConstantFields are the fields of constant rows. Their integers have the bounds that all constants of
// the same sizes have, so that kernels stay as they are where values differ little.
func ConstantFields(n *algebra.Values) []Field {
	fields := PlainFields(n.Cols)
	for i := range fields {
		least, greatest := value.Value{I: math.MaxInt64}, value.Value{I: math.MinInt64}
		for _, row := range n.Rows {
			if row[i].Kind == value.Int {
				least.I, greatest.I = min(least.I, row[i].I), max(greatest.I, row[i].I)
			}
		}
		if f := &fields[i]; n.Cols[i].Type.IsInteger() && least.I <= greatest.I {
			f.Range = bounds{paramBounds(f.Type, least).lo, paramBounds(f.Type, greatest).hi}.within(f.Type)
		}
	}
	return fields
}

// StoredField is the field of a column of a base table. The statistics bound
// it only where the table is exact: there they are proven.
func StoredField(c algebra.Column, table *algebra.TableRef, stats algebra.Stats) Field {
	f := PlainField(c)
	if stats.Dict && c.Type.IsString() {
		f.Type = kernel.Code
		f.Entries = stats.Distinct
		f.Dict = table.Name + "." + c.Name
	}
	if !table.Exact {
		return f
	}
	f.Unique = stats.Unique
	if f.Type == kernel.Code && stats.Codes > 0 {
		f.Range, f.Entries = codeRange(stats.Codes), float64(stats.Codes)
	}
	if !stats.HasBounds || f.Type == kernel.Code {
		return f
	}
	f.Nullable = f.Nullable && stats.Nulls > 0
	if f.Type == kernel.Num || f.Type == kernel.F64 {
		return f
	}
	f.Range = kernel.Range{Known: true, Lo: stats.Min, Hi: stats.Max}
	switch f.Type {
	case kernel.I32, kernel.I64:
		f.Ascending = stats.Ascending
	case kernel.I128:
		f.Type, f.Ascending = kernel.I64, stats.Ascending
	case kernel.Str, kernel.Bool, kernel.Interval:
		f.Range = kernel.Range{}
	}
	return f
}

// codeRange is a range of the codes of a dictionary of n entries: all values of the bits that they need, so that
// kernels stay as they are while a dictionary grows within them. The last value is left to NULL, unless it is a code.
func codeRange(n int64) kernel.Range {
	return kernel.Range{Known: true, Hi: max(n-1, 1<<bits.Len64(uint64(n-1))-2)}
}

// Load makes a value for a column that a source gives.
func (b *Builder) Load(f Field) kernel.ValueID {
	v := kernel.Value{Type: f.Type, Nullable: f.Nullable, Range: f.Range, Name: f.Column.Name}
	known := fact{scale: f.Scale, entries: f.Entries, origin: f.Dict}
	switch {
	case f.Type == kernel.Code:
		v.Dict = b.newDict()
	case f.Range.Known:
		known.bounds = int64Bounds(f.Range.Lo, f.Range.Hi)
	case f.Type == kernel.I128 && f.Column.Type.Kind == algebra.Decimal:
		known.bounds = digitBounds(int(f.Column.Type.Precision))
	}
	return b.define(v, known)
}

// Field is the field for a value that leaves the kernel as column c.
func (b *Builder) Field(c algebra.Column, v kernel.ValueID) Field {
	val, known := b.Func.Values[v], b.facts[v]
	return Field{
		Column: c, Type: val.Type, Nullable: val.Nullable, Range: val.Range,
		Scale: known.scale, Entries: known.entries, Dict: known.origin,
	}
}

// Final returns a value of SQL type t as the rows of a query have it: numeric
// without a scale with a scale per value.
func (b *Builder) Final(v kernel.ValueID, t algebra.Type) kernel.ValueID {
	if t.Kind == algebra.Numeric {
		return b.toNum(v, value.NoPos)
	}
	return v
}

// Plain returns a value of SQL type t in PhysicalType(t).
func (b *Builder) Plain(v kernel.ValueID, t algebra.Type) kernel.ValueID {
	switch want := PhysicalType(t); want {
	case kernel.Num:
		return b.toNum(v, value.NoPos)
	case kernel.Str:
		return b.Text(v)
	case kernel.I32, kernel.I64, kernel.I128:
		return b.toInt(v, want, value.NoPos)
	}
	return v
}
