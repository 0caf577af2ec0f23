package value

import "strings"

// LabelEnd stands behind the name of an enum and behind each label where an Element lists them.
// No text has it.
const LabelEnd = "\x00"

// labelAt is the label at a position of such a list.
func labelAt(list string, i int64) string {
	for range i + 1 {
		_, list, _ = strings.Cut(list, LabelEnd)
	}
	label, _, _ := strings.Cut(list, LabelEnd)
	return label
}

// parseLabel is the position of a label in such a list.
func parseLabel(list, label string) (Value, error) {
	name, labels, _ := strings.Cut(list, LabelEnd)
	before, _, found := strings.Cut(LabelEnd+labels, LabelEnd+label+LabelEnd)
	if !found || labels == "" {
		return Value{}, ErrNoLabel(name, label)
	}
	return intValue(int64(strings.Count(before, LabelEnd))), nil
}

// ErrNoLabel is the error of a text that is no label of an enum.
func ErrNoLabel(enum, text string) error {
	return Errorf(CodeInvalidText, "invalid input value for enum %s: \"%s\"", enum, text)
}
