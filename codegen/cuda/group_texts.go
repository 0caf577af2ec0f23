package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// textOrders are the template arguments of Kept: which of two texts is kept.
var textOrders = map[kernel.AccOp]string{kernel.AccMin: "-1", kernel.AccMax: "1", kernel.AccAny: "0"}
