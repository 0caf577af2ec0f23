package emulator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/singleflight"
)

// unitSources is how many sources are compiled by one run of the compiler at the most. Of the
// time of a source alone, a third goes into starting the compiler, the assembler and the linker.
const unitSources = 8

// underWay are the compilations that have not ended, by the object that they make.
var underWay singleflight.Group

// compilation is a source that waits for its shared object.
type compilation struct {
	name, source string
	checked      bool // by the sanitizers
	dir, key     string
	done         chan error
}

// newCompilation says what a source is compiled to.
func newCompilation(name, source string, checked bool) (*compilation, error) {
	version, err := compilerVersion()
	if err != nil {
		return nil, err
	}
	dir, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	c := &compilation{name: name, source: source, checked: checked, dir: dir, done: make(chan error, 1)}
	c.key = key(version, strings.Join(c.flags(), " "), machineFile("device.h"), translate(source, "", ""))
	return c, nil
}

// flags are the compiler's, but for what is linked.
func (c *compilation) flags() []string {
	if c.checked {
		return slices.Concat(kernelFlags, checkFlags)
	}
	return kernelFlags
}

// object is the path of the shared object, which has other sources in it if they were
// compiled together.
func (c *compilation) object() string { return filepath.Join(c.dir, c.key+".so") }

// text is the path of the source, which stays for people who read an error.
func (c *compilation) text() string { return filepath.Join(c.dir, c.key+".cu") }

// compile makes a shared object of source, or finds it made, and returns its path. The
// file's name is the key of the source.
func compile(ctx context.Context, name, source string, checked bool) (string, error) {
	c, err := newCompilation(name, source, checked)
	if err != nil {
		return "", err
	}
	made := underWay.DoChan(c.object(), func() (any, error) {
		if _, err := os.Stat(c.object()); err == nil {
			return nil, nil
		}
		return nil, compilations.compile(c)
	})
	select {
	case m := <-made:
		return c.object(), m.Err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// compilations are the sources that wait while as many compilers run as there are processors:
// the next one takes several of them.
var compilations queue

type queue struct {
	mu      sync.Mutex
	waiting []*compilation
	running int // compilers
}

// compile compiles a source, with what waits at the same time.
func (q *queue) compile(c *compilation) error {
	q.mu.Lock()
	q.waiting = append(q.waiting, c)
	if q.running < runtime.GOMAXPROCS(0) {
		q.running++
		go q.work()
	}
	q.mu.Unlock()
	return <-c.done
}

// work compiles units until nothing waits.
func (q *queue) work() {
	for unit := q.take(); len(unit) > 0; unit = q.take() {
		err := compileUnit(unit)
		for _, c := range unit {
			if err != nil && len(unit) > 1 { // one of the others may be wrong
				c.done <- compileUnit([]*compilation{c})
			} else {
				c.done <- err
			}
		}
	}
}

// take returns the next unit: what has waited longest, and what waits for the same flags. Where
// there is none the compiler that asks counts as ended.
func (q *queue) take() []*compilation {
	q.mu.Lock()
	defer q.mu.Unlock()
	var unit, rest []*compilation
	for _, c := range q.waiting {
		if len(unit) < unitSources && c.checked == q.waiting[0].checked {
			unit = append(unit, c)
		} else {
			rest = append(rest, c)
		}
	}
	if len(unit) == 0 {
		q.running--
	}
	q.waiting = rest
	return unit
}

// compileUnit makes one shared object of sources of the same flags, which has a name for each of them.
func compileUnit(unit []*compilation) error {
	work, err := os.MkdirTemp(unit[0].dir, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := writeUnit(unit, work); err != nil {
		return err
	}
	cmd := exec.Command(compiler, slices.Concat(unit[0].flags(), kernelLinker(), []string{"unit.cc", "-o", "unit.so"}, kernelLibraries)...)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("emulated device: compiling %s (%s): %w\n%s", unit[0].name, unit[0].text(), err, out)
	}
	for _, c := range unit {
		name := filepath.Join(work, filepath.Base(c.object()))
		if err := errors.Join(os.Link(filepath.Join(work, "unit.so"), name), os.Rename(name, c.object())); err != nil {
			return err
		}
	}
	return nil
}

// writeUnit writes what the compiler reads into a folder, and the sources where they stay.
func writeUnit(unit []*compilation, dir string) error {
	texts := map[string]string{filepath.Join(dir, "device.h"): machineFile("device.h")}
	all := "#include \"device.h\"\n"
	for _, c := range unit {
		texts[c.text()] = c.source
		all += translate(c.source, c.key, c.text())
	}
	texts[filepath.Join(dir, "unit.cc")] = all
	for file, text := range texts {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
