package machine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// writeFile writes a file and the folders around it.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestGroupLimitsAreThoseOfAllGroupsAround(t *testing.T) {
	root := t.TempDir()
	of := filepath.Join(root, "self")
	writeFile(t, of, "0::/slice/service\n")
	writeFile(t, filepath.Join(root, "slice/service/memory.max"), "max\n")
	writeFile(t, filepath.Join(root, "slice/memory.max"), "4096\n")
	if got := groupLimits(of, root); !slices.Equal(got, []int64{4096}) {
		t.Errorf("version 2: %v", got)
	}
	writeFile(t, of, "5:cpu:/x\n4:memory:/job\n")
	writeFile(t, filepath.Join(root, "memory/job/memory.limit_in_bytes"), "8192\n")
	writeFile(t, filepath.Join(root, "memory/memory.limit_in_bytes"), "9223372036854771712\n")
	if got := groupLimits(of, root); !slices.Equal(got, []int64{8192, 9223372036854771712}) {
		t.Errorf("version 1: %v", got)
	}
	if got := groupLimits(filepath.Join(root, "none"), root); got != nil {
		t.Errorf("without groups: %v", got)
	}
}

func TestMachineMemoryIsKnown(t *testing.T) {
	if n := Memory(); n < 64<<20 {
		t.Errorf("the machine has %d bytes", n)
	}
}
