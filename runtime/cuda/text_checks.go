package cuda

import (
	"context"
	"fmt"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// longestText is the length of the longest text of chunks. It refuses one that no
// word can refer to: see cudagen.TextWord.
func longestText(ctx context.Context, chunks []*runtime.Chunk) (int, error) {
	longest := 0
	for _, c := range chunks {
		if err := canceled(ctx); err != nil {
			return 0, err
		}
		if c.Enc != runtime.EncStr {
			continue
		}
		for i := range c.Rows {
			longest = max(longest, int(c.Offsets[i+1]-c.Offsets[i]))
		}
	}
	return longest, checkLength(longest)
}

// checkAddress refuses texts within size bytes from at on where no word can refer to
// them.
func checkAddress(at Ptr, size int64) error {
	if uint64(at)+uint64(size) <= cudagen.MaxTextAddress {
		return nil
	}
	return &cudagen.Refusal{Reason: "there is no device code for texts at addresses of more than 47 bits"}
}

// checkLength refuses a text that is too long for a word to refer to.
func checkLength(size int) error {
	if size <= cudagen.MaxText {
		return nil
	}
	return &cudagen.Refusal{Reason: fmt.Sprintf("there is no device code for a text of %d bytes: the most is %d", size, cudagen.MaxText)}
}
