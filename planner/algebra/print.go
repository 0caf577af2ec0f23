package algebra

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Format prints a plan as indented lines, a node above its inputs.
func Format(n Node) string { return text(n, false) }

// FormatWithIDs is Format with the ColumnID behind every column's name.
func FormatWithIDs(n Node) string { return text(n, true) }

func text(n Node, ids bool) string {
	var b strings.Builder
	var walk func(n Node, depth int)
	walk = func(n Node, depth int) {
		b.WriteString(strings.Repeat("  ", depth))
		b.WriteString(describe(n, ids))
		b.WriteByte('\n')
		for _, in := range shown(n) {
			walk(in, depth+1)
		}
	}
	walk(n, 0)
	return b.String()
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

// Dot prints a plan as a Graphviz digraph, edges in the direction of the data.
func Dot(n Node) string {
	var b strings.Builder
	b.WriteString("digraph plan {\n  rankdir=BT;\n  node [shape=box, fontname=monospace];\n")
	next := 0
	var walk func(n Node) int
	walk = func(n Node) int {
		id := next
		next++
		fmt.Fprintf(&b, "  n%d [label=%s];\n", id, dotLabel(n))
		for _, in := range shown(n) {
			fmt.Fprintf(&b, "  n%d -> n%d;\n", walk(in), id)
		}
		return id
	}
	walk(n)
	b.WriteString("}\n")
	return b.String()
}

// dotLabel is the node's description as a quoted Graphviz string, a line for
// each property.
func dotLabel(n Node) string {
	lines := []string{n.op()}
	for _, attr := range attributes(n, false) {
		lines = append(lines, attr.String())
	}
	for i, line := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(line)
	}
	return `"` + strings.Join(lines, `\l`) + `\l"`
}
