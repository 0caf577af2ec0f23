package sql

import "strconv"

func (f *formatter) partitionBy(by *PartitionBy) {
	if by == nil {
		return
	}
	f.put(" partition by ", quoteName(by.Method.Name), " (")
	f.each(len(by.Keys), func(i int) {
		k := by.Keys[i]
		if k.Expr != nil {
			f.put("(")
			f.expr(k.Expr)
			f.put(")")
		} else {
			f.put(quoteName(k.Column.Name))
		}
		if k.Collation != nil {
			f.put(" collate ")
			f.name(k.Collation)
		}
		if k.OpClass != nil {
			f.put(" ")
			f.name(k.OpClass)
		}
	})
	f.put(")")
}

func (f *formatter) partitionBound(b *PartitionBound) {
	list := func(word string, exprs []Expr) {
		f.put(" ", word, " (")
		f.exprs(exprs)
		f.put(")")
	}
	switch {
	case b == nil:
		return
	case b.Default:
		f.put(" default")
		return
	}
	f.put(" for values")
	switch b.Method {
	case "list":
		list("in", b.Values)
	case "range":
		list("from", b.From)
		list("to", b.To)
	case "hash":
		f.put(" with (modulus ", strconv.FormatInt(b.Modulus, 10), ", remainder ", strconv.FormatInt(b.Remainder, 10), ")")
	}
}
