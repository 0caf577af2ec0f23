package store

import (
	"cmp"
	"strings"
	"unsafe"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/closure"
	"github.com/cubeloom/cubeloom/sql/value"
)

// elementKind is how elements are read and written.
type elementKind[K cmp.Ordered] struct {
	read  func(c *runtime.Chunk, row int) K
	keep  func(k K) K // a copy that does not depend on the chunk
	bytes func(k K) int
	put   func(b *Buffer, k K)
	value func(k K, t algebra.Type) value.Value
}

var wholeElements = &elementKind[int64]{
	read:  (*runtime.Chunk).Int,
	keep:  func(k int64) int64 { return k },
	bytes: func(int64) int { return 0 },
	put:   (*Buffer).Int,
	value: func(k int64, t algebra.Type) value.Value {
		if t.Kind == algebra.Decimal {
			return value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(k), Scale: t.Scale}}
		}
		return value.Value{Kind: value.Int, I: k}
	},
}

var textElements = &elementKind[string]{
	read:  (*runtime.Chunk).TextAt,
	keep:  strings.Clone,
	bytes: func(k string) int { return len(k) },
	put:   (*Buffer).Text,
	value: func(k string, _ algebra.Type) value.Value { return value.Value{Kind: value.Text, S: k} },
}

// weightKind is how weights are read, computed and written.
type weightKind[W any] struct {
	by        closure.Arithmetic[W]
	edgeBytes int
	read      func(v value.Value) W
	put       func(b *Buffer, w W)
}

var doubleWeights = &weightKind[float64]{
	by: closure.Double, edgeBytes: int(unsafe.Sizeof(closure.Edge[float64]{})),
	read: func(v value.Value) float64 { return v.F },
	put:  (*Buffer).Float,
}

var exactWeights = &weightKind[value.Num]{
	by: closure.Exact, edgeBytes: int(unsafe.Sizeof(closure.Edge[value.Num]{})),
	read: func(v value.Value) value.Num {
		if v.Kind == value.Int {
			return value.NumOf(v.I)
		}
		return v.Num
	},
	put: (*Buffer).Num,
}

// wholeWeights are exact ones without decimals.
var wholeWeights = &weightKind[value.Num]{
	by: exactWeights.by, edgeBytes: exactWeights.edgeBytes, read: exactWeights.read,
	put: func(b *Buffer, w value.Num) { b.Decimal(w.Coef) },
}
