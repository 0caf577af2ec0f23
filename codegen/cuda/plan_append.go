package cuda

import (
	"fmt"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// AppendPlan is the launch plan of the entry append, for an AppendParams that the run
// fills, and CopyTextsPlan that of copy_texts for a CopyTextsParams.
var (
	AppendPlan = sync.OnceValue(func() *launch.Plan {
		words := numbers("rows", "first", "column_count")
		for i := range RowsColumns {
			for _, name := range []string{
				"from", "from_valid", "from_width", "from_base", "to", "to_valid", "to_width", "to_base", "null", "value", "value_mid", "value_high",
			} {
				words = append(words, numbers(fmt.Sprintf("%s_%d", name, i))...)
			}
		}
		return rowsPlan("append", words, RowsThreads)
	})
	CopyTextsPlan = sync.OnceValue(func() *launch.Plan {
		return rowsPlan("copy_texts", numbers("texts", "ends", "to", "rows"), RowsThreads/Lanes)
	})
)

// numbers are words that the run fills.
func numbers(names ...string) []launch.Word {
	return lists.Map(names, func(name string) launch.Word { return launch.Word{Name: name, Bound: true} })
}

// rowsPlan is the plan of an entry of the rows' module, whose blocks go over so many rows
// at a time.
func rowsPlan(entry string, words []launch.Word, tileRows int) *launch.Plan {
	takes := make([]int, len(words))
	for i := range takes {
		takes[i] = i
	}
	return &launch.Plan{
		Name: entry, Blocks: []launch.Block{{Name: RowsBlock, Words: words}},
		Entries: []launch.Entry{{Name: entry, Threads: RowsThreads, TileRows: tileRows, PerSM: rowsBlocksPerSM, Takes: takes}},
		Body:    []launch.Stmt{&launch.Launch{Entry: 0, Over: expr.Rows, Blocks: launch.None}, &launch.Complete{Array: launch.None}},
	}
}
