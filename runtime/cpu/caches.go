package cpu

import "github.com/cubeloom/cubeloom/runtime/machine"

// caches are what the loops of a core may fill.
var caches = machine.Default().Host.Caches
