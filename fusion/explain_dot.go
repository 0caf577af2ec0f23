package fusion

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/operators"
)

// Dot writes the program for Graphviz: a cluster for each group, solid edges
// within kernels, dashed ones where a result is materialized, dotted ones
// between groups that read the same table.
func (e *Explanation) Dot() string {
	var b strings.Builder
	b.WriteString("digraph program {\n  rankdir=BT;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];\n")
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=10];\n")
	for _, g := range e.Groups {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=\"group %d\"; style=\"rounded,filled\"; fillcolor=\"#eef3fa\"; fontname=\"Helvetica\";\n", g.Group, g.Group)
		for _, op := range g.Operators {
			label := strings.Join(append([]string{op.Name}, wrap(op.Detail, 40)...), "\n")
			fmt.Fprintf(&b, "    op%d [label=%s];\n", op.ID, dotString(label))
		}
		b.WriteString("  }\n")
	}
	for _, d := range e.Edges {
		fmt.Fprintf(&b, "  op%d -> op%d [label=%s, %s, tooltip=%s];\n",
			d.From, d.To, dotString(d.Dependence), edgeStyle(&d), dotString(d.Reason))
	}
	b.WriteString("}\n")
	return b.String()
}

func edgeStyle(d *EdgeExplanation) string {
	switch {
	case d.Dependence == operators.Input.String():
		return `style=dotted, dir=none, constraint=false`
	case d.Woven:
		return `style=solid, penwidth=2`
	}
	return `style=dashed`
}

// dotString quotes a text for Graphviz, where \n is a line break.
func dotString(s string) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	s = strings.ReplaceAll(s, `"`, `\"`)
	return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"`
}
