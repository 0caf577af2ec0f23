package pgcatalog

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Table is a relation that shows the catalog as PostgreSQL does. Its rows
// give only the columns that do not have their default.
type Table struct {
	schema, name string
	columns      []Column
	rows         func(*View) []Row
}

// Column is a column of a Table.
type Column struct {
	name string
	typ  algebra.Type
	def  value.Value // where a row does not give the column
}

// columnLetters are the letters of readColumns.
var columnLetters = map[string]algebra.Type{
	"o": algebra.TOID, "i": algebra.TInt32, "s": algebra.TInt16, "t": algebra.TText, "b": algebra.TBool,
	"c": algebra.TAlias(algebra.Char), "n": algebra.TAlias(algebra.Name), "p": algebra.TAlias(algebra.Regproc), "f": algebra.TFloat64, "l": algebra.TInt64, "m": algebra.TTimestampTZ, "v": algebra.TInterval,
	"S": algebra.TArray(algebra.TInt16), "O": algebra.TArray(algebra.TOID), "T": algebra.TArray(algebra.TText),
	"V": algebra.TVector(algebra.Int16), "W": algebra.TVector(algebra.Int64),
}

// readColumns reads columns that are written as name:type or name:type=default,
// with the type's letter: o is an OID, p that of a function, c is "char", n a name, i, s and l are integers of 32, 16 and 64
// bits, f float8, b boolean, m a timestamp with
// time zone, v an interval, t text. S, O and T are arrays of 16-bit integers, OIDs and
// texts, V is an int2vector and W an oidvector; a row has them as text.
func readColumns(spec string) []Column {
	var columns []Column
	for _, word := range strings.Fields(spec) {
		name, rest, _ := strings.Cut(word, ":")
		letter, def, has := strings.Cut(rest, "=")
		c := Column{name: name, typ: columnLetters[letter]}
		if has {
			v, err := eval.Parse(nil, def, c.typ, false)
			if err != nil {
				panic(fmt.Sprintf("column %s: %v", word, err))
			}
			c.def = v
		}
		columns = append(columns, c)
	}
	return columns
}

// absent is the value of a column that a row has as nil, which is NULL, or not at all.
func (c *Column) absent(row Row) value.Value {
	if _, given := row[c.name]; given {
		return value.Value{}
	}
	return c.def
}

// tableSpec is a relation as Tables reads it.
type tableSpec struct {
	spec string
	rows func(*View) []Row
}
