package workload

import (
	"context"
)

// Tables implements Set: the dimensions first.
func (s SSB) Tables() []Table {
	return []Table{
		NewTable("date", calendarDays, ssbDateColumns),
		NewTable("customer", s.customers(), ssbCustomerColumns),
		NewTable("supplier", s.suppliers(), ssbSupplierColumns),
		NewTable("part", s.parts(), ssbPartColumns),
		NewTable("lineorder", s.lineorders(), ssbLineorderColumns),
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
