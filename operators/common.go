package operators

// RowByRow is embedded in operators that need of their input one row at a time.
type RowByRow struct{}

// Dependence implements Operator.
func (RowByRow) Dependence(int) Dependence { return Thread }
