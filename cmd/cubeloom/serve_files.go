package main

import (
	"fmt"
	"path/filepath"

	"github.com/cubeloom/cubeloom"
)

// openFiles returns what clients may read and write of the machine: files below the
// folder of --files, but never those that the server itself lives on.
func (f *serveFlags) openFiles(dataDir string) (cubeloom.Files, error) {
	if f.files == "" {
		return cubeloom.NoFiles(), nil
	}
	var own []string
	for _, path := range append([]string{dataDir, f.rules, f.users, f.superuserPassword, f.tlsCert, f.tlsKey, f.tlsClientCA}, f.listen...) {
		if path != "" {
			own = append(own, path)
		}
	}
	if dataDir != "" {
		inside, err := isBelow(f.files, dataDir)
		if err != nil {
			return nil, fmt.Errorf("--files: %w", err)
		}
		if inside {
			return nil, fmt.Errorf("--files %s lies in the data directory %s, whose files no client may open", f.files, dataDir)
		}
	}
	files, err := cubeloom.FilesBelow(f.files, own...)
	if err != nil {
		return nil, fmt.Errorf("--files: %w", err)
	}
	return files, nil
}

// isBelow reports whether a directory is another one or lies below it, links
// followed. The first one must exist.
func isBelow(dir, parent string) (bool, error) {
	var real [2]string
	for i, path := range []string{dir, parent} {
		abs, err := filepath.Abs(path)
		if err != nil {
			return false, err
		}
		if real[i], err = filepath.EvalSymlinks(abs); err != nil {
			if i == 0 {
				return false, err
			}
			real[i] = abs
		}
	}
	rel, err := filepath.Rel(real[1], real[0])
	return err == nil && filepath.IsLocal(rel), nil
}
