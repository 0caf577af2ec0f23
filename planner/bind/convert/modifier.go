package convert

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// timeModifier is what the name of a time type says of its values: the fields of an
// interval and the digits of a second.
type timeModifier struct {
	field     string // the last one, "" for all
	precision int
}

// CutModifier takes the modifier off the name of a time type; ok is false where there
// is none.
func CutModifier(name *sql.TypeName) (m timeModifier, ok bool, err error) {
	typ, _ := sqltype.Named(name.Name)
	isInterval := typ.Kind == algebra.Interval
	if name.Array || !isInterval && typ.Kind != algebra.Timestamp && typ.Kind != algebra.TimestampTZ {
		return m, false, nil
	}
	const micros = 6
	m.precision = micros
	if len(name.Args) > 0 {
		if err := sqltype.CheckRange(name.Args, 0, micros, int(name.Pos), "precision must be between 0 and 6"); err != nil {
			return m, false, err
		}
		m.precision = name.Args[0]
	}
	words := strings.Fields(name.Field)
	if len(words) > 0 && words[len(words)-1] != "second" {
		m.field = words[len(words)-1]
	}
	name.Args, name.Field = nil, ""
	return m, m.field != "" || m.precision < micros, nil
}

// Apply is a value of a time type as the modifier has it.
func (m timeModifier) Apply(b *scope.Binder, e algebra.Expr, pos sql.Pos) algebra.Expr {
	precision := term.Int32Const(int64(m.precision))
	if e.Type().Kind == algebra.Interval {
		return b.Folded(term.Call(value.IntervalTo, e.Type(), pos, e, term.TextConst(m.field), precision))
	}
	return b.Folded(term.Call(value.RoundTime, e.Type(), pos, e, precision))
}
