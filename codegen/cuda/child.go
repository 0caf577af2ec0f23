package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// CannotLaunch says why rows of the expansion cannot be handed to kernels that the entry
// launches; "" where they can.
func (x *Expansion) CannotLaunch() string {
	switch {
	case x.target.NoLaunches != "":
		return "the device cannot launch kernels from kernels: " + x.target.NoLaunches
	case !hasCells(x.f.Sink):
		return "another kernel can only go on with the rows of an aggregation into cells"
	}
	return ""
}

// hasCells reports whether a sink is an aggregation into cells.
func hasCells(s kernel.Sink) bool {
	agg, ok := s.(*kernel.Aggregate)
	return ok && !isSingle(agg)
}

// MayDefer reports whether the entry may hand rows over: not where threads accumulate in
// cells of their own, or where an expansion around this one has handed its rows over.
func (x *Expansion) MayDefer() bool { return x.children && x.deferred == 0 }

// IsChild reports whether the entry that is written is one that goes on with rows that
// another has handed over, in the place of a number, so many rows. Nothing is kept of it
// but what stands before the source's rows and behind them, and what Keep keeps.
func (x *Expansion) IsChild() bool { return x.isChild }

// Keep keeps what body writes. The loops of expansions around this one end behind it, and
// are not kept.
func (x *Expansion) Keep(body func()) {
	around := x.depth
	x.lines.Reset()
	x.depth = 1
	body()
	x.keeps = x.lines.String()
	x.depth = around
}

// Deferral is what an entry takes to hand rows over: names of arguments, and of the kernel
// that goes on with them.
type Deferral struct {
	Counts, Places, Number, Min, Blocks, Shared, Child string
}

// Defer notes that the entry hands rows over to kernels that it launches, in places of so many bytes.
func (x *Expansion) Defer(bytes int) Deferral {
	x.deferred = max(x.deferred, bytes)
	x.deferral = max(x.deferral, bytes)
	return Deferral{
		Counts: x.childCounts(),
		Places: x.Arg(Arg{Kind: ArgChildPlaces}, "u8*", "places where rows wait for other kernels"),
		Number: x.Arg(Arg{Kind: ArgChildNumber}, "u64", "number of those places"),
		Min:    x.Arg(Arg{Kind: ArgChildMin}, "u64", "matches for which a launch pays"),
		Blocks: x.Arg(Arg{Kind: ArgChildBlocks}, "u64", "blocks of a launch, at most"),
		Shared: x.Arg(Arg{Kind: ArgChildShared}, "u64", "bytes of dynamic shared memory"),
		Child:  x.childName(),
	}
}

// Bytes is how many bytes a part of a row takes; 0: that is not known here.
func (f Field) Bytes() int { return fieldBytes[f.Type] }

// fieldBytes is the size of the types of values that are kept for rows.
var fieldBytes = map[string]int{"u8": 1, "u16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f64": 8, "i128": 16, "Text": 8}
