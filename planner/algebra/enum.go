package algebra

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// EnumType is a type that CREATE TYPE … AS ENUM has made. A value is held as the position
// of its label from 0, so that values compare as their labels are listed. It never changes: what
// ALTER TYPE makes is another one of the same OID.
type EnumType struct {
	TypeID
	Labels []string
}

// Label is the label of a value.
func (e *EnumType) Label(i int64) string { return e.Labels[i] }

// labels is the type as value.Element has it.
func (e *EnumType) labels() string {
	return strings.Join(append([]string{e.String()}, e.Labels...), value.LabelEnd) + value.LabelEnd
}

// Parse is the value of a label. It fails with 22P02 where there is none.
func (e *EnumType) Parse(label string) (value.Value, error) {
	i := slices.Index(e.Labels, label)
	if i < 0 {
		return value.Value{}, value.ErrNoLabel(e.String(), label)
	}
	return value.Value{Kind: value.Int, I: int64(i)}, nil
}
