package vector

import "github.com/cubeloom/cubeloom/runtime/cpu/spare"

func init() { spare.Overwrites = true }
