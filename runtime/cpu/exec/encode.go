package exec

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Encode is vector.Encode of rows that may have one long text many times. It fails with 53200 where there is no room
// for copies of the texts, and with 54000 where there are more than a chunk can have.
func Encode(m *Memory, v *vector.Vector, rows int) *runtime.Chunk {
	if v.Type == kernel.Str {
		bytes := vector.TextBytes(v, rows)
		if bytes > math.MaxUint32 {
			panic(value.Errorf(value.CodeProgramLimit, "%d rows have more than %d bytes of text", rows, uint32(math.MaxUint32)))
		}
		sqlstate.Check(m.Grow(bytes))
		defer m.Shrink(bytes)
	}
	return vector.Encode(v, rows)
}
