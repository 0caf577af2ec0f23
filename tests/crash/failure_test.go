package crash

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/sim"
)

// recovered opens a directory after a crash and returns what it holds. Now and then it
// crashes once more while it is opened, which must not change that.
func (h *history) recovered(image *sim.Dir, random *rand.Rand) string {
	crashes.Add(1)
	var again *sim.Dir
	if random.IntN(8) == 0 {
		at := random.IntN(8)
		image.Before = func(sim.Call) error {
			if at--; at == 0 {
				again = image.Crash(random)
			}
			return nil
		}
	}
	got := h.contents(image)
	if again != nil {
		crashes.Add(1)
		if then := h.contents(again); then != got {
			h.fail("a crash while the directory was opened made\n%s\nof\n%s", then, got)
		}
	}
	return got
}

// contents opens a directory and returns what it holds; nothing else may be left in it.
func (h *history) contents(image *sim.Dir) string {
	catalog, err := disk.OpenDir(image, 1)
	if err != nil {
		h.fail("the directory does not open: %v", err)
	}
	text, err := stateText(catalog.State())
	if err == nil {
		err = leftovers(image, catalog.State())
	}
	if err == nil {
		err = catalog.Close()
	}
	if err != nil {
		h.fail("the directory has been opened: %v", err)
	}
	return text
}

// leftovers fails where a directory has files that its state does not need.
func leftovers(image *sim.Dir, s *store.State) error {
	names, err := image.List()
	if err != nil {
		return err
	}
	tables := 0
	for _, o := range s.Objects() {
		if _, ok := o.(*store.Table); ok {
			tables++
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".new") {
			return fmt.Errorf("%s is left", name)
		}
		if strings.HasSuffix(name, ".table") {
			tables--
		}
	}
	if tables != 0 {
		return fmt.Errorf("%d table files are left: %v", -tables, names)
	}
	return nil
}

// failing runs a statement once for each of its calls, which fails then, on a copy of
// the database.
func (h *history) failing(s statement) {
	for at := 1; ; at++ {
		h.call = at
		dir := h.dir.Clone(h.derived(0))
		db, err := openOn(dir)
		if err != nil {
			h.fail("a copy does not open: %v", err)
		}
		f := failAt(dir, at, h.derived(1))
		err = runStatement(db.Session(), s)
		dir.Before = nil
		if f.failed == nil {
			db.Close()
			return
		}
		failures.Add(1)
		h.failed(dir, db, s, f, err)
		db.Close()
	}
}

// fault is a call that fails.
type fault struct {
	failed *sim.Call // nil: it was not reached
	lasts  bool      // so do all after it
}

// failAt has a call of a directory fail.
func failAt(dir *sim.Dir, at int, random *rand.Rand) *fault {
	f := &fault{lasts: random.IntN(4) == 0}
	kind := []error{syscall.EIO, syscall.ENOSPC, sim.ErrDisk}[random.IntN(3)]
	dir.Before = func(c sim.Call) error {
		if at--; at > 0 || at < 0 && !f.lasts {
			return nil
		}
		if f.failed == nil {
			f.failed = &c
		}
		return kind
	}
	return f
}

// failed checks what a call that failed has left, of a statement that ended with err.
func (h *history) failed(dir *sim.Dir, db *cubeloom.DB, s statement, f *fault, err error) {
	what := fmt.Sprintf("%s of %q failed in %s", f.failed.Op, f.failed.Name, s.sql)
	before, after := h.committed.text(), h.committed.with(s.apply).text()
	var e *cubeloom.Error
	if err != nil && (!errors.As(err, &e) || e.Code != value.CodeIO && e.Code != value.CodeDiskFull) {
		h.fail("%s: %v", what, err)
	}
	renamed := f.failed.Op == sim.Rename && strings.HasPrefix(f.failed.Name, "MANIFEST")
	ended := err != nil && (f.failed.Op == sim.Sync || f.failed.Op == sim.SyncDir || renamed)
	probe := runStatement(db.Session(), statement{sql: "CREATE TABLE probe (a integer)"})
	if ended != (probe != nil) {
		h.fail("%s with %v; the next commit: %v", what, err, probe)
	}
	if probe == nil {
		if err := runStatement(db.Session(), statement{sql: "DROP TABLE probe"}); err != nil {
			h.fail("%s: %v", what, err)
		}
	}
	unknown := ended && strings.Contains(e.Detail, "committed")
	old, new := err != nil, err == nil || unknown
	for n := range crashesOfCall {
		random := h.derived(n)
		got := h.recovered(dir.Crash(random), random)
		if !(old && got == before || new && got == after) {
			h.fail("%s with %v; then the database holds\n%s\nbefore the statement\n%s\nafter it\n%s", what, err, got, before, after)
		}
	}
	// A new process finds one of the states, and stays with it whatever comes.
	_ = db.Close() // the failure may have been its lock's
	got := h.contents(dir)
	if !(old && got == before || new && got == after) {
		h.fail("%s with %v; then a new process finds\n%s", what, err, got)
	}
	for n := range crashesOfCall {
		random := h.derived(100 + n)
		if then := h.recovered(dir.Crash(random), random); then != got {
			h.fail("%s; a new process found\n%s\nand after a crash\n%s", what, got, then)
		}
	}
}

// failingOpen opens a directory once for each call of that, which fails then.
func (h *history) failingOpen(from *sim.Dir) {
	want := h.committed.text()
	for at := 1; ; at++ {
		h.call = at
		dir := from.Clone(h.derived(0))
		f := failAt(dir, at, h.derived(1))
		db, err := openOn(dir)
		dir.Before = nil
		if f.failed == nil {
			db.Close()
			return
		}
		failures.Add(1)
		if err == nil {
			db.Close()
		}
		for n := range crashesOfCall {
			random := h.derived(n)
			if got := h.recovered(dir.Crash(random), random); got != want {
				h.fail("%s of %q failed while the directory was opened (%v); then it holds\n%s\ninstead of\n%s", f.failed.Op, f.failed.Name, err, got, want)
			}
		}
		if got := h.contents(dir); got != want {
			h.fail("%s of %q failed while the directory was opened (%v); then it holds\n%s", f.failed.Op, f.failed.Name, err, got)
		}
	}
}
