package driver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sync/singleflight"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// nvrtcFunctions are the functions of NVRTC; a result of 0 is success.
type nvrtcFunctions struct {
	version        func(major, minor *int32) int32                                                               `call:"nvrtcVersion"`
	createProgram  func(program *uintptr, source, name string, headers int32, texts, names unsafe.Pointer) int32 `call:"nvrtcCreateProgram"`
	destroyProgram func(program *uintptr) int32                                                                  `call:"nvrtcDestroyProgram"`
	compileProgram func(program uintptr, options int32, texts unsafe.Pointer) int32                              `call:"nvrtcCompileProgram"`
	cubinSize      func(program uintptr, size *uint64) int32                                                     `call:"nvrtcGetCUBINSize"`
	cubin          func(program uintptr, out *byte) int32                                                        `call:"nvrtcGetCUBIN"`
	logSize        func(program uintptr, size *uint64) int32                                                     `call:"nvrtcGetProgramLogSize"`
	log            func(program uintptr, out *byte) int32                                                        `call:"nvrtcGetProgramLog"`
	errorString    func(result int32) string                                                                     `call:"nvrtcGetErrorString"`
}

// Compiler compiles CUDA C++ by NVRTC. It needs no GPU. Safe for concurrent
// use: compilations at the same time run at the same time, but for equal ones, which are one.
type Compiler struct {
	nvrtc   nvrtcFunctions
	version string // major.minor
	build   string // the version, and the file that NVRTC was loaded from
	path    string // by which NVRTC was opened
	cache   cubinCache
	sources sourceCache
}

// options are what every source is compiled with. A product and a sum are not
// contracted into one rounding, so that results are the CPU's.
var options = []string{"--std=c++17", "--device-int128", "--fmad=false", "--generate-line-info"}

// launchOptions are what a source is compiled with whose kernels launch kernels: to
// machine code that has to be linked.
var launchOptions = append([]string{"--relocatable-device-code=true"}, options...)

// deviceLaunch is a launch of a kernel by another.
var deviceLaunch = regexp.MustCompile(`(\w+)\s*<<<`)

// launchedBy lists the kernels that kernels of a source launch.
func launchedBy(source string) []string {
	if !launches(source) {
		return nil
	}
	var names []string
	for _, m := range deviceLaunch.FindAllStringSubmatch(source, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// launches reports whether kernels of a source launch kernels.
func launches(source string) bool { return strings.Contains(source, "<<<") }

// optionsOf are the options that a source is compiled with for an architecture.
func optionsOf(source, arch string) []string {
	of := options
	if launches(source) {
		of = launchOptions
	}
	if strings.HasPrefix(arch, "compute_") { // what follows the check of the source takes as long again
		return append(slices.Clone(of), "--dlink-time-opt")
	}
	return of
}

// OpenCompiler finds NVRTC, in dir first unless that is "".
func OpenCompiler(dir string) (c *Compiler, err error) {
	defer sqlstate.Catch(&err)
	lib := openLibrary("libnvrtc.so", dir, ".13", ".12", "")
	// NVRTC loads its second half by name; where that lies beside it and not on
	// the loader's path it must be there already.
	if dir := filepath.Dir(lib.path); filepath.IsAbs(lib.path) {
		for _, path := range filesIn("libnvrtc-builtins.so", dir) {
			if _, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
				break
			}
		}
	}
	c = &Compiler{cache: cubinCache{cacheDir("cubins")}, sources: sourceCache{cacheDir("sources")}, path: lib.path}
	lib.bind(&c.nvrtc)
	var major, minor int32
	c.check(c.nvrtc.version(&major, &minor), "nvrtcVersion")
	c.version = fmt.Sprintf("%d.%d", major, minor)
	c.build = c.version + " " + buildOf(loadedFile("libnvrtc.so"))
	return c, nil
}

// check panics with the error of a call of NVRTC.
func (c *Compiler) check(result int32, call string) {
	if result != 0 {
		panic(fmt.Errorf("%s: %s", call, c.nvrtc.errorString(result)))
	}
}

// Version is the compiler's version.
func (c *Compiler) Version() string { return c.version }

// underWay are the compilations of the process that have not ended, by the file that keeps what they make: devices
// of one kind, and a device before and after it is open, want the same code at the same time.
var underWay singleflight.Group

// Compile returns the machine code of source for an architecture like sm_90, from
// the cache on disk where it is there. Code of kernels that launch kernels is relocatable,
// and has to be linked before it is loaded. Code for a virtual architecture like
// compute_90 is empty: it only shows that the source compiles, to intermediate code.
// An error carries the compiler's log and names the file that the source was written to. What is
// returned must not be changed.
func (c *Compiler) Compile(ctx context.Context, name, source, arch string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := c.key(source, arch)
	made, err, _ := underWay.Do(c.cache.path(key), func() (any, error) {
		if cubin := c.cache.get(key); cubin != nil {
			return cubin, nil
		}
		return sqlstate.Try(func() any {
			cubin := c.compile(name, source, arch)
			c.cache.put(key, cubin)
			c.sources.put(source)
			return cubin
		})
	})
	if err != nil {
		return nil, err
	}
	return made.([]byte), nil
}

// Keeps reports whether Compile would find machine code in the cache.
func (c *Compiler) Keeps(source, arch string) bool { return c.cache.has(c.key(source, arch)) }

// key names what Compile makes in the cache.
func (c *Compiler) key(source, arch string, linked ...string) string {
	return cubinKey(source, arch, c.build, append(slices.Clone(optionsOf(source, arch)), linked...))
}

// compile runs the compiler.
func (c *Compiler) compile(name, source, arch string) []byte {
	var program uintptr
	c.check(c.nvrtc.createProgram(&program, source, name+".cu", 0, nil, nil), "nvrtcCreateProgram for "+name)
	defer c.nvrtc.destroyProgram(&program)
	texts := cStrings(append([]string{"--gpu-architecture=" + arch}, optionsOf(source, arch)...))
	r := c.nvrtc.compileProgram(program, int32(len(texts)), unsafe.Pointer(&texts[0]))
	goruntime.KeepAlive(texts)
	if r != 0 {
		panic(fmt.Errorf("nvrtcCompileProgram for %s (source in %s): %s\n%s",
			name, dumpSource(name, source), c.nvrtc.errorString(r), c.programLog(program)))
	}
	var size uint64
	c.check(c.nvrtc.cubinSize(program, &size), "nvrtcGetCUBINSize for "+name)
	cubin := make([]byte, size)
	c.check(c.nvrtc.cubin(program, unsafe.SliceData(cubin)), "nvrtcGetCUBIN for "+name)
	return cubin
}

// programLog is what the compiler wrote.
func (c *Compiler) programLog(program uintptr) string {
	var size uint64
	if c.nvrtc.logSize(program, &size) != 0 || size == 0 {
		return ""
	}
	text := make([]byte, size)
	if c.nvrtc.log(program, unsafe.SliceData(text)) != 0 {
		return ""
	}
	return strings.TrimRight(string(text), "\x00\n")
}

// cStrings makes C's array of strings, each ended by a zero.
func cStrings(texts []string) []*byte {
	return lists.Map(texts, func(t string) *byte { return unsafe.SliceData(append([]byte(t), 0)) })
}

// dumpSource writes a source where people can read it, and says where, or why
// not.
func dumpSource(name, source string) string {
	f, err := os.CreateTemp("", "cubeloom-"+fileWord(name)+"-*.cu")
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if _, err := f.WriteString(source); err != nil {
		return err.Error()
	}
	return f.Name()
}

// fileWord is a name with everything but letters and digits replaced.
func fileWord(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}
