package session

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// FilesToRead returns what the session may read files of the machine by. Every
// statement that reads a file that it names asks for it.
func (s *Session) FilesToRead() (fileaccess.Access, error) {
	return s.Files(access.ReadFiles, "COPY from a file")
}

// FilesToWrite returns what the session may write files of the machine by.
func (s *Session) FilesToWrite() (fileaccess.Access, error) {
	return s.Files(access.WriteFiles, "COPY to a file")
}

// Files returns the session's files for a purpose, if its role has the privileges of
// another one.
func (s *Session) Files(role access.OID, purpose string) (fileaccess.Access, error) {
	if s.Identity.Files == nil {
		return fileaccess.Machine{}, nil
	}
	if state := s.Access(); !state.Has(s.User(), role) {
		e := value.Errorf(value.CodeInsufficientPrivilege,
			"must be superuser or have privileges of the %s role to %s", state.NameOf(role), purpose)
		e.Hint = "Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."
		return nil, e
	}
	return s.Identity.Files, nil
}

// OpenFile opens a file that a query names; its ending, or the option format,
// says what it is.
func (s *Session) OpenFile(path string, options map[string]string) (store.Source, error) {
	files, err := s.FilesToRead()
	if err != nil {
		return nil, err
	}
	list := make([]csvfile.Option, 0, len(options))
	for name, text := range options {
		list = append(list, csvfile.Option{Name: name, Value: text, Pos: value.NoPos})
	}
	slices.SortFunc(list, func(a, b csvfile.Option) int { return strings.Compare(a.Name, b.Name) })
	ctx := s.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	return file.Open(ctx, files, path, list)
}

// FileSettings are the settings of the session that change how files are read
// and written.
func (s *Session) FileSettings() file.Settings {
	return file.Settings{Threads: s.Settings.Threads, Zone: s.Settings.Location(), Style: s.Settings.Style()}
}
