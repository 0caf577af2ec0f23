package dialect

import "runtime"

// Try runs readers of a grammar, and returns the error that one of them ended with.
//
// The parsers are recursive descents: a reader takes tokens and calls other readers. At an
// error all of them end, so a reader panics with the error, and only Try, where the descent
// begins, makes a result of it. A panic with anything else is a defect and goes on.
func Try[T any](read func() T) (result T, err error) {
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
	return read(), nil
}
