package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

// ParamTypes resolves the types that PREPARE gives its parameters.
func ParamTypes(names []sql.TypeName, cat Catalog) ([]algebra.Type, error) {
	types := make([]algebra.Type, len(names))
	for i, name := range names {
		if name.Name == "unknown" && !name.Array {
			continue // to be inferred
		}
		t, err := sqltype.Resolve(name, cat.Type)
		if err != nil {
			return nil, err
		}
		// Precision and length are checked when the value is stored.
		switch t.Kind {
		case algebra.Decimal:
			t = algebra.TNumeric
		case algebra.Text:
			t = algebra.Type{Kind: algebra.Text, Padded: t.Padded}
		}
		types[i] = t
	}
	return types, nil
}
