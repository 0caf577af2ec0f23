package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// Acc is the accumulator.
func (a *GroupedAcc) Acc() *kernel.Acc { return a.acc }

// IsSum reports whether it is a sum of 64 bits, and IsWideSum whether it has more.
func (a *GroupedAcc) IsSum() bool { return a.kind == keptSum }

func (a *GroupedAcc) IsWideSum() bool { return a.kind == keptWide }

// Array is the first array of term i of the accumulator.
func (a *cellAcc) Array(e *Entry, i int) string { return a.terms[i].cells(e, 0) }

// Wide are the three arrays of term i, a sum of 192 bits.
func (a *cellAcc) Wide(e *Entry, i int) string { return a.terms[i].all(e) }
