package emulator

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// machineSource is the C++ of the machine and the header of the kernels.
//
//go:embed machine
var machineSource embed.FS

const compiler = "g++"

var (
	machineFlags = []string{"-std=c++20", "-O2", "-g1", "-c"}
	// The machine itself is not checked, only linked with the sanitizers: the compiler
	// must not see these flags.
	machineLibraries = []string{"-rdynamic", "-fsanitize=address,undefined", "-ldl"}
	// Kernels are not optimized: that takes three times as long as compiling them,
	// and their data is small.
	kernelFlags = []string{"-std=c++17", "-O0", "-g1", "-w", "-pipe", "-fPIC", "-shared", "-x", "c++",
		"-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing", "-fno-threadsafe-statics",
		"-ffp-contract=off", "-fsanitize-coverage=trace-pc",
		// Half of the calls are those of the sanitizers and of the machine.
		"-fno-plt"}
	// checkFlags are those of the sanitizers.
	checkFlags = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all",
		// What accesses memory by such pointers is found all the same, and object-size finds nothing unoptimized.
		"-fno-sanitize=null,pointer-overflow,object-size",
		// Undefined behaviour is an illegal instruction, whose line the report names: calls that
		// say which it is make code twice as long, and take a fifth of a compilation.
		"-fsanitize-undefined-trap-on-error", "-fsanitize-sections=cubeloom_shared_*",
		// Accesses are checked by calls: unoptimized code is as fast, and compiled sooner.
		"--param=asan-instrumentation-with-call-threshold=0"}
	// What a kernel calls besides the arithmetic of wide integers is in the machine, which
	// loads it: a tenth of a compilation went to libraries that are there already.
	kernelLibraries = []string{"-nostdlib", "-lgcc"}
)

// kernelLinker asks for gold where it is installed: it takes a quarter off a compilation.
var kernelLinker = sync.OnceValue(func() []string {
	if _, err := exec.LookPath("ld.gold"); err != nil {
		return nil
	}
	return []string{"-fuse-ld=gold"}
})

// compilerVersion names the compiler, or says that there is none.
var compilerVersion = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(compiler, "--version").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("emulated device: there is no C++ compiler: %s is not on the path", compiler)
	}
	if err != nil {
		return "", fmt.Errorf("emulated device: %s --version: %w", compiler, err)
	}
	return string(out), nil
})

// cacheFolder is where compiled code stays between runs.
func cacheFolder() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("cubeloom-emulator-%d", os.Getuid()))
	return dir, os.MkdirAll(dir, 0o700)
}

// key names what comes of the given texts.
func key(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d\n%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// machineFile is the text of one file of the machine.
func machineFile(name string) string {
	text, err := machineSource.ReadFile("machine/" + name)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return string(text)
}

// buildMachine compiles the machine, or finds it compiled, and returns its
// program's path.
func buildMachine() (string, error) {
	version, err := compilerVersion()
	if err != nil {
		return "", err
	}
	dir, err := cacheFolder()
	if err != nil {
		return "", err
	}
	files, headers := []string{"main.cc", "scheduler.cc", "grids.cc", "collective.cc"}, []string{"scheduler.h", "grids.h"}
	texts := []string{version, strings.Join(slices.Concat(machineFlags, machineLibraries), " ")}
	for _, f := range slices.Concat(files, headers) {
		texts = append(texts, machineFile(f))
	}
	program := filepath.Join(dir, "machine-"+key(texts...))
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	for _, f := range slices.Concat(files, headers) {
		if err := os.WriteFile(filepath.Join(work, f), []byte(machineFile(f)), 0o600); err != nil {
			return "", err
		}
	}
	var objects []string
	for _, f := range files {
		objects = append(objects, strings.TrimSuffix(f, ".cc")+".o")
	}
	for _, args := range [][]string{
		slices.Concat(machineFlags, files), slices.Concat(objects, machineLibraries, []string{"-o", "machine"}),
	} {
		cmd := exec.Command(compiler, args...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("emulated device: compiling the machine: %w\n%s", err, out)
		}
	}
	return program, os.Rename(filepath.Join(work, "machine"), program)
}

var (
	// kernelDeclaration finds the name of a kernel.
	kernelDeclaration = regexp.MustCompile(`__global__\s+(?:void\s+__launch_bounds__\s*\([^)]*\)|__launch_bounds__\s*\([^)]*\)\s*void|void)\s+(\w+)\s*\(`)
	// dynamicShared is the declaration of dynamic shared memory: its type and name.
	dynamicShared = regexp.MustCompile(`extern\s+__shared__\s+(?:__align__\(\d+\)\s*)?([\w\s]+?)\s*(\w+)\s*\[\s*\]\s*;`)
	// deviceLaunch is a launch of a kernel by another: its name and how it is launched.
	deviceLaunch = regexp.MustCompile(`(\w+)\s*<<<([^;{}]*?)>>>\s*\(`)
	// definition is one of the preprocessor: its name.
	definition = regexp.MustCompile(`(?m)^\s*#\s*define\s+(\w+)`)
)

// translate makes C++ of CUDA source, for errors to name lines of file. All of
// it goes into an unnamed namespace, so that what is not used costs nothing and
// static arrays of templates stay in their section. What it declares and defines
// ends with it: other sources follow in the same text.
func translate(source, key, file string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "#define CUBELOOM_SHARED \"cubeloom_shared_%s\"\nnamespace source_%s {\nnamespace {\n", key, key)
	launches := strings.Contains(source, "<<<") // a search for the pattern takes milliseconds
	if !launches {                              // NVRTC knows the device's runtime only where kernels are launched
		out.WriteString("#define cudaGetLastError unknown_without_launches\n")
	}
	fmt.Fprintf(&out, "#line 1 %q\n", file)
	source = dynamicShared.ReplaceAllString(source, "static $1 *const $2 = ($1 *)cubeloom_dynamic_shared();")
	if launches {
		source = deviceLaunch.ReplaceAllString(source, "CUBELOOM_LAUNCH($1, $2)(")
	}
	// A function of C is one and the same in all namespaces.
	out.WriteString(strings.ReplaceAll(source, `extern "C" __global__`, "__global__"))
	out.WriteString("\n}\n")
	for _, m := range kernelDeclaration.FindAllStringSubmatch(source, -1) {
		fmt.Fprintf(&out, "CUBELOOM_ENTRY(%s, %s)\n", key, m[1])
	}
	fmt.Fprintf(&out, "}\nCUBELOOM_SHARED_BOUNDS(%s)\n#undef CUBELOOM_SHARED\n#undef cudaGetLastError\n", key)
	for _, m := range definition.FindAllStringSubmatch(source, -1) {
		fmt.Fprintf(&out, "#undef %s\n", m[1])
	}
	return out.String()
}
