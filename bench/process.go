package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// processorMillis is the processor time that the process has used.
func processorMillis() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for arguments that are wrong
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// A growth tells by how much the memory of the process that is resident grows.
type growth struct{ before int64 }

// startGrowth has the kernel forget the peak up to now.
func startGrowth() (growth, error) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return growth{}, err
	}
	before, err := statusBytes("VmRSS")
	return growth{before}, err
}

// peak is the most bytes by which the process has grown since the start.
func (g growth) peak() (int64, error) {
	most, err := statusBytes("VmHWM")
	return max(most-g.before, 0), err
}

// statusBytes reads a field of the process's status that is given in kB.
func statusBytes(field string) (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		name, rest, _ := bytes.Cut(line, []byte(":"))
		if words := bytes.Fields(rest); string(name) == field && len(words) == 2 {
			kb, err := strconv.ParseInt(string(words[0]), 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no %s", field)
}
