package driver

import (
	"bytes"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// TestDirectCalls holds that functions that are called by their addresses get their
// arguments, with those of the C library in the place of the driver's.
func TestDirectCalls(t *testing.T) {
	lib := openLibrary("libc.so", "", ".6")
	address := lib.address
	from, to := []byte("from"), make([]byte, 8)
	directCopyToHost(address("memcpy"))(unsafe.Pointer(&to[0]), cuda.Ptr(uintptr(unsafe.Pointer(&from[0]))), 4, 0)
	directCopyToDevice(address("memcpy"))(cuda.Ptr(uintptr(unsafe.Pointer(&to[4]))), unsafe.Pointer(&from[0]), 2, 0)
	directFill(address("memset"))(cuda.Ptr(uintptr(unsafe.Pointer(&to[6]))), 'x', 2, 0)
	if want := []byte("fromfrxx"); !bytes.Equal(to, want) {
		t.Errorf("the copies are %q, want %q", to, want)
	}
	if got := directHandle[eventHandle](address("toupper"))('a'); got != 'A' {
		t.Errorf("a call gives %d, want %d", got, 'A')
	}
	var got [11]uintptr
	callback := purego.NewCallback(func(f, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, params, extra uintptr) uintptr {
		got = [...]uintptr{f, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, params, extra}
		return 700
	})
	r := directLaunch(callback)(1, 2, 3, 4, 5, 6, 7, 8, 9, nil, unsafe.Pointer(&to[0]))
	if want := [...]uintptr{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, uintptr(unsafe.Pointer(&to[0]))}; got != want || r != 700 {
		t.Errorf("a launch got %d and gave %d, want %d and 700", got, r, want)
	}
	if _, err := sqlstate.Try(func() uintptr { return address("no_such_function") }); err == nil {
		t.Error("a function was found that is not there")
	}
}
