package fileaccess

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// Pending is a file that is being written. It has another name in its directory
// until Commit.
type Pending struct {
	*os.File
	name      string // as SQL wrote it
	dir       *os.Root
	base      string
	temporary string
	mode      fs.FileMode // of the file that it replaces; 0: there is none
}

// Create starts to write a file, in place of a regular one of that name, or as a
// new one. Commit or Abort ends it.
func Create(a Access, name string) (*Pending, error) {
	dir, base, err := a.Directory(name)
	if err != nil {
		return nil, err
	}
	p := &Pending{name: name, dir: dir, base: base}
	if err := p.open(); err != nil {
		dir.Close()
		return nil, err
	}
	return p, nil
}

func (p *Pending) open() error {
	perm := fs.FileMode(0o666) // less the process's mask
	info, err := p.dir.Lstat(p.base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return openError(p.name, "writing", err)
	case !info.Mode().IsRegular():
		return errNotRegular(p.name, info.Mode())
	default:
		if err := p.writable(); err != nil {
			return openError(p.name, "writing", err)
		}
		p.mode, perm = info.Mode().Perm(), 0o600
	}
	for {
		p.temporary = fmt.Sprintf(".cubeloom-%016x.tmp", rand.Uint64())
		p.File, err = p.dir.OpenFile(p.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return openError(p.name, "writing", err)
		}
	}
}

// writable checks that the file itself could be written to, which its directory
// does not ask of those who replace it.
func (p *Pending) writable() error {
	f, err := p.dir.OpenFile(p.base, writeFlags, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// Commit renames the file to its own name once its bytes are on disk.
func (p *Pending) Commit() error {
	defer p.dir.Close()
	err := p.finish()
	if err != nil {
		p.dir.Remove(p.temporary)
		return WriteError(p.name, err)
	}
	return nil
}

func (p *Pending) finish() error {
	if p.mode != 0 {
		if err := p.Chmod(p.mode); err != nil {
			return errors.Join(err, p.Close())
		}
	}
	if err := p.Sync(); err != nil {
		return errors.Join(err, p.Close())
	}
	if err := p.Close(); err != nil {
		return err
	}
	return p.dir.Rename(p.temporary, p.base)
}

// Abort removes what was written.
func (p *Pending) Abort() {
	p.Close()
	p.dir.Remove(p.temporary)
	p.dir.Close()
}
