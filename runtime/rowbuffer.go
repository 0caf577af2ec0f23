package runtime

import (
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// bufferRows is how many pending rows of a row buffer become a block.
const bufferRows = 4096

// rowBuffer is a relation that rows are added to. It is read when it is complete:
// after the last flush. Its memory is charged to an account.
type rowBuffer struct {
	inMemory
	pending [][]value.Value // not in a block yet
	account *Account
	charged int64
}

// add adds rows, each in the form of kernel.Param.Val.
func (g *rowBuffer) add(rows [][]value.Value) error {
	if err := g.charge(rows); err != nil {
		return err
	}
	g.pending = long.Append(g.pending, rows...)
	if len(g.pending) >= bufferRows {
		g.flush()
	}
	return nil
}

// addBlock adds rows, of which there are some, as a block of their own behind what has been
// added, and returns it. The rows are not kept.
func (g *rowBuffer) addBlock(rows [][]value.Value) (Block, error) {
	if err := g.charge(rows); err != nil {
		return Block{}, err
	}
	g.flush()
	g.blocks = append(g.blocks, blockOf(g.types, rows))
	return g.blocks[len(g.blocks)-1], nil
}

// charge counts rows that are added.
func (g *rowBuffer) charge(rows [][]value.Value) error {
	n := rowsBytes(rows)
	if err := g.account.Grow(n); err != nil {
		return err
	}
	g.charged += n
	g.rows += int64(len(rows))
	return nil
}

// flush makes a block of the pending rows.
func (g *rowBuffer) flush() {
	if len(g.pending) > 0 {
		g.blocks = append(g.blocks, blockOf(g.types, g.pending))
		g.pending = nil
	}
}

// rowsBytes is the memory that rows of constants are counted with: what they take
// until they stand in a block.
func rowsBytes(rows [][]value.Value) int64 {
	const perRow, perValue = 24, 96
	n := int64(0)
	for _, row := range rows {
		n += perRow + perValue*int64(len(row))
		for i := range row {
			n += int64(len(row[i].S))
		}
	}
	return n
}

// Release implements Output.
func (g *rowBuffer) Release() {
	g.account.Shrink(g.charged)
	g.charged = 0
}
