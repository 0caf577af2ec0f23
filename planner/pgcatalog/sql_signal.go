package pgcatalog

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// isActing reports whether a function acts on a session for each row of a result.
func isActing(name string) bool {
	return name == "pg_cancel_backend" || name == "pg_terminate_backend" || name == "pg_sleep" || strings.Contains(name, "_advisory_")
}

// describeActing stands for a call of so many arguments while a statement is described. No
// other call gets here but those in places where acting does not find them.
func (v *View) describeActing(name string, args int) (string, error) {
	if !v.Describing {
		return "", value.Errorf(value.CodeFeatureNotSupported, "%s elsewhere than as an item of a SELECT list is not supported", name)
	}
	typ, result := "bigint", "boolean"
	switch {
	case name == "pg_sleep":
		typ, result = "double precision", "void"
	case strings.HasSuffix(name, "_backend"), args > 1:
		typ = "integer"
	}
	if strings.HasPrefix(name, "pg_advisory_") && name != "pg_advisory_unlock" && name != "pg_advisory_unlock_shared" {
		result = "void"
	}
	text := "CASE"
	for n := range args {
		text += fmt.Sprintf(" WHEN $%d::%s IS NULL THEN NULL::%s", n+1, typ, result)
	}
	if args == 0 {
		return "NULL::" + result, nil
	}
	return text + " END", nil
}
