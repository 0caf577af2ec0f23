package algebra

import "fmt"

// TableSample keeps some of the rows of a table, whatever they hold: TABLESAMPLE.
// Position is the row's position in the table. Which positions are kept follows from
// Draw alone.
type TableSample struct {
	Input    Node
	Position Expr
	Draw     Draw
}

// Draw is how positions are drawn. Two equal draws keep the same ones.
type Draw struct {
	Method     string  // a key of DrawMethods
	Percent    float64 // of the positions, from 0 to 100
	Seed       int64
	Repeatable bool // the statement says the seed
}

// DrawMethods are the methods of TABLESAMPLE: positions are drawn in runs of 2^bits.
// Nothing is read of a run that is not kept.
var DrawMethods = map[string]uint8{"bernoulli": 0, "system": 10}

// Columns implements Node.
func (n *TableSample) Columns() []Column { return n.Input.Columns() }

// Share implements Drawing.
func (n *TableSample) Share() float64 { return n.Draw.Percent / 100 }

func (n *TableSample) op() string             { return "sample scan" }
func (n *TableSample) operands() (l, r *Node) { return &n.Input, nil }
func (n *TableSample) copy() Node             { c := *n; return &c }
func (n *TableSample) fields() fields {
	return fields{{"draw", true, &n.Draw}, {"by", false, &n.Position}}
}

// String is the draw as SQL. A seed that the statement does not say is left out.
func (d *Draw) String() string {
	text := fmt.Sprintf("%s (%g)", d.Method, d.Percent)
	if d.Repeatable {
		text += " repeatable"
	}
	return text
}

func (d *Draw) texts(bool) []string { return []string{d.String()} }

func (d *Draw) equal(other property) bool { return *d == *other.(*Draw) }
