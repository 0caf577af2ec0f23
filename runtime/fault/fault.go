// Package fault makes errors of faults in mapped files. The system sends SIGBUS
// to a process that reads a page of a mapped file that is not there any more,
// because the file was cut off or because its disk cannot be read. Go ends the
// process then, unless the goroutine has called Arm: there it panics, and Error
// distinguishes such a panic from a defect.
//
// Each goroutine that may read mapped columns calls Arm when it starts and turns
// panics into errors before it ends. Code that runs on its caller's goroutine
// defers what Guard returns.
package fault

import (
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/cubeloom/cubeloom/sql/value"
)

// mapped are the mapped files by the address of their first byte.
var mapped = struct {
	sync.Mutex
	files map[uintptr]file
}{files: map[uintptr]file{}}

type file struct {
	bytes uintptr
	path  string
}

// Watch has faults in data, which is the mapped file of that path, become errors
// until forget is called, which is to be before the memory is unmapped.
func Watch(data []byte, path string) (forget func()) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	mapped.Lock()
	defer mapped.Unlock()
	mapped.files[at] = file{uintptr(len(data)), path}
	return func() {
		mapped.Lock()
		defer mapped.Unlock()
		delete(mapped.files, at)
	}
}

// Arm has the calling goroutine panic at a fault until disarm is called, or to its
// end.
func Arm() (disarm func()) {
	before := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(before) }
}

// Error is the error of a recovered panic: XX001 with the file's name where it
// was a fault in a mapped file, nil where it was something else.
func Error(p any) *value.Error {
	at, ok := p.(interface{ Addr() uintptr })
	if !ok {
		return nil
	}
	mapped.Lock()
	defer mapped.Unlock()
	for start, f := range mapped.files {
		// The system maps and faults by pages: the last one ends behind the file.
		if addr := at.Addr(); addr >= start && addr-start < (f.bytes+pageMask)&^pageMask {
			return value.Errorf(value.CodeDataCorrupted, "file %q is damaged: it cannot be read at byte %d", f.path, addr-start)
		}
	}
	return nil
}

// pageMask rounds up to the largest size of a page that there is.
const pageMask = 64<<10 - 1

// Guard arms the calling goroutine; what it returns is to be deferred, sets *err
// where a fault ended the function, and leaves other panics alone:
//
//	defer fault.Guard()(&err)
func Guard() func(err *error) {
	disarm := Arm()
	return func(err *error) {
		disarm()
		p := recover()
		if p == nil {
			return
		}
		e := Error(p)
		if e == nil {
			panic(p)
		}
		*err = e
	}
}

// Call calls f and returns the error of a fault that ended it, nil for none.
func Call(f func()) (err error) {
	defer Guard()(&err)
	f()
	return nil
}
