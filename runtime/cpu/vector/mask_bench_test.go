package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func BenchmarkMask(b *testing.B) {
	const n = 1 << 16
	rng := rand.New(rand.NewPCG(1, 2))
	u8, u16, u32, i64 := make([]uint8, n), make([]uint16, n), make([]uint32, n), make([]int64, n)
	for i := range n {
		u8[i] = uint8(rng.IntN(100))
		u16[i] = uint16(rng.IntN(100))
		u32[i] = uint32(rng.IntN(100))
		i64[i] = rng.Int64N(100)
	}
	out := make([]uint64, 16)
	each := func(name string, f func(at int)) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				for at := 0; at < n; at += 1024 {
					f(at)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
	each("low8", func(at int) { MaskRange(u8[at:at+1024], 10, 30, 100, out) })
	each("any8", func(at int) { MaskRange(u8[at:at+1024], 10, 30, 200, out) })
	each("low16", func(at int) { MaskRange(u16[at:at+1024], 10, 30, 100, out) })
	each("any16", func(at int) { MaskRange(u16[at:at+1024], 10, 30, 40000, out) })
	each("low32", func(at int) { MaskRange(u32[at:at+1024], 10, 30, 100, out) })
	each("any32", func(at int) { MaskRange(u32[at:at+1024], 10, 30, 1<<31, out) })
	each("i64", func(at int) { MaskAny64(unsafe.Slice((*[64]int64)(unsafe.Pointer(&i64[at])), 16), 10, 30, out) })
	sel := make([]int32, 1024+8)
	for _, p := range []uint8{1, 5, 10, 20, 30, 50, 90, 100} {
		masks := make([]uint64, n/64)
		MaskRange(u8, 0, p-1, 100, masks)
		each(fmt.Sprintf("rows%d", p), func(at int) { MaskRows(masks[at/64:at/64+16], sel) })
		each(fmt.Sprintf("scalar%d", p), func(at int) {
			k := 0
			for i, x := range u8[at : at+1024] {
				sel[k] = int32(i)
				k += int(B2u(x < p))
			}
		})
	}
}
