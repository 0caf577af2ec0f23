package result

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Notice is a message about a statement that did not fail.
type Notice struct {
	Severity string // NOTICE or WARNING
	Code     string // SQLSTATE
	Message  string
	Detail   string
}

// NewNotice makes a notice.
func NewNotice(code, format string, args ...any) Notice {
	return Notice{Severity: "NOTICE", Code: code, Message: fmt.Sprintf(format, args...)}
}

// NewWarning makes a warning.
func NewWarning(code, message string) Notice {
	return Notice{Severity: "WARNING", Code: code, Message: message}
}

// PlaceNotices are the notices of a query of where it ran.
func PlaceNotices(notes placement.Notes) []Notice {
	var out []Notice
	if notes.Warning != "" {
		out = append(out, NewWarning(value.CodeSuccess, notes.Warning))
	}
	for _, text := range notes.Notices {
		out = append(out, NewNotice(value.CodeSuccess, "%s", text))
	}
	return out
}
