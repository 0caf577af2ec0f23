package algebra

import "strings"

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

func texts[T any](list []T, text func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = text(&list[i])
	}
	return out
}

func exprTexts(exprs []Expr, ids bool) []string {
	return texts(exprs, func(e *Expr) string { return exprText(*e, ids) })
}

func itemText(item *Item, ids bool) string {
	text := exprText(item.Expr, ids)
	if name := columnText(item.Column, ids); name != text {
		text += " as " + name
	}
	return text
}

func joinKeyText(key *JoinKey, ids bool) string {
	op := " = "
	if key.NullSafe {
		op = " IS NOT DISTINCT FROM "
	}
	return exprText(key.Left, ids) + op + exprText(key.Right, ids)
}

func sortKeyText(key *SortKey, ids bool) string {
	text := exprText(key.Expr, ids)
	if key.Desc {
		text += " desc"
	}
	switch {
	case key.NullsFirst && !key.Desc:
		text += " nulls first"
	case !key.NullsFirst && key.Desc:
		text += " nulls last"
	}
	return text
}
