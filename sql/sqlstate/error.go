// Package sqlstate holds the error that a user can cause. It stands before
// every other package so that the parser can raise it too; packages behind the
// parser know it as sql/value.Error, which is the same type.
package sqlstate

import "fmt"

// Error is an error that a user can cause: it carries the SQLSTATE, what was
// wrong, and where in the SQL text (a byte offset, or NoPos). Every package
// returns these for user errors; anything else that reaches a user is a defect
// and is reported as XX000.
type Error struct {
	Code    string // SQLSTATE, five characters
	Message string
	Detail  string
	Hint    string
	Where   string // what was going on, such as the line of a file that was read
	Pos     int    // byte offset into the statement's text, or NoPos
	Object  Object // what of the catalog it is about, for clients that ask

	// Expected says that an error of the user has the code of internal errors, since
	// PostgreSQL has no other for it.
	Expected bool
}

// Object names what an error is about: a table, and the column or the constraint of it that is violated, or a
// domain as Type. All are empty for other errors.
type Object struct{ Schema, Table, Column, Constraint, Type string }

// NoPos says that an error has no place in the SQL text.
const NoPos = -1

// Error returns the message and the SQLSTATE.
func (e *Error) Error() string { return fmt.Sprintf("%s (SQLSTATE %s)", e.Message, e.Code) }

// IsDefect reports whether the error is one of the engine's.
func (e *Error) IsDefect() bool { return e.Code == Internal && !e.Expected }

// Errorf makes an Error without a position.
func Errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Pos: NoPos}
}

// ErrorAt makes an Error at a byte offset of the SQL text.
func ErrorAt(pos int, code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Pos: pos}
}

// The SQLSTATEs that the parser raises.
const (
	FeatureNotSupported = "0A000"
	OutOfRange          = "22003"
	Untranslatable      = "22021" // bytes that are not UTF-8
	InvalidParameter    = "22023"
	InvalidEscape       = "22025"
	Syntax              = "42601"
	UndefinedColumn     = "42703"
	WrongObjectType     = "42809"
	ReservedName        = "42939"
	InvalidFunction     = "42P13"
	InvalidTable        = "42P16"
	DuplicateColumn     = "42701"
	DuplicateObject     = "42710"
	WindowingError      = "42P20"
	TooComplex          = "54001"
	Internal            = "XX000"
)
