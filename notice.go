package cubeloom

import (
	"fmt"
)

// Notice is a message about a statement that did not fail.
type Notice struct {
	Severity string // NOTICE or WARNING
	Code     string // SQLSTATE
	Message  string
}

// codeSuccess is the SQLSTATE of a notice about nothing in particular.
const codeSuccess = "00000"

// notice makes a notice.
func notice(code, format string, args ...any) Notice {
	return Notice{Severity: "NOTICE", Code: code, Message: fmt.Sprintf(format, args...)}
}

// warning makes a warning.
func warning(code, message string) Notice {
	return Notice{Severity: "WARNING", Code: code, Message: message}
}
