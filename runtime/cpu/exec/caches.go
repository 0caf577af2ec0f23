package exec

import "github.com/cubeloom/cubeloom/runtime/machine"

// Caches returns what the loops of a core may fill.
func Caches() *machine.Caches { return &machine.Current().Host.Caches }
