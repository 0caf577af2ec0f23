// Package sim is a directory in memory that behaves as badly as a file system may:
// a crash forgets what was not synced, or keeps any part of it, and a call can be
// made to fail.
package sim

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
)

// Call is a call that changes something.
type Call struct {
	Op   Op
	Name string
}

// Op is what a call does.
type Op string

// The calls that change something.
const (
	Create  Op = "create"
	Write   Op = "write"
	Sync    Op = "sync"
	Close   Op = "close"
	Rename  Op = "rename"
	Remove  Op = "remove"
	SyncDir Op = "sync directory"
)

// Dir is a simulated directory. It implements vfs.Dir.
type Dir struct {
	// Before is called before each call that changes something, nil: nothing is. An
	// error is that of the call, which then does nothing, a part or all of what it
	// should. It is to be set while nobody uses the directory.
	Before func(Call) error

	mu      sync.Mutex
	random  *rand.Rand
	locked  bool
	files   map[string]*inode
	durable map[string]*inode // what the names stand for after a crash, at the least
	pending []change          // of the names since
}

// inode is a file, which only grows.
type inode struct {
	data   []byte
	synced int      // bytes that are durable
	lost   []extent // those in it that a sync has forgotten
}

type extent struct{ from, to int }

// change is a change of names: file gets the name to, and from is free.
type change struct {
	from, to string // "": none
	file     *inode
}

// New makes an empty directory, whose failures follow from random.
func New(random *rand.Rand) *Dir {
	return &Dir{random: random, files: map[string]*inode{}, durable: map[string]*inode{}}
}

// begin announces a call, and says how much of it is done where it fails: nothing,
// a part or all.
func (d *Dir) begin(op Op, name string) (part float64, err error) {
	if d.Before == nil {
		return 1, nil
	}
	if err = d.Before(Call{op, name}); err == nil {
		return 1, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return []float64{0, d.random.Float64(), 1}[d.random.IntN(3)], err
}

// Path implements vfs.Dir.
func (d *Dir) Path() string { return "simulated" }

// Lock implements vfs.Dir.
func (d *Dir) Lock() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked {
		return vfs.ErrLocked
	}
	d.locked = true
	return nil
}

// Close implements vfs.Dir.
func (d *Dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.locked = false
	return nil
}

// List implements vfs.Dir.
func (d *Dir) List() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.files)), nil
}

// Create implements vfs.Dir.
func (d *Dir) Create(name string) (vfs.File, error) {
	part, err := d.begin(Create, name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[name] != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	f := &file{dir: d, name: name, inode: &inode{}}
	if part == 1 {
		d.change(change{to: name, file: f.inode})
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// change changes names.
func (d *Dir) change(c change) {
	d.pending = append(d.pending, c)
	c.apply(d.files)
}

func (c *change) apply(files map[string]*inode) {
	if c.from != "" && files[c.from] == c.file {
		delete(files, c.from)
	}
	if c.to != "" {
		files[c.to] = c.file
	}
}

// Read implements vfs.Dir.
func (d *Dir) Read(name string) ([]byte, error) {
	m, err := d.Map(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(m.Data), nil
}

// Map implements vfs.Dir.
func (d *Dir) Map(name string) (*vfs.Mapping, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[name]
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &vfs.Mapping{Data: slices.Clip(f.data)}, nil
}

// Rename implements vfs.Dir.
func (d *Dir) Rename(from, to string) error { return d.move(Rename, from, to) }

// Remove implements vfs.Dir.
func (d *Dir) Remove(name string) error { return d.move(Remove, name, "") }

func (d *Dir) move(op Op, from, to string) error {
	part, err := d.begin(op, from)
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[from]
	if f == nil {
		return &fs.PathError{Op: string(op), Path: from, Err: fs.ErrNotExist}
	}
	if part == 1 {
		d.change(change{from: from, to: to, file: f})
	}
	return err
}

// Sync implements vfs.Dir. A sync that fails forgets which names were not durable,
// as Linux may: the next one succeeds and does not make them so.
func (d *Dir) Sync() error {
	part, err := d.begin(SyncDir, "")
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.pending {
		if d.random.Float64() < part {
			c.apply(d.durable)
		}
	}
	d.pending = nil
	return err
}

// file is a file that is being written.
type file struct {
	dir   *Dir
	name  string
	inode *inode
}

// Write implements io.Writer.
func (f *file) Write(b []byte) (int, error) {
	part, err := f.dir.begin(Write, f.name)
	f.dir.mu.Lock()
	defer f.dir.mu.Unlock()
	n := int(part * float64(len(b)))
	f.inode.data = append(f.inode.data, b[:n]...)
	return n, err
}

// Sync implements vfs.File. One that fails forgets what was not durable.
func (f *file) Sync() error {
	_, err := f.dir.begin(Sync, f.name)
	f.dir.mu.Lock()
	defer f.dir.mu.Unlock()
	if err != nil {
		f.inode.lost = append(f.inode.lost, extent{f.inode.synced, len(f.inode.data)})
	}
	f.inode.synced = len(f.inode.data)
	return err
}

// Close implements vfs.File.
func (f *file) Close() error {
	_, err := f.dir.begin(Close, f.name)
	return err
}

// ErrDisk are errors that calls fail with.
var ErrDisk = errors.New("input/output error")

// Crash returns the directory as it may be after a crash at this moment: names
// changed since the last sync in any combination, and files with any part of what
// was not synced.
func (d *Dir) Crash(random *rand.Rand) *Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := New(random)
	names := maps.Clone(d.durable)
	kept := []float64{0, 0.5, 0.9, 1}[random.IntN(4)]
	for _, c := range d.pending {
		if random.Float64() < kept {
			c.apply(names)
		}
	}
	torn := map[*inode]*inode{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		f := names[name]
		if torn[f] == nil {
			torn[f] = f.crash(random)
		}
		after.files[name] = torn[f]
	}
	after.durable = maps.Clone(after.files)
	return after
}

// sector is what a disk writes whole or not at all, in bytes. It is small, so that
// small files are torn.
const sector = 16

// crash returns what is left of a file.
func (f *inode) crash(random *rand.Rand) *inode {
	if f.synced == len(f.data) && len(f.lost) == 0 {
		return &inode{data: slices.Clip(f.data), synced: f.synced}
	}
	data := slices.Clone(f.data)
	for _, e := range append(slices.Clip(f.lost), extent{f.synced, len(data)}) {
		tear(random, data[e.from:e.to])
	}
	if random.IntN(2) == 0 {
		data = data[:f.synced+random.IntN(len(data)-f.synced+1)]
	}
	return &inode{data: data, synced: len(data)}
}

// tear replaces sectors by what was on the disk before: zeros, or other data.
func tear(random *rand.Rand, data []byte) {
	kept := []float64{0, 0.5, 0.95, 1}[random.IntN(4)]
	for len(data) > 0 {
		n := min(len(data), sector)
		if random.Float64() >= kept {
			clear(data[:n])
			if random.IntN(4) == 0 {
				data[random.IntN(n)] = byte(random.Uint32())
			}
		}
		data = data[n:]
	}
}

// Clone returns a copy of the directory with all that is and is not durable, which
// nobody has locked.
func (d *Dir) Clone(random *rand.Rand) *Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := New(random)
	copies := map[*inode]*inode{}
	clone := func(f *inode) *inode {
		if copies[f] == nil {
			copies[f] = &inode{data: slices.Clip(f.data), synced: f.synced, lost: slices.Clip(f.lost)}
		}
		return copies[f]
	}
	for name, f := range d.files {
		out.files[name] = clone(f)
	}
	for name, f := range d.durable {
		out.durable[name] = clone(f)
	}
	for _, c := range d.pending {
		out.pending = append(out.pending, change{c.from, c.to, clone(c.file)})
	}
	return out
}
