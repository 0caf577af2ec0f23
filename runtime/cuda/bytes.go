package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// columnBytes is the memory of so many rows of a column.
func columnBytes(shape cudagen.ColumnShape, rows int64, chunks []*runtime.Chunk) int64 {
	bitmap, bytes := wholeBuffer((rows+31)/32*4), int64(0)
	if shape.Encoding == cudagen.EncNull {
		return 0
	}
	if shape.Nullable {
		bytes += bitmap
	}
	switch shape.Encoding {
	case cudagen.EncBits:
		return bytes + bitmap
	case cudagen.EncStr:
		return wholeBuffer(bytes+allTextBytes(chunks)) + wholeBuffer(4*(rows+1))
	case cudagen.EncTexts:
		bytes += wholeBuffer(allTextBytes(chunks))
	}
	return bytes + wholeBuffer(int64(shape.Encoding.Width())*padded(int(rows)))
}

// padded is the number of rows that a column has room for: kernels read four
// at a time.
func padded(rows int) int64 { return int64(rows+3) / 4 * 4 }

// allTextBytes is the size of the texts of chunks.
func allTextBytes(chunks []*runtime.Chunk) int64 {
	bytes := int64(0)
	for _, c := range chunks {
		bytes += textBytes(c)
	}
	return bytes
}

// textBytes is the size of the texts of a chunk.
func textBytes(c *runtime.Chunk) int64 {
	if c.Enc != runtime.EncStr || c.Rows == 0 {
		return 0
	}
	return int64(c.Offsets[c.Rows] - c.Offsets[0])
}
