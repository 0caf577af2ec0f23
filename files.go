package cubeloom

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Files say which files of the machine a session's statements may read and write.
type Files = fileaccess.Access

// NoFiles refuses every file.
func NoFiles() Files { return fileaccess.None{} }

// FilesBelow gives the regular files below a directory, wherever links lead, but
// those that are protected: the files, and all below the directories, that are
// named, which need not exist. Relative names are relative to the directory. An
// io.Closer of the result ends its use.
func FilesBelow(dir string, protected ...string) (Files, error) {
	return fileaccess.OpenFolder(dir, protected...)
}

// filesToRead gives what the session may read files of the machine by. Every
// statement that reads a file that it names asks for it.
func (s *Session) filesToRead() (fileaccess.Access, error) {
	return s.files(access.ReadFiles, "COPY from a file")
}

// filesToWrite gives what the session may write files of the machine by.
func (s *Session) filesToWrite() (fileaccess.Access, error) {
	return s.files(access.WriteFiles, "COPY to a file")
}

// files returns the session's files for a purpose, if its role has the privileges of
// another one.
func (s *Session) files(role access.OID, purpose string) (fileaccess.Access, error) {
	if s.identity.Files == nil {
		return fileaccess.Machine{}, nil
	}
	if state := s.access(); !state.Has(s.user(), role) {
		e := value.Errorf(value.CodeInsufficientPrivilege,
			"must be superuser or have privileges of the %s role to %s", state.NameOf(role), purpose)
		e.Hint = "Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."
		return nil, e
	}
	return s.identity.Files, nil
}

// openFile opens a file that a query names; its ending, or the option format,
// says what it is.
func (s *Session) openFile(path string, options map[string]string) (store.Source, error) {
	files, err := s.filesToRead()
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

// writeSettings are fileSettings for writing columns, with the names of what object
// identifiers among them identify.
func (s *Session) writeSettings(columns []store.Column) file.Settings {
	set := s.fileSettings()
	set.Names = s.objectNames(len(columns), func(i int) algebra.Type { return columns[i].Type })
	return set
}

// fileSettings are the settings of the session that change how files are read
// and written.
func (s *Session) fileSettings() file.Settings {
	return file.Settings{Threads: s.settings.Threads, Zone: s.settings.Location(), Style: s.settings.DateStyle()}
}
