package cuda

import (
	"fmt"
	"sync"
)

// RowsModule is the source of the entries that order, gather and append rows, the
// same for all kernels.
var RowsModule = sync.OnceValue(func() string {
	text := fmt.Sprintf("constexpr int T = %d;\nconstexpr int R = 4;\n\n", threads)
	for _, file := range []string{"prelude.cuh", "load.cuh", "block.cuh", "digits.cuh", "order.cuh", "text.cuh", "gather.cuh"} {
		text += deviceFile(file) + "\n"
	}
	return text
})

// RowsBlock is what the names of the parameters of its entries begin with in launch
// plans.
const RowsBlock = "rows"

// RowsThreads is the size of the blocks of its entries.
const RowsThreads = threads

// RowsColumns is how many columns gather and append take at a time.
const RowsColumns = 16

// AppendParams is the parameter of the entry append, a 64-bit word each.
type AppendParams struct {
	Rows    uint64
	First   uint64 // the row of the destination that the first one becomes
	Columns uint64
	Column  [RowsColumns]AppendColumn
}

// AppendColumn is a column that is appended to another. Without From it is the
// same value in every row. Widths are the bytes of a value, 0 for bits; bases are
// of values of less than 8 bytes. The validities are 0 where no value is NULL.
type AppendColumn struct {
	From, FromValid, FromWidth, FromBase uint64
	To, ToValid, ToWidth, ToBase         uint64
	Null                                 uint64 // 1: the same value is NULL
	Value                                [3]uint64
}
