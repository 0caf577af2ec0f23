//go:build nvrtc

package plain

import (
	"context"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
)

// TestCompiles needs NVRTC and no GPU.
func TestCompiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := driver.OpenCompiler("")
	if err == nil {
		_, err = c.Compile(context.Background(), "plain", source, "sm_90")
	}
	if err != nil {
		t.Fatal(err)
	}
}
