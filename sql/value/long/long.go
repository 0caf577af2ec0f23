// Package long copies, clears and grows slices that may be long.
//
// A goroutine that copies or clears memory with one call cannot be stopped meanwhile. The
// garbage collector waits for it, and everybody else waits for the collector: of memory
// that is touched for the first time 100 MB can take a tenth of a second. These functions
// go chunk by chunk, between which a goroutine can be stopped.
package long

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// chunkBytes is how much is copied or cleared at once, in bytes.
const chunkBytes = 256 << 10

// chunkOf is how many elements are copied or cleared at once.
func chunkOf[T any]() int {
	var zero T
	return max(chunkBytes/max(int(unsafe.Sizeof(zero)), 1), 1)
}

// Copy copies elements of src to dst, as many as both have, and returns how many. The
// two do not overlap.
func Copy[T any](dst, src []T) int {
	n, chunk := min(len(dst), len(src)), chunkOf[T]()
	if n <= chunk {
		return copy(dst, src)
	}
	for at := 0; at < n; at += chunk {
		copyChunk(dst[at:min(at+chunk, n)], src[at:])
	}
	return n
}

// CopyText is Copy of the bytes of a text.
func CopyText(dst []byte, src string) int {
	return Copy(dst, unsafe.Slice(unsafe.StringData(src), len(src)))
}

// A call is where a goroutine is stopped, so that the chunks must be calls.
//
//go:noinline
func copyChunk[T any](dst, src []T) { copy(dst, src) }

// Clear sets all elements to zero.
func Clear[T any](s []T) {
	for chunk := chunkOf[T](); len(s) > chunk; s = s[chunk:] {
		clearChunk(s[:chunk])
	}
	clear(s)
}

//go:noinline
func clearChunk[T any](s []T) { clear(s) }

// Grow makes room for n more elements, as slices.Grow does.
func Grow[T any](s []T, n int) []T {
	need, chunk := len(s)+n, chunkOf[T]()
	switch {
	case need <= cap(s):
		return s
	case need <= chunk:
		return slices.Grow(s, n)
	}
	grown := make([]T, len(s), max(need, cap(s)+cap(s)/4))
	Copy(grown, s)
	return grown
}

// Append appends elements to a slice, as append does.
func Append[T any](s []T, more ...T) []T {
	s = Grow(s, len(more))
	had := len(s)
	s = s[:had+len(more)]
	Copy(s[had:], more)
	return s
}

// AppendText appends the bytes of a text. It is as quick as append where there is room.
func AppendText(s []byte, text string) []byte {
	if len(text) <= min(cap(s)-len(s), chunkBytes) {
		return append(s, text...)
	}
	return appendText(s, text)
}

func appendText(s []byte, text string) []byte {
	return Append(s, unsafe.Slice(unsafe.StringData(text), len(text))...)
}

// AppendBytes appends bytes. It is as quick as append where there is room.
func AppendBytes(s, more []byte) []byte {
	if len(more) <= min(cap(s)-len(s), chunkBytes) {
		return append(s, more...)
	}
	return Append(s, more...)
}

// AppendZeros appends n zero values.
func AppendZeros[T any](s []T, n int) []T {
	s = Grow(s, n)
	had := len(s)
	s = s[:had+n]
	Clear(s[had:])
	return s
}

// Uncleared returns n elements for who writes all of them. Where they are numbers and many
// they hold anything: to clear memory that was in use before takes nearly as long as to copy
// to it.
func Uncleared[T any](n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if kind := reflect.TypeFor[T]().Kind(); size < unclearedBytes || kind > reflect.Float64 {
		return make([]T, n)
	}
	var b strings.Builder // its room is not cleared
	b.Grow(size)
	b.WriteByte(0)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}

// unclearedBytes is from how many bytes on memory is not cleared. So much of it is aligned.
const unclearedBytes = 32 << 10

// Text copies bytes to a text.
func Text(b []byte) string {
	if len(b) <= chunkBytes {
		return string(b)
	}
	s := make([]byte, len(b))
	Copy(s, b)
	return unsafe.String(&s[0], len(s))
}

// Clone copies a text.
func Clone(s string) string { return Text(unsafe.Slice(unsafe.StringData(s), len(s))) }
