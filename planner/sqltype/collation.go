package sqltype

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CheckCollation returns an error unless a collation has the one order of texts that there is:
// that of "C", which the database's default is too.
func CheckCollation(e *sql.Collate) error {
	switch name := e.Name[len(e.Name)-1].Name; name {
	case "default", "C", "POSIX", "ucs_basic", "C.UTF-8", "C.utf8":
		return nil
	default:
		return value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "the collation %q is not supported", name)
	}
}

// checkColumn returns an error unless columns of a type can have a collation, as those of texts can.
func checkColumn(typ algebra.Type, e *sql.Collate) error {
	if typ.Kind != algebra.Text && typ.Elem != algebra.Text {
		return value.ErrorAt(int(e.Pos), value.CodeDatatypeMismatch, "collations are not supported by type %s", Name(typ))
	}
	return CheckCollation(e)
}
