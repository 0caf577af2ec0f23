package cuda

// Behind is what is done with the rows of an expansion: how they are added.
type Behind struct {
	Private bool    // threads accumulate in cells of their own: no other block, and no kernel, can go on with their rows
	Start   float64 // nanoseconds of the kernel, however few rows there are
	Large   bool    // a block has a multiprocessor for itself
	// Replicas of a slot, between which lanes that add to one group divide.
	Replicas float64
	all      Added
	found    func(groups float64) float64 // share of the rows that find a slot; nil: it does not depend on the groups
	groups   float64
	slot     Added // of rows that do
	cell     Added // and of others
}

// Added is what it takes to add a row.
type Added struct {
	Turn float64 // nanoseconds until a row is added that nothing hides
	Each float64 // of a row among others, in the time in which the device's memory gives a byte
}

// with is what it takes where a share of the rows find a slot.
func (b *Behind) with(share float64) Added {
	return Added{
		Turn: share*b.slot.Turn + (1-share)*b.cell.Turn,
		Each: share*b.slot.Each + (1-share)*b.cell.Each,
	}
}

// before is what is done with the rows of an expansion before another one: they are not added yet.
func (b *Behind) before() Behind {
	return Behind{Private: b.Private, Large: b.Large, Replicas: b.Replicas, all: Added{Turn: b.all.Turn}}
}

// largeTile is how many times as many threads, and rows of a tile, a large block has.
const largeTile = 4

// Blocks is how many blocks of the usual size one has the threads of.
func (b *Behind) Blocks() float64 {
	if b.Large {
		return largeTile
	}
	return 1
}
