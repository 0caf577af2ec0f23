package value

// CheckRowCount refuses what no LIMIT or OFFSET can be.
func CheckRowCount(clause string, count int64) error {
	switch {
	case count >= 0:
		return nil
	case clause == "OFFSET":
		return Errorf(CodeInvalidRowCountOffset, "%s must not be negative", clause)
	}
	return Errorf(CodeInvalidRowCountLimit, "%s must not be negative", clause)
}

func rowCount(args []Value) (Value, error) { return args[0], CheckRowCount(args[1].S, args[0].I) }
