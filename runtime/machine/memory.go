package machine

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// Memory is the memory that the process may use at the most, in bytes: the
// machine's, or the limit of its control group where that is lower. 0: it is not
// known.
func Memory() int64 {
	machine := meminfo("/proc/meminfo")
	for _, limit := range groupLimits("/proc/self/cgroup", "/sys/fs/cgroup") {
		if machine == 0 || limit < machine {
			machine = limit
		}
	}
	return machine
}

// meminfo reads the machine's memory; 0 where it is not known.
func meminfo(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) >= 2 && fields[0] == "MemTotal:" {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return kilobytes << 10
		}
	}
	return 0
}

// groupLimits reads the limits of the control groups of a process, as a file says
// which they are, and of those around them: memory.max of version 2, and
// memory.limit_in_bytes of version 1.
func groupLimits(file, root string) []int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var limits []int64
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		folder, name := root, "memory.max"
		switch {
		case parts[0] == "0" && parts[1] == "":
		case strings.Contains(","+parts[1]+",", ",memory,"):
			folder, name = path.Join(root, "memory"), "memory.limit_in_bytes"
		default:
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			if text, err := os.ReadFile(path.Join(folder, group, name)); err == nil {
				// "max" is no number, and no limit.
				if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
					limits = append(limits, n)
				}
			}
			if group == "/" {
				break
			}
		}
	}
	return limits
}
