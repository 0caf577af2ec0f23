package transfer

import (
	"context"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// exporting is an EXPORT DATABASE while it runs.
type exporting struct {
	*session.Session
	ctx    context.Context
	files  fileaccess.Access
	dir    string
	format file.Format
	state  *store.State
	tables []exportedTable
	views  []*store.View // each behind those that it reads
	made   []string      // names of files, in the directory
}

// exportedTable is a table and the name of its file.
type exportedTable struct {
	*store.Table
	file string
}

// exportedName is the name of the object of a key, with its schema, as SQL has it.
func exportedName(key string) string {
	return pgcatalog.QuoteName(store.SchemaOf(key)) + "." + pgcatalog.QuoteName(store.NameOf(key))
}

// quotedNames is a list of names as SQL has it.
func quotedNames(names []string) string {
	quoted := lists.Map(names, pgcatalog.QuoteName)
	return strings.Join(quoted, ", ")
}
