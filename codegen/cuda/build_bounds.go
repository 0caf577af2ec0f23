package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// A Build notes the least and the greatest of its keys, by which a probe of its table
// skips blocks of rows.

// maxBounded is of how many keys at most bounds are noted.
const maxBounded = 4

// boundedKeys are the keys of a Build whose bounds are noted: integers of which NULL is none.
func (r *renderer) boundedKeys(s *kernel.Build) []int {
	var list []int
	for i, k := range s.Keys {
		if t := r.f.Values[k.Val].Type; (t == kernel.I32 || t == kernel.I64) && !k.NullSafe && len(list) < maxBounded {
			list = append(list, i)
		}
	}
	return list
}

func keyBounds(i int) string { return fmt.Sprintf("bounds%d", i) }

// openBounds declares the bounds of the keys that a thread sees.
func (e *Entry) openBounds(s *kernel.Build) {
	keys := e.boundedKeys(s)
	if len(keys) > 0 {
		e.Line("__shared__ u64 warp_bounds[2 * WARPS];")
	}
	for _, i := range keys {
		e.Line("KeyBounds %s;", keyBounds(i))
	}
}

// bound takes the keys of some rows in.
func (e *Entry) bound(s *kernel.Build, rows string) {
	for _, i := range e.boundedKeys(s) {
		e.Line("ROWS if (bit(%s, r)) %s.take(%s);", rows, keyBounds(i), e.At(s.Keys[i].Val))
	}
}

// closeBounds adds those of the thread to those of all.
func (e *Entry) closeBounds(s *kernel.Build) {
	for _, i := range e.boundedKeys(s) {
		e.Line("%s.add(warp_bounds, %s);", keyBounds(i), e.Arg(Arg{Kind: ArgKeyBounds, Index: i}, "u64*", "bounds of key "+e.name(s.Keys[i].Val)))
	}
}
