package main

import (
	"os"
	"runtime/debug"
	"strconv"

	"github.com/cubeloom/cubeloom"
)

// serverMemory is what a server may hold in all, in bytes, 0 for no limit: what
// --total-memory says, else four fifths of what the machine has.
func (f *engineFlags) serverMemory() (int64, error) {
	if f.totalMemory == "" {
		f.totalMemory = strconv.FormatInt(cubeloom.MachineMemory()/5*4, 10)
	}
	return cubeloom.ParseBytes("--total-memory", f.totalMemory)
}

// The heap may take what is accounted, some of it once more since what is given back
// is garbage for a while, and what the program itself needs.
const (
	garbagePart = 8
	ownMemory   = 64 << 20
)

// limitHeap makes the garbage collector work harder as the heap nears what total
// allows, so that garbage does not double what the process takes. Who has set
// GOMEMLIMIT has said it better. The returned function takes it back.
func limitHeap(total int64) (restore func()) {
	if total == 0 || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(total + total/garbagePart + ownMemory)
	return func() { debug.SetMemoryLimit(before) }
}
