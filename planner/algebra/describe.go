package algebra

import (
	"fmt"
	"strconv"
	"strings"
)

// Op is the operator's name as plans print it.
func Op(n Node) string {
	switch n := n.(type) {
	case *Scan:
		return "scan"
	case *Values:
		return "values"
	case *Filter:
		return "filter"
	case *Project:
		return "project"
	case *Join:
		if n.Kind == JoinInner && len(n.Keys) == 0 && len(n.Residual) == 0 {
			return "cross join"
		}
		return string(n.Kind) + " join"
	case *Apply:
		return string(n.Kind) + " apply"
	case *Aggregate:
		return "aggregate"
	case *Window:
		return "window"
	case *Sort:
		if n.Limit >= 0 {
			return "top"
		}
		return "sort"
	case *Limit:
		return "limit"
	case *Repetition:
		return "repeat"
	case *SetOp:
		if n.All {
			return string(n.Kind) + " all"
		}
		return string(n.Kind)
	case *Recursive:
		return "recursive"
	case *Working:
		return "working table"
	}
	return fmt.Sprintf("%T", n)
}

// Describe is the operator with its properties on one line, without its
// inputs.
func Describe(n Node) string { return describe(n, false) }

func describe(n Node, ids bool) string {
	var b strings.Builder
	b.WriteString(Op(n))
	for _, attr := range Attrs(n, ids) {
		b.WriteByte(' ')
		if attr.Name != "" {
			b.WriteString(attr.Name + " ")
		}
		b.WriteString(strings.Join(attr.Values, ", "))
	}
	return b.String()
}

// Attrs are the properties of a node in print. With ids every column carries
// its ColumnID, so that columns of one name can be told apart.
func Attrs(n Node, ids bool) []Attr {
	d := describer{ids: ids}
	switch n := n.(type) {
	case *Scan:
		d.scan(n)
	case *Values:
		d.values(n)
	case *Filter:
		d.add("", exprTexts(n.Conds, ids))
	case *Project:
		d.add("", itemTexts(n.Items, ids))
	case *Join:
		d.join(n)
	case *Apply:
		d.add("if", exprTexts(n.Conds, ids))
	case *Aggregate:
		d.aggregate(n)
	case *Window:
		d.window(n)
	case *Sort:
		d.add("by", sortTexts(n.Keys, ids))
		d.limit("limit", n.Limit, n.Offset)
	case *Limit:
		d.limit("", n.Count, n.Offset)
	case *Repetition:
		d.add("", exprTexts([]Expr{n.Times}, ids))
		d.add("numbered", columnTexts([]Column{n.Ordinal}, ids))
	case *SetOp:
		d.add("", columnTexts(n.Cols, ids))
	case *Recursive:
		d.add("", columnTexts(n.Cols, ids))
		if n.Distinct {
			d.add("distinct", []string{"rows"})
		}
		d.limit("limit", n.Limit, 0)
	case *Working:
		d.add("", columnTexts(n.Cols, ids))
	}
	return d.attrs
}

func (d *describer) scan(n *Scan) {
	name := n.Table.Name
	if n.Alias != "" && n.Alias != name {
		name += " as " + n.Alias
	}
	d.add("", []string{name})
	d.add("columns", columnTexts(n.Cols, d.ids))
}

func (d *describer) values(n *Values) {
	d.add("", columnTexts(n.Cols, d.ids))
	d.add("rows", []string{strconv.Itoa(len(n.Rows))})
}

func (d *describer) join(n *Join) {
	keys := make([]string, len(n.Keys))
	for i, key := range n.Keys {
		op := " = "
		if key.NullSafe {
			op = " IS NOT DISTINCT FROM "
		}
		keys[i] = exprText(key.Left, d.ids) + op + exprText(key.Right, d.ids)
	}
	d.add("on", keys)
	d.add("if", exprTexts(n.Residual, d.ids))
}

func (d *describer) aggregate(n *Aggregate) {
	d.add("by", itemTexts(n.Keys, d.ids))
	if !n.IsPlain() {
		d.add("sets", setTexts(n, d.ids))
	}
	aggs := make([]string, len(n.Aggs))
	for i := range n.Aggs {
		aggs[i] = AggText(&n.Aggs[i], d.ids) + " as " + columnText(n.Aggs[i].Column, d.ids)
	}
	d.add("compute", aggs)
	if n.GroupingID.ID != 0 {
		d.add("set number", []string{columnText(n.GroupingID, d.ids)})
	}
}

func (d *describer) limit(name string, count, offset int64) {
	if count >= 0 {
		d.add(name, []string{strconv.FormatInt(count, 10)})
	}
	if offset > 0 {
		d.add("offset", []string{strconv.FormatInt(offset, 10)})
	}
}

func setTexts(n *Aggregate, ids bool) []string {
	texts := make([]string, len(n.Sets))
	for i, set := range n.Sets {
		var keys []string
		for k := range n.Keys {
			if set.Has(k) {
				keys = append(keys, columnText(n.Keys[k].Column, ids))
			}
		}
		texts[i] = "(" + strings.Join(keys, ", ") + ")"
	}
	return texts
}
