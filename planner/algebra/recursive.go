package algebra

// Recursive is a recursive common table expression: the rows of Base, and iteration
// by iteration those that Term gives for the rows that the iteration before added, until
// an iteration adds none. It is a leaf to the rules: Base and Term are plans of their
// own, whose columns correspond to Cols by position and have their types. Behind the
// rule that unnests subqueries neither refers to columns of queries around it.
type Recursive struct {
	ID   ColumnID // what Working.Of names; no column has it
	Base Node
	Term Node
	// Distinct drops rows that there have been before (UNION).
	Distinct bool
	// Limit is how many rows are wanted: iterations behind it may be left out.
	// Below 0 all rows are.
	Limit int64
	// Counted is what Limit counts: the rows that this plan gives for those of each
	// iteration, which a Working stands for, as in Term. Nil: the rows themselves.
	Counted Node
	Cols    []Column
}

// Working is the rows that the iteration before added to the Recursive with ID Of.
// It stands in that one's Term.
type Working struct {
	Of   ColumnID
	Cols []Column
}

// Columns implements Node.
func (n *Recursive) Columns() []Column { return n.Cols }

// mapPlans is n over f of Base and Term, and n itself where f changed neither.
func (n *Recursive) mapPlans(f func(Node) Node) Node {
	base, term := f(n.Base), f(n.Term)
	if base == n.Base && term == n.Term {
		return n
	}
	c := *n
	c.Base, c.Term = base, term
	return &c
}

// Columns implements Node.
func (n *Working) Columns() []Column { return n.Cols }
