package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// importing is an IMPORT DATABASE while it runs.
type importing struct {
	*session.Session
	ctx   context.Context
	files fileaccess.Access
	dir   string
	each  func(*sql.Parsed) error // runs a statement
	// skipped counts the statements about owners and privileges that could not be run,
	// by why; reasons are in the order in which they were met.
	skipped map[string]int
	reasons []string
}

// script is a file of statements.
type script struct {
	path, text string
	statements []*session.Statement
}

// ImportDatabase runs IMPORT DATABASE: all of an export or nothing. Owners and
// privileges are set as far as there are the roles and the session's role may; of the
// rest the result has warnings. Run runs one statement.
func ImportDatabase(ctx context.Context, s *session.Session, stmt *sql.ImportDatabase, run func(*sql.Parsed) error) *result.Result {
	files := sqlstate.Must(s.Files(access.ReadFiles, "import a database"))
	defer s.PlainStyle()()
	client := s.Settings.Client
	defer func() { s.Settings.Client = client }() // SET in the scripts holds for them only
	i := &importing{Session: s, ctx: ctx, files: files, dir: stmt.Directory, each: run, skipped: map[string]int{}}
	s.Change("IMPORT DATABASE", func(*store.Tx) { i.run() })
	res := &result.Result{Tag: "IMPORT DATABASE"}
	for _, why := range i.reasons {
		res.Notices = append(res.Notices, result.NewWarning(value.CodeInsufficientPrivilege,
			fmt.Sprintf("%s: skipped %d statements of %q", why, i.skipped[why], privilegesFile)))
	}
	return res
}

// run runs the scripts. All of them are read before the first one runs.
func (i *importing) run() {
	scripts := map[string]*script{}
	for _, name := range []string{loadFile, schemaFile, privilegesFile} {
		scripts[name] = i.read(name)
	}
	for _, name := range []string{schemaFile, loadFile, privilegesFile} {
		for _, st := range scripts[name].statements {
			err := i.runStatement(st)
			if name == privilegesFile && i.skip(err) {
				continue
			}
			if err != nil {
				panic(scripts[name].located(err, st.Parsed.Offset))
			}
		}
	}
}

// skip notes an error of a statement about owners and privileges that is no reason to
// import nothing, and reports whether it is one: a role that there is not, or what the
// session's role may not do.
func (i *importing) skip(err error) bool {
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeInsufficientPrivilege && e.Code != value.CodeUndefinedObject && !i.noRole(e) {
		return false
	}
	if i.skipped[e.Message]++; i.skipped[e.Message] == 1 {
		i.reasons = append(i.reasons, e.Message)
	}
	return true
}

// noRole reports whether an error is that of SET SESSION AUTHORIZATION for a role that
// there is not.
func (*importing) noRole(e *value.Error) bool {
	return e.Code == value.CodeInvalidParameter && strings.HasPrefix(e.Message, "role ")
}

// read reads a script.
func (i *importing) read(name string) *script {
	path := filepath.Join(i.dir, name)
	f, err := i.files.Open(path)
	if err != nil {
		panic(i.incomplete(name, err))
	}
	defer f.Close()
	info := sqlstate.Must(f.Stat())
	sqlstate.Check(i.Account.Grow((1 + session.TextFactor) * info.Size()))
	text, err := io.ReadAll(io.LimitReader(f, info.Size()))
	if err != nil {
		panic(value.Errorf(value.CodeIO, "could not read file %q: %v", path, err))
	}
	s := &script{path: path, text: string(text)}
	if s.statements, err = i.Parse(i.ctx, s.text); err != nil {
		offset := 0
		var e *value.Error
		if errors.As(err, &e) && e.Pos != value.NoPos {
			offset = e.Pos
		}
		panic(s.located(err, offset))
	}
	return s
}

// incomplete is the error of a script that cannot be opened.
func (i *importing) incomplete(name string, err error) error {
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeUndefinedFile {
		return err
	}
	if _, err := i.files.Open(i.dir); errors.As(err, &e) && e.Code == value.CodeUndefinedFile {
		return value.Errorf(value.CodeUndefinedFile, "directory %q does not exist", i.dir)
	}
	missing := value.Errorf(value.CodeUndefinedFile, "directory %q is not a complete export: it has no file %q", i.dir, name)
	missing.Hint = "EXPORT DATABASE writes " + loadFile + " last: without it the export did not come to its end."
	return missing
}

// located is an error with the line of the script that it is about.
func (s *script) located(err error, offset int) error {
	var e *value.Error
	if !errors.As(err, &e) {
		return err
	}
	located := *e
	located.Pos = value.NoPos
	if located.Where != "" {
		located.Where += "\n"
	}
	located.Where += fmt.Sprintf("file %q, line %d", s.path, 1+strings.Count(s.text[:offset], "\n"))
	return &located
}

// runStatement runs a statement of a script, which must be one of those that exports
// consist of.
func (i *importing) runStatement(st *session.Statement) error {
	parsed := st.Parsed
	ok := false
	switch stmt := parsed.Statement.(type) {
	case *sql.CreateTable, *sql.CreateView, *sql.RefreshView, *sql.CreateHierarchy, *sql.CreateIndex, *sql.Comment, *sql.Grant, *sql.DefaultPrivileges, *sql.AlterOwner,
		*sql.CreateSequence, *sql.AlterSequence, *sql.CreateSchema, *sql.CreateType, *sql.AlterType, *sql.CreateDomain, *sql.AlterDomain,
		*sql.CreateFunction, *sql.AlterFunction:
		ok = true
	case *sql.Query:
		ok = setsSequence(stmt)
	case *sql.AlterTable:
		switch stmt.Actions[0].(type) {
		case *sql.ChangeOwner, *sql.AddCheck, *sql.AddForeignKey, *sql.AttachPartition, *sql.ClusterOn:
			ok = true
		}
	case *sql.Set:
		ok = strings.EqualFold(stmt.Name, settings.SettingAuthorization) || slices.Contains([]string{"check_function_bodies", "search_path"}, stmt.Name)
	case *sql.Copy:
		if ok = stmt.From && filepath.Base(stmt.File) == stmt.File; ok {
			within := *stmt
			within.File = filepath.Join(i.dir, stmt.File)
			parsed.Statement = &within
		}
	}
	if !ok {
		return value.Errorf(value.CodeFeatureNotSupported, "IMPORT DATABASE does not run this statement: exports have none like it")
	}
	return i.each(&parsed)
}
