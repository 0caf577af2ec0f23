package sqlstate

import "runtime"

// Try runs a part of the parser or of the binder, and returns the error that ended it.
//
// Both are recursive descents. An error ends the whole descent, so what finds one panics with
// it, and Try, where the descent begins, returns it. Errors of Go's runtime and panics with
// other values are defects and go on.
func Try[T any](descend func() T) (result T, err error) {
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case runtime.Error:
			panic(caught)
		case error:
			err = caught
		default:
			panic(caught)
		}
	}()
	return descend(), nil
}
