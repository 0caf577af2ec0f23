// Package driver is cuda.Device on NVIDIA GPUs. CUDA's driver and its runtime
// compiler NVRTC are found by dlopen when a device is opened: the program
// builds without CUDA and runs without a GPU.
package driver

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// PathVariable is the environment variable that names a folder with CUDA's
// libraries, or a toolkit's root. It is looked through first.
const PathVariable = "CUBELOOM_CUDA_PATH"

// library is an opened shared library.
type library struct {
	handle uintptr
	path   string // what it was opened by
}

// openLibrary finds a library whose files are named base, base.N, …: in dir, in
// the folder of PathVariable, on the loader's path, in CUDA_HOME and in
// /usr/local/cuda*. Versions are the major versions that the loader is asked
// for, the best first.
func openLibrary(base, dir string, versions ...string) library {
	var tried []error
	open := func(path string) (library, bool) {
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			tried = append(tried, err)
			return library{}, false
		}
		return library{handle, path}, true
	}
	for _, path := range filesIn(base, dir, os.Getenv(PathVariable)) {
		if lib, ok := open(path); ok {
			return lib
		}
	}
	for _, v := range versions {
		if lib, ok := open(base + v); ok {
			return lib
		}
	}
	for _, path := range filesIn(base, toolkits()...) {
		if lib, ok := open(path); ok {
			return lib
		}
	}
	panic(fmt.Errorf("%s was not found: %w", base, errors.Join(tried...)))
}

// toolkits lists where toolkits are installed.
func toolkits() []string {
	found, err := filepath.Glob("/usr/local/cuda*")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return append([]string{os.Getenv("CUDA_HOME")}, found...)
}

// filesIn lists the files of a library in folders and where toolkits under them
// keep libraries; in each folder the highest version first.
func filesIn(base string, dirs ...string) []string {
	var all []string
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		for _, sub := range []string{"", "lib64", "lib", "targets/x86_64-linux/lib"} {
			entries, err := os.ReadDir(filepath.Join(dir, sub))
			if err != nil {
				continue
			}
			var here []string
			for _, e := range entries {
				if e.Name() == base || strings.HasPrefix(e.Name(), base+".") {
					here = append(here, filepath.Join(dir, sub, e.Name()))
				}
			}
			slices.SortStableFunc(here, func(a, b string) int { return -compareVersions(filepath.Base(a), filepath.Base(b)) })
			all = append(all, here...)
		}
	}
	return all
}

// compareVersions compares file names by the numbers in them.
func compareVersions(a, b string) int {
	numbers := func(name string) []int {
		var out []int
		for _, part := range strings.Split(name, ".") {
			if n, err := strconv.Atoi(part); err == nil {
				out = append(out, n)
			}
		}
		return out
	}
	return cmp.Or(slices.Compare(numbers(a), numbers(b)), cmp.Compare(len(a), len(b)))
}

// loadedFile is the file that a library of the process was loaded from, whose name begins with
// base; "" where that is not known.
func loadedFile(base string) string {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if path := fields[len(fields)-1]; strings.HasPrefix(filepath.Base(path), base) {
			return path
		}
	}
	return ""
}

// buildOf tells builds of a library of one version from each other, by the name and the size of the
// file that it was loaded from.
func buildOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d", info.Name(), info.Size())
}

// address finds a function of the library.
func (l library) address(name string) uintptr {
	address, err := purego.Dlsym(l.handle, name)
	if err != nil {
		panic(fmt.Errorf("%s has no function %s: %w", l.path, name, err))
	}
	return address
}

// bind sets every field of *functions, a struct of funcs, to the library's
// function that the field's tag names.
func (l library) bind(functions any) {
	v := reflect.ValueOf(functions).Elem()
	for i := range v.NumField() {
		address := l.address(v.Type().Field(i).Tag.Get("call"))
		// The fields are not exported, which Addr().Interface() would refuse.
		field := reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr()))
		purego.RegisterFunc(field.Interface(), address)
	}
}
