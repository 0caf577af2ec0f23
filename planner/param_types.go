package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

// ParamTypes resolves the types that PREPARE gives its parameters, which have no names.
func ParamTypes(names []sql.TypeName, cat Catalog) ([]Parameter, error) {
	params := make([]Parameter, len(names))
	for i, name := range names {
		if name.Name == "unknown" && !name.Array {
			continue // to be inferred
		}
		t, d, err := sqltype.ResolveDomain(name, cat.Type)
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
		params[i] = Parameter{Type: t, Domain: d}
	}
	return params, nil
}
