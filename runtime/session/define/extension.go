package define

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// inPlace is the extension that every database of PostgreSQL has, so that scripts ask for it.
const inPlace = "plpgsql"

// CreateExtension runs CREATE EXTENSION. It fails with 42710 for the extension that every database has, or says
// that it is there, and with 0A000 for others.
func CreateExtension(stmt *sql.CreateExtension) *result.Result {
	res, name := &result.Result{Tag: "CREATE EXTENSION"}, stmt.Name.Name
	switch {
	case name == inPlace && stmt.IfNotExists:
		res.Notices = []result.Notice{result.NewNotice(value.CodeDuplicateObject, "extension %q already exists, skipping", name)}
		return res
	case name == inPlace:
		panic(value.Errorf(value.CodeDuplicateObject, "extension %q already exists", name))
	}
	e := value.Errorf(value.CodeFeatureNotSupported, "extension %q is not available", name)
	e.Detail = fmt.Sprintf("There are no extensions but %s, and what SQL has of it is not supported.", inPlace)
	panic(e)
}

// dropExtensions runs DROP EXTENSION of extensions that there are not.
func dropExtensions(stmt *sql.Drop) *result.Result {
	res := &result.Result{Tag: "DROP EXTENSION"}
	for _, n := range stmt.Names {
		switch name := n[0].Name; {
		case name == inPlace:
			panic(value.Errorf(value.CodeFeatureNotSupported, "DROP EXTENSION of %s is not supported", inPlace))
		case !stmt.IfExists:
			panic(value.Errorf(value.CodeUndefinedObject, "extension %q does not exist", name))
		default:
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "extension %q does not exist, skipping", name))
		}
	}
	return res
}
