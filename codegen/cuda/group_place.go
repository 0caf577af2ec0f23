package cuda

import "fmt"

// Where the rows of a group are accumulated: in slots of the block where the strategy has
// some, else in the cells of global memory.

// openPlane declares the words of slots from a plane of them on.
func (e *Entry) openPlane(plane int) {
	if e.slots {
		e.Line("u32* const words = slots.words + %d * span;", plane)
	}
}

// place is where a row that has no slot goes.
func (e *Entry) place() string {
	if e.slots {
		return "at[r]"
	}
	return "cell[r]"
}

// either writes what is done to the slot of a row, or to its cell.
func (e *Entry) either(slot, cell string) {
	if !e.slots {
		e.Line("%s;", cell)
		return
	}
	e.Line("if (bit(local, r)) %s;", slot)
	e.Line("else %s;", cell)
}

// word is the address of a word that rows change: so many planes of a slot on, or in an
// array of cells.
func (e *Entry) word(ctype string, planes int, array string) string {
	if !e.slots {
		return array + " + cell[r]"
	}
	return fmt.Sprintf("bit(local, r) ? (%s*)(words + %d * span) + at[r] : %s + at[r]", ctype, planes, array)
}
