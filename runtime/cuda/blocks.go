package cuda

import (
	"math/bits"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// A block is what a device reads in blockTime, and launch parameters are tried where at least
// leastBlocks of them are left: Rosenfeld's experiments have so many, and at 30 to 60
// microseconds each what a search costs is small beside the query.
const (
	blockTime   = 60 * time.Microsecond
	blockBytes  = 16 << 20 // where the bandwidth is not known
	leastBlocks = 32
)

// groupBits is how many bits the number of groups has that are likely.
func groupBits(f *kernel.Func) int { return bits.Len64(uint64(estimateOf(f))) }

// blockRows is how many rows a block of columns has; 0 where they cannot be read in parts.
func (r *run) blockRows(b *bound) int64 {
	bytes := int64(0)
	for i := range b.cols {
		switch c := &b.cols[i]; {
		case c.shape.Encoding == cudagen.EncStr:
			return 0
		case c.data != 0:
			bytes += int64(c.shape.Encoding.Width())
		}
	}
	target := float64(blockBytes)
	if bandwidth := r.backend.device.Info().Bandwidth; bandwidth > 0 {
		target = bandwidth * blockTime.Seconds()
	}
	return max(int64(target)/max(bytes, 1)/chunkRows, 1) * chunkRows
}
