package lower

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// cast emits a conversion between SQL types.
func (b *operations) cast(x kernel.ValueID, from, to algebra.Type, pos int) kernel.ValueID {
	switch {
	case b.isNull(x):
		return b.null(PhysicalType(to), scaleOf(to))
	case from.IsNumber() && to.IsNumber():
		return b.castNumber(x, to, pos)
	case from.IsString() && from.Kind != algebra.Text && to.Kind == algebra.Text, from.Kind == algebra.JSONBinary && to.Kind == algebra.JSONText:
		return b.clip(b.Text(x), to, pos)
	case from.Kind == algebra.Text:
		return b.parse(b.Text(x), to, pos)
	case to.Kind == algebra.Text:
		return b.clip(b.format(x, from, pos), to, pos)
	case from.Kind == to.Kind:
		return x
	case algebra.SameNumber(from.Kind, to.Kind):
		return b.toInt(x, kernel.I64, pos)
	case from.Kind == algebra.Bool && to.IsInteger():
		v := b.compute(kernel.Compute{Op: kernel.OpConvert, Args: []kernel.ValueID{x}, Pos: pos},
			kernel.Value{Type: kernel.I32}, fact{bounds: int64Bounds(0, 1)})
		return b.toInt(v, PhysicalType(to), pos)
	case from.IsInteger() && to.Kind == algebra.Bool:
		return b.op(kernel.OpNe, kernel.Bool, pos, x, b.coefParam(value.Int128{}, b.typ(x), 0))
	case from.Kind == algebra.Date && to.Kind == algebra.Timestamp:
		return b.moved([]kernel.ValueID{x}, to, func() kernel.ValueID { return b.op(kernel.OpDateToTimestamp, kernel.I64, pos, x) })
	case from.Kind == algebra.Timestamp && to.Kind == algebra.Date:
		return b.moved([]kernel.ValueID{x}, to, func() kernel.ValueID { return b.op(kernel.OpTimestampToDate, kernel.I32, pos, x) })
	}
	panic(value.ErrorAt(pos, value.CodeCannotCoerce, "cannot cast type %s to %s", from, to))
}

// castNumber converts between numeric types.
func (b *operations) castNumber(x kernel.ValueID, to algebra.Type, pos int) kernel.ValueID {
	inexact := !b.typ(x).IsInteger()
	switch to.Kind {
	case algebra.Float64:
		return b.toFloat(x, pos)
	case algebra.Numeric:
		if b.typ(x) == kernel.F64 {
			return b.toNum(x, pos)
		}
		return x
	case algebra.Decimal:
		if inexact {
			x = b.fromInexact(x, PhysicalType(to), int(to.Scale), pos)
		}
		return b.digits(b.rescaled(x, int(to.Scale), pos), to, pos)
	}
	t := PhysicalType(to)
	if inexact {
		return b.smallint(b.fromInexact(x, t, 0, pos), to, pos)
	}
	return b.smallint(b.toInt(b.rescaled(x, 0, pos), t, pos), to, pos)
}

// digits checks an unscaled number against the precision of numeric(p,s).
func (b *operations) digits(v kernel.ValueID, to algebra.Type, pos int) kernel.ValueID {
	limit, r := digitBounds(int(to.Precision)), b.boundsOf(v)
	if r.lo.Cmp(limit.lo) >= 0 && r.hi.Cmp(limit.hi) <= 0 {
		return v
	}
	if t := b.typ(v); t == kernel.I32 {
		v = b.toInt(v, kernel.I64, pos)
	}
	v = b.compute(kernel.Compute{
		Op: kernel.OpNarrow, Args: []kernel.ValueID{v}, Aux: kernel.Aux{Digits: to.Precision, Scale: int(to.Scale)}, Checked: true, Pos: pos,
	}, kernel.Value{Type: b.typ(v)}, fact{scale: int(to.Scale), bounds: limit})
	return b.shrunk(v, pos)
}

// parse reads text as a value of another type.
func (b *operations) parse(x kernel.ValueID, to algebra.Type, pos int) kernel.ValueID {
	switch to.Kind {
	case algebra.Text:
		return b.clip(x, to, pos)
	case algebra.Decimal:
		num := b.op(kernel.OpParse, kernel.Num, pos, x)
		return b.castNumber(num, to, pos)
	}
	v := b.compute(kernel.Compute{
		Op: kernel.OpParse, Args: []kernel.ValueID{x}, Aux: kernel.Aux{Field: timeName(to)}, Checked: true, Pos: pos,
	}, kernel.Value{Type: PhysicalType(to)}, fact{})
	return b.smallint(v, to, pos)
}

// format writes a value as text.
func (b *operations) format(x kernel.ValueID, from algebra.Type, pos int) kernel.ValueID {
	if b.facts[x].scale != 0 {
		x = b.toNum(x, pos)
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpFormat, Args: []kernel.ValueID{x}, Aux: kernel.Aux{Field: timeName(from)}, Pos: pos,
	}, kernel.Value{Type: kernel.Str}, fact{})
}

// timeName distinguishes dates, timestamps and times from the integers that hold them.
func timeName(t algebra.Type) string {
	switch t.Kind {
	case algebra.Date:
		return "date"
	case algebra.Timestamp:
		return "timestamp"
	case algebra.Time:
		return "time"
	}
	return ""
}

// clip cuts text to the length of varchar(n).
func (b *operations) clip(x kernel.ValueID, to algebra.Type, pos int) kernel.ValueID {
	if to.Length == 0 {
		return x
	}
	return b.clipped(x, to, false, pos)
}

// assign is clip for a text that goes into a column: it raises an error where
// anything but blanks would be lost.
func (b *operations) assign(x kernel.ValueID, to algebra.Type, pos int) kernel.ValueID {
	return b.clipped(x, to, true, pos)
}

func (b *operations) clipped(x kernel.ValueID, to algebra.Type, checked bool, pos int) kernel.ValueID {
	aux := kernel.Aux{Length: to.Length}
	if checked && to.Padded {
		aux.Field = value.LimitedChar
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpClip, Checked: checked, Args: []kernel.ValueID{x}, Aux: aux, Pos: pos,
	}, kernel.Value{Type: kernel.Str}, fact{})
}
