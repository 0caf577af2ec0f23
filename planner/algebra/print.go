package algebra

import (
	"encoding/json"
	"strings"
)

// Format prints a plan as indented lines, a node above its inputs.
func Format(n Node) string { return text(n, false) }

// FormatWithIDs is Format with the ColumnID behind every column's name.
func FormatWithIDs(n Node) string { return text(n, true) }

func text(n Node, ids bool) string {
	var b strings.Builder
	spooled := make(map[ColumnID]bool) // what a Spool reads is printed once
	var walk func(n Node, depth int)
	walk = func(n Node, depth int) {
		b.WriteString(strings.Repeat("  ", depth))
		b.WriteString(describe(n, ids))
		b.WriteByte('\n')
		if s, ok := n.(*Spool); ok {
			if spooled[s.ID] {
				return
			}
			spooled[s.ID] = true
		}
		for _, in := range shown(n) {
			walk(in, depth+1)
		}
	}
	walk(n, 0)
	return b.String()
}

// shown are the plans that are printed below a node: its inputs, the two plans of a
// Recursive, or what a Spool reads.
func shown(n Node) []Node {
	switch n := n.(type) {
	case *Recursive:
		return []Node{n.Base, n.Term}
	case *Spool:
		return []Node{n.Input}
	}
	return Inputs(n)
}

// jsonNode is a node in the JSON form of a plan.
type jsonNode struct {
	Op         string              `json:"op"`
	Properties map[string][]string `json:"properties,omitempty"`
	Columns    []jsonColumn        `json:"columns"`
	Inputs     []jsonNode          `json:"inputs,omitempty"`
}

type jsonColumn struct {
	ID       ColumnID `json:"id"`
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Nullable bool     `json:"nullable"`
}

// JSON prints a plan as a JSON object: op, properties, columns, and inputs of
// the same shape.
func JSON(n Node) ([]byte, error) { return json.MarshalIndent(toJSON(n), "", "  ") }

func toJSON(n Node) jsonNode {
	j := jsonNode{Op: n.op()}
	for _, attr := range attributes(n, true) {
		if j.Properties == nil {
			j.Properties = map[string][]string{}
		}
		j.Properties[attr.name] = attr.values
	}
	cols := n.Columns()
	j.Columns = make([]jsonColumn, len(cols))
	for i, c := range cols {
		j.Columns[i] = jsonColumn{ID: c.ID, Name: c.Name, Type: c.Type.String(), Nullable: c.Nullable}
	}
	for _, in := range shown(n) {
		j.Inputs = append(j.Inputs, toJSON(in))
	}
	return j
}
