// Package lists makes lists of other lists, and of numbers.
package lists

// Map is what a function makes of each element of a list, in their order; of an empty list an
// empty one, which is not nil.
func Map[T, R any, S ~[]T](list S, f func(T) R) []R {
	out := make([]R, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// Upto are the numbers from 0 to n-1.
func Upto[N ~int | ~int32 | ~uint32](n int) []N {
	out := make([]N, n)
	for i := range out {
		out[i] = N(i)
	}
	return out
}
