package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// row is the place of a row's match in the payload.
func (p *probing) row() string {
	if p.table.Layout == LayoutCells {
		return p.at + "[r]"
	}
	return p.at + "[r] - 1"
}

// column is a column of the payload.
func (p *probing) column(e *Entry, c kernel.SourceCol) stored {
	if p.Sorted != nil {
		return e.relationColumn(p.Input, c)
	}
	return e.payloadColumn(p.Input, c)
}

// loadPayload writes the load of a column of the matching rows.
func (e *Entry) loadPayload(l payloadOf) {
	c := l.p.column(e, l.col)
	id, v := l.col.Dst, &e.f.Values[l.col.Dst]
	nulls := ""
	if l.p.Kind == kernel.ProbeLeft {
		nulls = "~" + l.p.found
	}
	if c.shape.Encoding == EncNull {
		nulls = "ALL"
	}
	if v.Type == kernel.Bool {
		e.Line("u32 %s = 0;  // of %s", e.name(id), e.input(l.p.Input))
	} else {
		e.Line("%s %s[R];  // of %s", e.ctype(v.Type), e.name(id), e.input(l.p.Input))
	}
	e.declareNulls(id, nulls)
	if c, ok := onlyValue(v); ok {
		e.Line("ROWS %s[r] = %d;", e.name(id), c)
		return
	}
	live := e.Temp("live")
	e.Line("const u32 %s = active & %s;", live, l.p.found)
	switch {
	case c.shape.Encoding == EncNull && v.Type != kernel.Bool:
		e.Line("ROWS %s[r] = %s;", e.name(id), zeroOf(v.Type))
	case c.shape.Encoding == EncNull:
	case v.Type == kernel.Bool:
		e.Line("ROWS set(%s, r, bit(%s, r) && %s);", e.name(id), live, e.element(c, l.p.row(), v.Type))
	default:
		e.Line("ROWS %s[r] = bit(%s, r) ? %s : %s;", e.name(id), live, e.element(c, l.p.row(), v.Type), zeroOf(v.Type))
	}
	if n := e.nulls(id); n != "" && c.shape.Nullable && c.shape.Encoding != EncNull {
		e.Line("ROWS set(%s, r, bit(%s, r) && !bit_at(%s, %s));", n, live, e.validArg(c), l.p.row())
	}
}

// onlyValue returns the value of a column that is known to have one only.
func onlyValue(v *kernel.Value) (int64, bool) {
	is := v.Range.Known && v.Range.Lo == v.Range.Hi && !v.Nullable && (v.Type == kernel.I32 || v.Type == kernel.I64)
	return v.Range.Lo, is
}

// loadPacked writes the load of a column of the source for rows that were packed.
func (e *Entry) loadPacked(id kernel.ValueID, c stored) {
	v, name := &e.f.Values[id], e.name(id)
	isNull := c.shape.Encoding == EncNull
	at := e.rowsAt + "[r]"
	switch {
	case v.Type == kernel.Bool:
		e.Line("u32 %s = 0;", name)
		if !isNull {
			e.Line("ROWS set(%s, r, bit(active, r) && %s);", name, e.element(c, at, v.Type))
		}
	case isNull:
		e.Line("%s %s[R] = {};", e.ctype(v.Type), name)
	default:
		e.Line("%s %s[R];", e.kept(id), name)
		e.Line("ROWS %s[r] = bit(active, r) ? (%s)%s : %s;", name, e.kept(id), e.element(c, at, v.Type), zeroOf(v.Type))
	}
	switch {
	case isNull:
		e.declareNulls(id, "ALL")
	case c.shape.Nullable && v.Nullable:
		e.declareNulls(id, "0")
		e.Line("ROWS set(%s, r, bit(active, r) && !bit_at(%s, %s));", e.nulls(id), e.validArg(c), at)
	default:
		e.declareNulls(id, "")
	}
}
