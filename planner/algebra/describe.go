package algebra

import "strings"

// attribute is one property of a node in print: a name and its values in order.
type attribute struct {
	name   string
	bare   bool // text shows the values alone
	values []string
}

// attributes are the properties of a node in print. With ids every column carries
// its ColumnID, so that columns of one name can be told apart.
func attributes(n Node, ids bool) []attribute {
	var list []attribute
	fields := n.fields()
	for i := range fields {
		f := &fields[i]
		if values := fieldTexts(f.of, ids); len(values) > 0 {
			list = append(list, attribute{name: f.name, bare: f.bare, values: values})
		}
	}
	return list
}

// String is the attribute in text.
func (a *attribute) String() string {
	values := strings.Join(a.values, ", ")
	if a.bare {
		return values
	}
	return a.name + " " + values
}

// fieldTexts are the values of a field in print.
func fieldTexts(of any, ids bool) []string {
	switch of := of.(type) {
	case *Expr:
		return []string{exprText(*of, ids)}
	case *[]Expr:
		return exprTexts(*of, ids)
	case *[]Item:
		return texts(*of, func(item *Item) string { return itemText(item, ids) })
	case *[]JoinKey:
		return texts(*of, func(key *JoinKey) string { return joinKeyText(key, ids) })
	case *[]SortKey:
		return texts(*of, func(key *SortKey) string { return sortKeyText(key, ids) })
	case *[]Agg:
		return texts(*of, func(a *Agg) string { return AggText(a, ids) + " as " + columnText(a.Column, ids) })
	case *[]WindowCall:
		return texts(*of, func(c *WindowCall) string { return windowText(c, ids) + " as " + columnText(c.Column, ids) })
	case *Column:
		if of.ID != 0 {
			return []string{columnText(*of, ids)}
		}
	case *[]Column:
		return texts(*of, func(c *Column) string { return columnText(*c, ids) })
	case property:
		return of.texts(ids)
	}
	return nil
}

// Describe is the operator with its properties on one line, without its
// inputs.
func Describe(n Node) string { return describe(n, false) }

func describe(n Node, ids bool) string {
	var b strings.Builder
	b.WriteString(n.op())
	for _, attr := range attributes(n, ids) {
		b.WriteByte(' ')
		b.WriteString(attr.String())
	}
	return b.String()
}
