package spare

import (
	"reflect"
	"sync"
	"unsafe"
	"weak"

	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Arrays are the arrays of a run that nothing refers to once the run and the outputs that have
// some of them have ended. They go to a pool then. What nobody refers to before may be collected.
// A nil Arrays has none: what it gives is ordinary memory. Safe for concurrent use.
type Arrays struct {
	pool  *Pool
	lock  sync.Mutex
	users int               // the run, and outputs
	own   map[uintptr]array // by address
}

// NewArrays makes the arrays of a run, which is their user.
func NewArrays(pool *Pool) *Arrays {
	return &Arrays{pool: pool, users: 1, own: map[uintptr]array{}}
}

// Part makes the arrays of a part of the run, which nothing refers to once End is called.
func (a *Arrays) Part() *Arrays {
	if a == nil {
		return nil
	}
	return NewArrays(a.pool)
}

// Share counts another user.
func (a *Arrays) Share() {
	if a != nil {
		a.lock.Lock()
		defer a.lock.Unlock()
		a.users++
	}
}

// End counts a user less. The last one gives the arrays back.
func (a *Arrays) End() {
	if a == nil {
		return
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.users--; a.users > 0 {
		return
	}
	for _, x := range a.own {
		a.pool.give(x)
	}
	a.own = nil
}

// leastBytes is from how many bytes on memory is used again.
const leastBytes = 1 << 10

// New returns n elements, which hold anything. Few elements, and those with pointers, are ordinary
// memory.
func New[T any](a *Arrays, n int) []T {
	if s := again[T](a, n); s != nil {
		return s
	}
	s := long.Uncleared[T](inWords[T](n))[:n]
	note(a, s)
	return s
}

// Zeros is New of zeros.
func Zeros[T any](a *Arrays, n int) []T { return GrowZeros[T](a, nil, n)[:n] }

// again returns n elements of the pool, nil where it has none.
func again[T any](a *Arrays, n int) []T {
	size := bytesOf[T](n)
	if !reusable[T](a, size) {
		return nil
	}
	at, noted := a.pool.take((size + 7) / 8)
	if at == nil {
		return nil
	}
	a.put(address(at), noted)
	return unsafe.Slice((*T)(unsafe.Pointer(&at[0])), n)
}

// inWords is a number of elements whose whole words hold n.
func inWords[T any](n int) int {
	size, missing := int(unsafe.Sizeof(*new(T))), -bytesOf[T](n)&7
	return n + (missing+size-1)/size
}

// bytesOf is the size of n elements.
func bytesOf[T any](n int) int { return n * int(unsafe.Sizeof(*new(T))) }

// reusable reports whether elements of a size go to the pool.
func reusable[T any](a *Arrays, size int) bool {
	return a != nil && (size >= leastBytes || Overwrites && size >= 64) && plain(reflect.TypeFor[T]())
}

// Grow makes the capacity of s n at least. Nobody else refers to s, which is used again.
func Grow[T any](a *Arrays, s []T, n int) []T {
	if n <= cap(s) {
		return s
	}
	grown := New[T](a, n)[:len(s)]
	long.Copy(grown, s)
	Release(a, s)
	return grown
}

// Room returns *buf, which nobody else refers to, with n elements that hold anything, and lets it grow
// where needed.
func Room[T any](a *Arrays, buf *[]T, n int) []T {
	if cap(*buf) < n {
		Release(a, *buf)
		*buf = New[T](a, max(n, 2*cap(*buf)))
	}
	*buf = (*buf)[:cap(*buf)]
	return (*buf)[:n]
}

// GrowZeros returns a slice with the elements of s and a capacity of n, which is more, zeros behind
// them. Nobody else refers to s, which is used again.
func GrowZeros[T any](a *Arrays, s []T, n int) []T {
	grown := again[T](a, n)
	if grown != nil {
		long.Clear(grown[len(s):])
	} else {
		grown = make([]T, n, inWords[T](n))
		note(a, grown)
	}
	long.Copy(grown, s)
	Release(a, s)
	return grown[:len(s)]
}

// Release gives an array to the pool. Nobody else refers to it.
func Release[T any](a *Arrays, s []T) {
	if x, ok := a.drop(address(s)); ok {
		a.pool.give(x)
	}
}

// Keep makes an array ordinary memory: somebody refers to it for longer. It reports false where that
// would keep much more memory than s has, and does nothing then.
func Keep[T any](a *Arrays, s []T) bool {
	x, ok := a.drop(address(s))
	if ok && uintptr(x.words) > uintptr(cap(s))*unsafe.Sizeof(*new(T))/6 { // 4/3 of its bytes
		a.put(address(s), x)
		return false
	}
	return true
}

// plain reports whether values have no pointers.
func plain(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t.Kind() <= reflect.Float64
	}
	for i := range t.NumField() {
		if !plain(t.Field(i).Type) {
			return false
		}
	}
	return true
}

// note notes new memory.
func note[T any](a *Arrays, s []T) {
	if reusable[T](a, bytesOf[T](len(s))) {
		a.put(address(s), array{weak.Make((*uint64)(unsafe.Pointer(&s[0]))), bytesOf[T](cap(s)) / 8})
	}
}

// put notes an array at an address, unless all users have ended.
func (a *Arrays) put(at uintptr, x array) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.own != nil {
		a.own[at] = x
	}
}

// drop forgets the array at an address.
func (a *Arrays) drop(at uintptr) (x array, ok bool) {
	if a == nil {
		return array{}, false
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	x, ok = a.own[at]
	delete(a.own, at)
	return x, ok
}

// address is where a slice begins, 0 for none.
func address[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
