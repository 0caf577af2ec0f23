package transfer

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/file"
)

// writeSettings are a session's FileSettings for writing columns, with the names of what object
// identifiers among them identify.
func writeSettings(s *session.Session, columns []store.Column) file.Settings {
	set := s.FileSettings()
	set.Names = catalog.ObjectNames(s, len(columns), func(i int) algebra.Type { return columns[i].Type })
	return set
}
