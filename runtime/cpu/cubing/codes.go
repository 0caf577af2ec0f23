package cubing

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// codes are the codes of a key, by row, as narrow as their number allows: what is looked at
// in any order should lie in the cache.
type codes struct {
	u8  []uint8
	u16 []uint16
	u32 []uint32
}

// narrow takes the codes below count of a key.
func narrow(mem *exec.Memory, from []uint32, count int) (c codes) {
	switch {
	case count <= 1<<8:
		c.u8 = exec.Grown(mem, c.u8, len(from))
		narrowTo(c.u8, from)
	case count <= 1<<16:
		c.u16 = exec.Grown(mem, c.u16, len(from))
		narrowTo(c.u16, from)
	default:
		return codes{u32: from}
	}
	drop(mem, &from)
	return c
}

type code interface{ uint8 | uint16 | uint32 }

func narrowTo[C code](dst []C, src []uint32) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] = C(x)
	}
}

// of is the code of a row.
func (c *codes) of(row int32) uint32 {
	switch {
	case c.u8 != nil:
		return uint32(c.u8[row])
	case c.u16 != nil:
		return uint32(c.u16[row])
	}
	return c.u32[row]
}

// tally counts the codes of rows. Where seen has room, it returns those that were not
// counted before.
func (c *codes) tally(rows []int32, count, seen []uint32) []uint32 {
	switch {
	case c.u8 != nil:
		return tally(c.u8, rows, count, seen)
	case c.u16 != nil:
		return tally(c.u16, rows, count, seen)
	}
	return tally(c.u32, rows, count, seen)
}

func tally[C code](codes []C, rows []int32, count, seen []uint32) []uint32 {
	if seen == nil {
		for _, row := range rows {
			count[codes[row]]++
		}
		return nil
	}
	n := uint64(0)
	for _, row := range rows {
		code := uint32(codes[row])
		before := count[code]
		count[code] = before + 1
		seen[n] = code
		n += (uint64(before) - 1) >> 63 // one if there was none: no branch, which nothing could predict
	}
	return seen[:n]
}

// move moves rows to the next places of their codes.
func (c *codes) move(from, to []int32, next []uint32) {
	switch {
	case c.u8 != nil:
		move(c.u8, from, to, next)
	case c.u16 != nil:
		move(c.u16, from, to, next)
	default:
		move(c.u32, from, to, next)
	}
}

func move[C code](codes []C, from, to []int32, next []uint32) {
	for _, row := range from {
		code := codes[row]
		to[next[code]] = row
		next[code]++
	}
}

// number lists the rows whose codes have numbers, with these.
func (c *codes) number(rows []int32, number []uint32, kept []int32, numbers []uint32) ([]int32, []uint32) {
	switch {
	case c.u8 != nil:
		return numbered(c.u8, rows, number, kept, numbers)
	case c.u16 != nil:
		return numbered(c.u16, rows, number, kept, numbers)
	}
	return numbered(c.u32, rows, number, kept, numbers)
}

// numbered is number; kept and numbers have room for one row more than there are.
func numbered[C code](codes []C, rows []int32, number []uint32, kept []int32, numbers []uint32) ([]int32, []uint32) {
	n := uint64(len(kept))
	kept, numbers = kept[:cap(kept)], numbers[:cap(numbers)]
	for _, row := range rows {
		of := number[codes[row]]
		kept[n], numbers[n] = row, of
		n += 1 - (uint64(of)+1)>>32 // none for pruned ones
	}
	return kept[:n], numbers[:n]
}

// drop returns the memory of a slice.
func drop[T any](mem *exec.Memory, s *[]T) {
	var zero T
	mem.Shrink(int64(cap(*s)) * int64(unsafe.Sizeof(zero)))
	*s = nil
}
