package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// StatusBytes reads a field of this process's status that is given in kB.
func StatusBytes(field string) (int64, error) {
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
