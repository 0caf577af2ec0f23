package transfer

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The files of an exported database beside those of its tables, in the order in which
// IMPORT DATABASE runs them. The second is written last: an export without it is not
// complete.
const (
	schemaFile     = "schema.sql"
	loadFile       = "load.sql"
	privilegesFile = "privileges.sql"
)

// ExportDatabase runs EXPORT DATABASE: one state of all tables and views, temporary ones
// aside, as a directory of files.
func ExportDatabase(ctx context.Context, s *session.Session, stmt *sql.ExportDatabase) *result.Result {
	format := exportFormat(stmt.Options)
	files := sqlstate.Must(s.Files(access.WriteFiles, "export a database"))
	defer s.PlainStyle()()
	e := &exporting{Session: s, ctx: ctx, files: files, dir: stmt.Directory, format: format, state: s.State()}
	e.list()
	dir := sqlstate.Must(fileaccess.MakeDirectory(files, e.dir))
	if err := sqlstate.Run(func() { e.write(dir) }); err != nil {
		dir.Discard(e.made)
		panic(err)
	}
	dir.Close()
	return &result.Result{Tag: "EXPORT DATABASE"}
}

// exportFormat is the format that the options name.
func exportFormat(options []sql.Option) file.Format {
	format := file.Parquet
	for i, o := range options {
		if o.Name != "format" {
			panic(value.ErrorAt(int(o.Pos), value.CodeInvalidParameter, "option %q not recognized", o.Name))
		}
		format = file.Format(strings.ToLower(o.Value))
		switch {
		case i > 0:
			panic(value.ErrorAt(int(o.Pos), value.CodeSyntax, "conflicting or redundant options"))
		case format != file.Parquet && format != file.CSV:
			panic(value.ErrorAt(int(o.Pos), value.CodeInvalidParameter, "EXPORT DATABASE format %q not recognized: it is parquet or csv", o.Value))
		}
	}
	return format
}

// list finds what is exported. It fails where the session's role may not read a table.
func (e *exporting) list() {
	taken := map[string]bool{}
	seen := map[string]bool{}
	for _, o := range e.state.Objects() {
		if store.IsTemporary(store.KeyOf(o)) {
			continue
		}
		if v := store.QueryOf(o); v != nil {
			e.addView(v, seen)
		} else if t, ok := o.(*store.Table); ok {
			e.mayRead(t)
			e.tables = append(e.tables, exportedTable{t, exportName(t.Name(), taken) + "." + string(e.format)})
		}
	}
}

// mayRead fails where the session's role may not read all of a table.
func (e *exporting) mayRead(t *store.Table) {
	all := copiedQuery(&sql.Copy{Table: sql.Name{{Name: t.Schema()}, {Name: t.Name()}}})
	plan, err := planner.Build(all, catalog.OfState(e.Session, e.state), query.Options(e.Session))
	sqlstate.Check(value.WithoutPos(err))
	sqlstate.Check(catalog.Permit(e.Session, plan.Access))
}

// addView adds a view behind those that it reads.
func (e *exporting) addView(v *store.View, seen map[string]bool) {
	if seen[store.KeyOf(v)] {
		return
	}
	seen[store.KeyOf(v)] = true
	for _, name := range v.Depends {
		if read := store.QueryOf(e.state.Lookup(name)); read != nil {
			e.addView(read, seen)
		}
	}
	e.views = append(e.views, v)
}

// exportName is the name of a table as one of a file on any system, which is not taken
// yet in any case.
func exportName(table string, taken map[string]bool) string {
	const longest = 100
	word := strings.TrimLeft(query.FileWord(table), "-")
	word = word[:min(len(word), longest)]
	if word == "" {
		word = "table"
	}
	name := word
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s_%d", word, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// write writes all files. What there is of them when it fails stands in e.made.
func (e *exporting) write(dir *fileaccess.NewDirectory) {
	for _, t := range e.tables {
		if t.Of() == nil {
			e.writeTable(t)
		}
	}
	e.writeText(schemaFile, e.schema())
	e.writeText(privilegesFile, e.privileges())
	sqlstate.Check(dir.Sync())
	e.writeText(loadFile, e.load())
	sqlstate.Check(dir.Sync())
}

// writeTable writes the rows of a table.
func (e *exporting) writeTable(t exportedTable) {
	e.made = append(e.made, t.file)
	stored := sqlstate.Must(t.WithoutGenerated())
	var rows runtime.Relation = stored
	columns := stored.Columns()
	options := []csvfile.Option{{Name: "format", Value: string(e.format), Pos: value.NoPos}}
	if e.format == file.CSV {
		options = append(options, csvfile.Option{Name: "header", Pos: value.NoPos})
	} else {
		rows, columns = file.Exact(rows, columns)
	}
	sqlstate.Must(file.Write(e.ctx, e.files, filepath.Join(e.dir, t.file), rows, columns, options, writeSettings(e.Session, columns)))
}

// writeText writes a script.
func (e *exporting) writeText(name, text string) {
	e.made = append(e.made, name)
	path := filepath.Join(e.dir, name)
	f := sqlstate.Must(fileaccess.Create(e.files, path))
	if _, err := f.WriteString(text); err != nil {
		f.Abort()
		panic(fileaccess.WriteError(path, err))
	}
	sqlstate.Check(f.Commit())
}

// load is the script that loads the files of the tables.
func (e *exporting) load() string {
	options := "FORMAT parquet"
	if e.format == file.CSV {
		options = "FORMAT csv, HEADER"
	}
	var out strings.Builder
	out.WriteString("-- The rows of the tables. Names of files are relative to this one's directory.\n")
	for _, t := range e.elementsFirst() {
		if t.Of() != nil {
			continue // its rows are in the file of the partitioned table
		}
		var names []string
		for _, c := range t.Columns() {
			if c.Generated() == "" {
				names = append(names, c.Name)
			}
		}
		fmt.Fprintf(&out, "COPY %s (%s) FROM %s (%s);\n", exportedName(store.KeyOf(t.Table)), quotedNames(names), pgcatalog.QuoteText(t.file), options)
		for _, check := range t.Checks() {
			if check.NotValid {
				fmt.Fprintf(&out, "ALTER TABLE %s ADD %s NOT VALID;\n", exportedName(store.KeyOf(t.Table)), checkDefinition(&check))
				e.constraintComment(&out, t.Table, check.Name, check.Comment)
			}
		}
	}
	e.domainChecks(&out, false)
	for _, t := range e.tables {
		e.foreignKeys(&out, t.Table)
	}
	for _, v := range e.views {
		if v.Materialized && !v.Unpopulated {
			fmt.Fprintf(&out, "REFRESH MATERIALIZED VIEW %s;\n", exportedName(store.KeyOf(v)))
		}
	}
	return out.String()
}

// elementsFirst are the tables in the order in which they are loaded: those that have the
// elements of hierarchies before those that have their edges.
func (e *exporting) elementsFirst() []exportedTable {
	elements := map[string]bool{}
	for _, v := range e.views {
		if v.Hierarchy != nil {
			elements[v.Hierarchy.On] = true
		}
	}
	tables := slices.Clone(e.tables)
	slices.SortStableFunc(tables, func(a, b exportedTable) int {
		switch first := elements[store.KeyOf(a.Table)]; {
		case first == elements[store.KeyOf(b.Table)]:
			return 0
		case first:
			return -1
		}
		return 1
	})
	return tables
}
