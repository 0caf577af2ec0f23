package cpu

import "github.com/cubeloom/cubeloom/runtime/machine"

// caches returns what the loops of a core may fill.
func caches() *machine.Caches { return &machine.Current().Host.Caches }
