package process

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// ticks are those of /proc in a second.
const ticks = 100

// CPU is the time that a process has spent computing.
func CPU(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// Behind the program's name, which may hold anything: user and system time
	// are fields 14 and 15.
	var state string
	var skipped [10]int64
	var user, system int64
	args := []any{&state}
	for i := range skipped {
		args = append(args, &skipped[i])
	}
	_, err = fmt.Sscan(string(text[bytes.LastIndexByte(text, ')')+1:]), append(args, &user, &system)...)
	return time.Duration(user+system) * time.Second / ticks, err
}
