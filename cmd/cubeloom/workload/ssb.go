package workload

import (
	"context"
)

// Tables implements Set: the dimensions first.
func (s SSB) Tables() []Table {
	return []Table{
		{Name: "date", Rows: calendarDays, DDL: ssbDateDDL, Schema: ssbDateSchema()},
		{Name: "customer", Rows: s.customers(), DDL: ssbCustomerDDL, Schema: ssbCustomerSchema()},
		{Name: "supplier", Rows: s.suppliers(), DDL: ssbSupplierDDL, Schema: ssbSupplierSchema()},
		{Name: "part", Rows: s.parts(), DDL: ssbPartDDL, Schema: ssbPartSchema()},
		{Name: "lineorder", Rows: s.lineorders(), DDL: ssbLineorderDDL, Schema: ssbLineorderSchema()},
	}
}

// Generate implements Set.
func (s SSB) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := s.Validate(); err != nil {
		return err
	}
	streams := func(first int) func(int) stream {
		return func(i int) stream { return newStream(opts.Seed, first+i) }
	}
	return generate(ctx, opts, s.Tables(), []source{
		ssbDates,
		newSSBCustomer(streams(100)).rows,
		newSSBSupplier(streams(200)).rows,
		newSSBPart(streams(300)).rows,
		newLineorder(s, streams(400)).rows,
	}, emit)
}
