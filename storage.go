package cubeloom

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// encodingNames say for people how the values of a chunk are stored.
var encodingNames = map[runtime.Encoding]string{
	runtime.EncConst:     "constant",
	runtime.EncU8:        "8 bits",
	runtime.EncU16:       "16 bits",
	runtime.EncU32:       "32 bits",
	runtime.EncI64:       "64 bits",
	runtime.EncI128:      "128 bits",
	runtime.EncF64:       "64-bit floats",
	runtime.EncBits:      "bitmap",
	runtime.EncStr:       "offsets and bytes",
	runtime.EncNum:       "numerics with a scale each",
	runtime.EncIntervals: "intervals",
}

// describeStorage says how column i of a table is stored: the widest encoding
// of its blocks, and its dictionary.
func describeStorage(t *store.Table, i int) string {
	var widest runtime.Encoding
	entries := -1
	for b := range t.Blocks() {
		block, err := t.Load(b, nil)
		if err != nil {
			return err.Error()
		}
		chunk := block.Cols[i]
		widest = max(widest, chunk.Enc)
		if chunk.Dict != nil {
			entries = len(chunk.Dict.Texts)
		}
	}
	text := encodingNames[widest]
	if entries >= 0 {
		text = fmt.Sprintf("dictionary of %d, codes in %s", entries, text)
	}
	return text
}
