package crash

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/tests/sim"
)

// Counts of what all histories have done.
var crashes, failures, commits atomic.Int64

const (
	stepsOfHistory = 40
	crashesOfCall  = 8
)

// history is a database on a simulated directory that two clients change.
type history struct {
	seed      uint64
	random    *rand.Rand
	dir       *sim.Dir
	db        *cubeloom.DB
	committed *model
	clients   [2]*client
	number    int // of the statement
	call      int // of the file system by it
	log       []string
}

// client is a session that changes the tables of a prefix of its own.
type client struct {
	prefix  string
	session *cubeloom.Session
	inBlock bool
	pending []func(*model) // of its transaction
	saved   int            // how many of them there were at its savepoint; -1: none
	roles   bool           // it has changed roles, which the other cannot do meanwhile
}

// failure ends a history; it is recovered by run.
type failure struct{ error }

func (h *history) fail(format string, args ...any) {
	last := h.log[max(0, len(h.log)-6):]
	panic(failure{fmt.Errorf("seed %d, statement %d, call %d: %s\nlast statements:\n%s", h.seed, h.number, h.call,
		fmt.Sprintf(format, args...), strings.Join(last, "\n"))})
}

// failureOf is the failure of a recovered panic, nil where there was none. Other
// panics go on.
func failureOf(p any) *failure {
	switch f := p.(type) {
	case nil:
		return nil
	case failure:
		return &f
	}
	panic(p)
}

// run runs a history to its end, or until enough is done.
func run(seed uint64, enough func() bool) (err error) {
	h := &history{seed: seed, random: rand.New(rand.NewPCG(seed, 0)), committed: newModel()}
	defer func() {
		if h.db != nil {
			h.db.Close()
		}
		if f := failureOf(recover()); f != nil {
			err = f.error
		}
	}()
	h.dir = sim.New(h.derived(0))
	h.open()
	h.prepare()
	for range stepsOfHistory {
		if enough() {
			return nil
		}
		h.number++
		h.step()
	}
	return nil
}

// prepare gives each client some roles and a table to start with, without crashes, in
// most histories.
func (h *history) prepare() {
	for _, c := range h.clients {
		for range h.random.IntN(4) {
			h.number++
			s := drawRole(h.random, newModel(), c.prefix, h.number)
			if h.number%3 == 0 {
				s = createTable(h.random, newModel(), c.prefix, h.number, nil)
			}
			if err := runStatement(c.session, s); err != nil {
				h.fail("%s: %v", s.sql, err)
			}
			h.committed = h.committed.with(s.apply)
		}
	}
}

// derived returns random numbers that depend on the seed and the moment alone, so
// that a statement can be repeated without those before it.
func (h *history) derived(n int) *rand.Rand {
	return rand.New(rand.NewPCG(h.seed, uint64(h.number)<<32|uint64(h.call)<<16|uint64(n)))
}

// openOn opens a database on a directory.
func openOn(dir vfs.Dir) (*cubeloom.DB, error) {
	return cubeloom.Open(cubeloom.Options{
		Device: "cpu", Threads: 1, SpillBytes: 1, OpenData: func() (vfs.Dir, error) { return dir, nil },
	})
}

// open opens the database on h.dir, crashed at every call.
func (h *history) open() {
	h.log = append(h.log, "(open)")
	h.crashing(h.committed, h.committed, func() {
		var err error
		if h.db, err = openOn(h.dir); err != nil {
			h.fail("%v", err)
		}
	})
	for i := range h.clients {
		h.clients[i] = &client{prefix: string(rune('a' + i)), session: h.db.Session(), saved: -1}
	}
}

// crashing runs f, whose commit leads from one model to another, and crashes it at
// every call.
func (h *history) crashing(from, to *model, f func()) {
	const (
		before = iota // the manifest is the one that was
		either        // it has been replaced
		after         // that is durable
	)
	phase := before
	h.call = 0
	var ended *failure // which the engine would make an error of the statement
	before1, after1 := from.text(), to.text()
	h.dir.Before = func(c sim.Call) error {
		if c.Op == sim.Remove && strings.HasSuffix(c.Name, ".segment") {
			return nil // the garbage collector may have asked for it
		}
		if ended != nil {
			return nil
		}
		defer func() {
			if f := failureOf(recover()); f != nil {
				ended = f
			}
		}()
		h.call++
		h.crash(phase != after, before1, phase != before, after1)
		switch {
		case c.Op == sim.Rename && strings.HasPrefix(c.Name, "MANIFEST"):
			phase = either
		case c.Op == sim.SyncDir && phase == either:
			phase = after
		}
		return nil
	}
	f()
	h.dir.Before = nil
	if ended != nil {
		panic(*ended)
	}
	h.call++
	h.crash(false, "", true, after1)
}

// crash crashes the directory as it is several times, after which it must hold one
// of two states.
func (h *history) crash(mayOld bool, old string, mayNew bool, new string) {
	for n := range crashesOfCall {
		random := h.derived(n)
		image := h.dir.Crash(random)
		got := h.recovered(image, random)
		if !(mayOld && got == old || mayNew && got == new) {
			h.fail("after crash %d the database holds\n%s\nbefore the statement\n%s\nafter it\n%s", n, got, old, new)
		}
	}
}

// step does one thing.
func (h *history) step() {
	switch n := h.random.IntN(100); {
	case n < 3:
		h.restart(h.dir.Crash(h.derived(0)))
		return
	case n < 5:
		if err := h.db.Close(); err != nil {
			h.fail("%v", err)
		}
		h.restart(h.dir)
		return
	}
	c := h.clients[h.random.IntN(len(h.clients))]
	visible := h.committed.with(c.pending...)
	kind := h.random.IntN(100)
	switch {
	case !c.inBlock && kind < 20:
		h.execute(c, statement{sql: "BEGIN"}, h.committed)
		c.inBlock = true
	case !c.inBlock:
		s := drawStatement(h.random, visible, c.prefix, h.number, h.mayChangeRoles(c))
		if kind < 30 && !h.clients[0].inBlock && !h.clients[1].inBlock {
			h.failing(s)
		}
		next := h.committed.with(s.apply)
		h.execute(c, s, next)
		h.committed = next
	case kind < 55:
		s := drawStatement(h.random, visible, c.prefix, h.number, h.mayChangeRoles(c))
		h.execute(c, s, h.committed)
		c.roles = c.roles || s.roles
		c.pending = append(c.pending, s.apply)
	default:
		h.control(c, kind, visible)
	}
}

// mayChangeRoles reports whether a client would not wait for the other one to change
// roles.
func (h *history) mayChangeRoles(c *client) bool {
	for _, other := range h.clients {
		if other != c && other.roles {
			return false
		}
	}
	return true
}

// control runs a statement about a transaction.
func (h *history) control(c *client, kind int, visible *model) {
	switch {
	case kind < 65:
		h.execute(c, statement{sql: "SAVEPOINT s"}, h.committed)
		c.saved = len(c.pending)
	case kind < 75 && c.saved >= 0:
		h.execute(c, statement{sql: "ROLLBACK TO s"}, h.committed)
		c.pending = c.pending[:c.saved]
	case kind < 95:
		h.execute(c, statement{sql: "COMMIT"}, visible)
		h.committed = visible
		c.inBlock, c.pending, c.saved, c.roles = false, nil, -1, false
	default:
		h.execute(c, statement{sql: "ROLLBACK"}, h.committed)
		c.inBlock, c.pending, c.saved, c.roles = false, nil, -1, false
	}
}

// execute runs a statement after which what is committed is next, crashed at every
// call.
func (h *history) execute(c *client, s statement, next *model) {
	h.log = append(h.log, c.prefix+": "+s.sql)
	h.crashing(h.committed, next, func() {
		if err := runStatement(c.session, s); err != nil {
			h.fail("%v", err)
		}
	})
	commits.Add(1)
}

func runStatement(session *cubeloom.Session, s statement) error {
	text := s.sql
	if s.data != "" {
		f, err := os.CreateTemp("", "cubeloom-copy")
		if err != nil {
			return err
		}
		defer os.Remove(f.Name())
		if _, err := f.WriteString(s.data); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		text += " FROM '" + f.Name() + "'"
	}
	return session.Run(context.Background(), text, func(r *cubeloom.Result) error { return nil })
}

// restart goes on with a directory in a new process.
func (h *history) restart(dir *sim.Dir) {
	h.failingOpen(dir)
	h.dir = dir
	h.open()
}
