package cuda

import (
	"fmt"
	"sync"
)

// RowsModule is the source of the entries that order, gather and append rows, the
// same for all kernels.
var RowsModule = sync.OnceValue(func() string {
	text := fmt.Sprintf("constexpr int T = %d;\nconstexpr int R = 4;\n\n", threads)
	for _, file := range []string{"prelude.cuh", "load.cuh", "block.cuh", "order.cuh", "text.cuh", "gather.cuh"} {
		text += deviceFile(file) + "\n"
	}
	return text
})

// RowsThreads is the size of the blocks of its entries.
const RowsThreads = threads

// OrderParams is the parameter of the entries that order rows, a 64-bit word each.
type OrderParams struct {
	Keys, Capacity, Words uint64 // of a Sort
	Word                  uint64 // the one that load takes
	Rows                  uint64
	InKeys, OutKeys       uint64 // 64 bits a row
	InRows, OutRows       uint64 // 32 bits a row; InRows 0: rows as they lie
	Shift                 uint64 // of the digit
	Counts, Blocks        uint64 // 32 bits for each digit and block
	Spread                uint64 // a word: bits in which keys differ
}

// RowsColumns is how many columns gather and append take at a time.
const RowsColumns = 16

// GatherParams is the parameter of the entry gather, a 64-bit word each.
type GatherParams struct {
	Order   uint64 // 32 bits a row
	Rows    uint64
	Columns uint64
	Column  [RowsColumns]GatherColumn
}

// GatherColumn is a column to be gathered. Width is the bytes of a value, 0 for
// bits. The validities are 0 where no value is NULL.
type GatherColumn struct{ From, FromValid, To, ToValid, Width uint64 }

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
