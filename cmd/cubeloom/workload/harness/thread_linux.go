package harness

import (
	"runtime"
	"syscall"
	"time"
)

// Process is the Clock of this program: what all of its threads have computed.
func Process() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// Processor calls f on one thread, and returns how long that thread has computed: what else the
// machine does does not count.
func Processor(f func() error) (time.Duration, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &before); err != nil {
		return 0, err
	}
	err := f()
	if e := syscall.Getrusage(syscall.RUSAGE_THREAD, &after); e != nil && err == nil {
		err = e
	}
	computed := func(u *syscall.Rusage) int64 { return u.Utime.Nano() + u.Stime.Nano() }
	return time.Duration(computed(&after) - computed(&before)), err
}
