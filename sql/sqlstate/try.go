package sqlstate

import "runtime"

// Try runs a part of the parser or of the binder, and returns the error that ended it.
//
// Both are recursive descents. An error ends the whole descent, so what finds one panics with
// it, and Try, where the descent begins, returns it.
func Try[T any](descend func() T) (result T, err error) {
	defer Catch(&err)
	return descend(), nil
}

// Run is Try of what returns nothing.
func Run(descend func()) (err error) {
	defer Catch(&err)
	descend()
	return nil
}

// Check panics with an error; nil is none.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Must is what a function returns, in what panics with errors: it panics with that of the function.
func Must[T any](result T, err error) T {
	Check(err)
	return result
}

// Catch is to be deferred around what panics with errors: it makes the error *err. Other
// panics go on.
func Catch(err *error) {
	p := recover()
	if e := Caught(p); e != nil {
		*err = e
	} else if p != nil {
		panic(p)
	}
}

// Caught is the error that a function panicked with; nil for a panic that is a defect, with
// an error of Go's runtime or with another value.
func Caught(p any) error {
	if _, defect := p.(runtime.Error); defect {
		return nil
	}
	err, _ := p.(error)
	return err
}
