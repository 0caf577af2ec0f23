package cuda_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
	"github.com/cubeloom/cubeloom/tests/launchtext"
)

// target is what the tests render for.
var target = aggregate.Target(machine.Default().Device)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestRender renders the kernels of testdata: a file NAME.kernel holds a kernel
// and NAME.cu what becomes of it, without the text of the device files, and NAME.plan
// how it is launched.
func TestRender(t *testing.T) {
	files, err := filepath.Glob("testdata/*.kernel")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, err := kerneltext.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := kernel.Verify(f); err != nil {
				t.Fatal(err)
			}
			m, err := target.Render(f, cuda.PlainShapes(f))
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, strings.TrimSuffix(file, ".kernel")+".cu", ownText(m.Named(f)))
			plan := launch.Print(m.Plan)
			compareGolden(t, strings.TrimSuffix(file, ".kernel")+".plan", plan)
			second, err := launchtext.Parse(plan)
			if err != nil {
				t.Fatal(err)
			}
			if err := launch.Verify(second); err != nil || launch.Print(second) != plan {
				t.Errorf("the plan is read as\n%s\n%v", launch.Print(second), err)
			}
		})
	}
}

// TestPlansOfRows holds that the plans for entries that are the same for all kernels are
// plans, and read as they are printed; their words are those of the parameters.
func TestPlansOfRows(t *testing.T) {
	for plan, size := range map[*launch.Plan]uintptr{
		cuda.AppendPlan(): unsafe.Sizeof(cuda.AppendParams{}), cuda.CopyTextsPlan(): unsafe.Sizeof(cuda.CopyTextsParams{}),
	} {
		text := launch.Print(plan)
		second, err := launchtext.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := launch.Verify(second); err != nil || launch.Print(second) != text {
			t.Errorf("the plan is read as\n%s\n%v", launch.Print(second), err)
		}
		if n := len(plan.Blocks[0].Words); uintptr(8*n) != size {
			t.Errorf("%s has %d words for a parameter of %d bytes", plan.Name, n, size)
		}
	}
}

// ownText is a source without the device files.
func ownText(source string) string {
	return source[strings.Index(source, "struct Params"):]
}

func compareGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the source or the plan has changed; got:\n%s", got)
	}
}
