package value

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// Error is an error that a user can cause: it carries the SQLSTATE, what was
// wrong, and where in the SQL text. The parser raises it too, so it is declared
// in front of the parser.
type Error = sqlstate.Error

// Object is what of the catalog an error is about.
type Object = sqlstate.Object

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

// WithoutPos takes the place away that an error has in another text.
func WithoutPos(err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	placed := *e
	placed.Pos = NoPos
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
	CodeSuccess                  = "00000"
	CodeWarning                  = "01000"
	CodePrivilegeNotRevoked      = "01006"
	CodePrivilegeNotGranted      = "01007"
	CodeProtocolViolation        = "08P01"
	CodeFeatureNotSupported      = "0A000"
	CodeInvalidGrant             = "0LP01"
	CodeCardinalityViolation     = "21000"
	CodeStringTooLong            = "22001"
	CodeNumericOutOfRange        = "22003"
	CodeSequenceLimit            = "2200H"
	CodeNullNotAllowed           = "22004"
	CodeDatetimeFormat           = "22007"
	CodeDatetimeOverflow         = "22008"
	CodeSubstringError           = "22011"
	CodeDivisionByZero           = "22012"
	CodeInvalidFrame             = "22013"
	CodeInvalidNtile             = "22014"
	CodeIntervalOverflow         = "22015"
	CodeInvalidNthValue          = "22016"
	CodeInvalidRegexp            = "2201B"
	CodeInvalidLog               = "2201E"
	CodeInvalidPower             = "2201F"
	CodeInvalidRowCountLimit     = "2201W"
	CodeInvalidRowCountOffset    = "2201X"
	CodeUntranslatable           = "22021"
	CodeInvalidParameter         = "22023"
	CodeArraySubscript           = "2202E"
	CodeInvalidEscape            = "22025"
	CodeInvalidJSONDatetime      = "22031"
	CodeInvalidJSONSubscript     = "22033"
	CodeNonNumericJSON           = "22036"
	CodeSingletonJSON            = "22038"
	CodeJSONArrayNotFound        = "22039"
	CodeJSONMemberNotFound       = "2203A"
	CodeJSONNumberNotFound       = "2203B"
	CodeJSONObjectNotFound       = "2203C"
	CodeInvalidSampleRepeat      = "2202G"
	CodeInvalidSampleArgument    = "2202H"
	CodeInvalidText              = "22P02"
	CodeInvalidBinary            = "22P03"
	CodeBadCopyFormat            = "22P04"
	CodeUnsupportedEscape        = "22P05"
	CodeNotNullViolation         = "23502"
	CodeForeignKeyViolation      = "23503"
	CodeUniqueViolation          = "23505"
	CodeCheckViolation           = "23514"
	CodeActiveTransaction        = "25001"
	CodeReadOnly                 = "25006"
	CodeNoActiveTransaction      = "25P01"
	CodeFailedTransaction        = "25P02"
	CodeIdleInTransactionTimeout = "25P03"
	CodeUndefinedPrepared        = "26000"
	CodeInvalidAuthorization     = "28000"
	CodeInvalidPassword          = "28P01"
	CodeDependentObjects         = "2BP01"
	CodeInvalidCursorName        = "34000"
	CodeInvalidSavepoint         = "3B001"
	CodeUndefinedSchema          = "3F000"
	CodeSerializationFailure     = "40001"
	CodeDeadlock                 = "40P01"
	CodeInsufficientPrivilege    = "42501"
	CodeSyntax                   = "42601"
	CodeInvalidName              = "42602"
	CodeNameTooLong              = "42622"
	CodeDuplicateColumn          = "42701"
	CodeAmbiguousColumn          = "42702"
	CodeUndefinedColumn          = "42703"
	CodeUndefinedObject          = "42704"
	CodeDuplicateObject          = "42710"
	CodeDuplicateAlias           = "42712"
	CodeAmbiguousAlias           = "42P09"
	CodeAmbiguousFunction        = "42725"
	CodeGrouping                 = "42803"
	CodeDatatypeMismatch         = "42804"
	CodeInvalidForeignKey        = "42830"
	CodeWrongObjectType          = "42809"
	CodeCannotCoerce             = "42846"
	CodeUndefinedFunction        = "42883"
	CodeReservedName             = "42939"
	CodeGeneratedAlways          = "428C9"
	CodeInvalidObjectDefinition  = "42P17"
	CodeInvalidColumnDefinition  = "42611"
	CodeUndefinedTable           = "42P01"
	CodeDuplicateCursor          = "42P03"
	CodeDuplicatePrepared        = "42P05"
	CodeDuplicateSchema          = "42P06"
	CodeDuplicateTable           = "42P07"
	CodeDuplicateFunction        = "42723"
	CodeInvalidFunction          = "42P13"
	CodeInvalidColumnReference   = "42P10"
	CodeInvalidTable             = "42P16"
	CodeIndeterminateType        = "42P18"
	CodeInvalidRecursion         = "42P19"
	CodeWindowing                = "42P20"
	CodeInsufficientResources    = "53000"
	CodeDiskFull                 = "53100"
	CodeOutOfMemory              = "53200"
	CodeTooManyConnections       = "53300"
	CodeProgramLimit             = "54000"
	CodeTooComplex               = "54001"
	CodeTooManyColumns           = "54011"
	CodeNotInState               = "55000"
	CodeObjectInUse              = "55006"
	CodeCannotChangeParameter    = "55P02"
	CodeLockNotAvailable         = "55P03"
	CodeQueryCanceled            = "57014"
	CodeAdminShutdown            = "57P01"
	CodeIdleSessionTimeout       = "57P05"
	CodeIO                       = "58030"
	CodeUndefinedFile            = "58P01"
	CodeDuplicateFile            = "58P02"
	CodeInternal                 = "XX000"
	CodeDataCorrupted            = "XX001"
)
