package value

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// Error is an error that a user can cause: it carries the SQLSTATE, what was
// wrong, and where in the SQL text. The parser raises it too, so it is declared
// in front of the parser.
type Error = sqlstate.Error

// NoPos says that an error has no place in the SQL text.
const NoPos = sqlstate.NoPos

// Errorf makes an Error without a position.
func Errorf(code, format string, args ...any) *Error {
	return sqlstate.Errorf(code, format, args...)
}

// ErrorAt makes an Error at a byte offset of the SQL text.
func ErrorAt(pos int, code, format string, args ...any) *Error {
	return sqlstate.ErrorAt(pos, code, format, args...)
}

// At returns err with a place in the SQL text: a copy of it with Pos set when err is
// an *Error without one, and err itself otherwise.
func At(err error, pos int) error {
	e, ok := err.(*Error)
	if !ok || e.Pos != NoPos {
		return err
	}
	placed := *e
	placed.Pos = pos
	return &placed
}

// CheckOneRow raises the error of a scalar subquery that has several rows.
func CheckOneRow(rows int64) error {
	if rows > 1 {
		return Errorf(CodeCardinalityViolation, "more than one row returned by a subquery used as an expression")
	}
	return nil
}

// The SQLSTATEs that the engine raises.
const (
	CodeFeatureNotSupported    = "0A000"
	CodeInvalidGrant           = "0LP01"
	CodeCardinalityViolation   = "21000"
	CodeNumericOutOfRange      = "22003"
	CodeNullNotAllowed         = "22004"
	CodeDatetimeFormat         = "22007"
	CodeDatetimeOverflow       = "22008"
	CodeIntervalOverflow       = "22015"
	CodeDivisionByZero         = "22012"
	CodeInvalidLog             = "2201E"
	CodeInvalidPower           = "2201F"
	CodeInvalidRowCountLimit   = "2201W"
	CodeInvalidRowCountOffset  = "2201X"
	CodeInvalidParameter       = "22023"
	CodeInvalidEscape          = "22025"
	CodeInvalidRegexp          = "2201B"
	CodeInvalidText            = "22P02"
	CodeBadCopyFormat          = "22P04"
	CodeUntranslatable         = "22021"
	CodeSubstringError         = "22011"
	CodeInvalidFrame           = "22013"
	CodeInvalidNtile           = "22014"
	CodeInvalidNthValue        = "22016"
	CodeStringTooLong          = "22001"
	CodeNotNullViolation       = "23502"
	CodeUniqueViolation        = "23505"
	CodeReadOnly               = "25006"
	CodeDeadlock               = "40P01"
	CodeActiveTransaction      = "25001"
	CodeNoActiveTransaction    = "25P01"
	CodeFailedTransaction      = "25P02"
	CodeInvalidSavepoint       = "3B001"
	CodeUndefinedSchema        = "3F000"
	CodeSyntax                 = "42601"
	CodeUndefinedColumn        = "42703"
	CodeUndefinedTable         = "42P01"
	CodeUndefinedFunction      = "42883"
	CodeUndefinedObject        = "42704"
	CodeDuplicateTable         = "42P07"
	CodeDuplicateColumn        = "42701"
	CodeDuplicateAlias         = "42712"
	CodeAmbiguousColumn        = "42702"
	CodeAmbiguousFunction      = "42725"
	CodeGrouping               = "42803"
	CodeDatatypeMismatch       = "42804"
	CodeCannotCoerce           = "42846"
	CodeDuplicatePrepared      = "42P05"
	CodeUndefinedPrepared      = "26000"
	CodeIndeterminateType      = "42P18"
	CodeInvalidColumnReference = "42P10"
	CodeInvalidRecursion       = "42P19"
	CodeWindowing              = "42P20"
	CodeInsufficientPrivilege  = "42501"
	CodeWrongObjectType        = "42809"
	CodeDependentObjects       = "2BP01"
	CodeDiskFull               = "53100"
	CodeOutOfMemory            = "53200"
	CodeProgramLimit           = "54000"
	CodeTooManyColumns         = "54011"
	CodeTooComplex             = "54001"
	CodeObjectInUse            = "55006"
	CodeQueryCanceled          = "57014"
	CodeUndefinedFile          = "58P01"
	CodeIO                     = "58030"
	CodeDataCorrupted          = "XX001"
	CodeInternal               = "XX000"
)
