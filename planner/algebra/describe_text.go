package algebra

import "strings"

type describer struct {
	ids   bool
	attrs []Attr
}

func (d *describer) add(name string, values []string) {
	if len(values) > 0 {
		d.attrs = append(d.attrs, Attr{Name: name, Values: values})
	}
}

// AggText is an aggregate as SQL writes it.
func AggText(a *Agg, ids bool) string {
	var b strings.Builder
	switch {
	case a.Func == CountStar:
		b.WriteString("count(*)")
	case a.Distinct:
		b.WriteString(string(a.Func) + "(DISTINCT " + exprText(a.Arg, ids) + ")")
	case a.Arg2 != nil:
		b.WriteString(string(a.Func) + "(" + exprText(a.Arg, ids) + ", " + exprText(a.Arg2, ids) + ")")
	default:
		b.WriteString(string(a.Func) + "(" + exprText(a.Arg, ids) + ")")
	}
	if a.Filter != nil {
		b.WriteString(" FILTER (WHERE " + exprText(a.Filter, ids) + ")")
	}
	return b.String()
}

func exprTexts(exprs []Expr, ids bool) []string {
	texts := make([]string, len(exprs))
	for i, e := range exprs {
		texts[i] = exprText(e, ids)
	}
	return texts
}

func columnTexts(cols []Column, ids bool) []string {
	texts := make([]string, len(cols))
	for i, c := range cols {
		texts[i] = columnText(c, ids)
	}
	return texts
}

func itemTexts(items []Item, ids bool) []string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = exprText(item.Expr, ids)
		if name := columnText(item.Column, ids); name != texts[i] {
			texts[i] += " as " + name
		}
	}
	return texts
}

func sortTexts(keys []SortKey, ids bool) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = exprText(key.Expr, ids)
		if key.Desc {
			texts[i] += " desc"
		}
		if key.NullsFirst != key.Desc {
			texts[i] += map[bool]string{true: " nulls first", false: " nulls last"}[key.NullsFirst]
		}
	}
	return texts
}

// Attr is one property of a node in print: a name and its values in order.
type Attr struct {
	Name   string
	Values []string
}
