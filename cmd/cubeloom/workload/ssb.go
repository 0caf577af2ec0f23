package workload

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow"
)

// SSB generates the Star Schema Benchmark: the fact table lineorder and the
// dimensions customer, supplier, part and date. Values follow the distributions
// of the specification and of its dbgen (prices in cents, order keys sparse,
// customers with keys divisible by three place no orders); they are not dbgen's
// values bit for bit.
type SSB struct {
	// SF is the scale factor, above 0 and at most MaxSSB.
	SF float64
}

// MaxSSB is the largest scale factor whose order keys fit into an integer.
const MaxSSB = 300

// Validate reports a scale factor out of range.
func (s SSB) Validate() error {
	if !(s.SF > 0 && s.SF <= MaxSSB) {
		return fmt.Errorf("scale factor %v of ssb is out of range: above 0, at most %d", s.SF, MaxSSB)
	}
	return nil
}

// scaled is perUnit·SF, at least one.
func (s SSB) scaled(perUnit float64) int64 {
	return max(1, int64(math.Round(perUnit*s.SF)))
}

func (s SSB) customers() int64  { return s.scaled(30_000) }
func (s SSB) suppliers() int64  { return s.scaled(2_000) }
func (s SSB) lineorders() int64 { return s.scaled(6_000_000) }

// parts is 200,000·(1+⌊log₂ SF⌋) from scale 1 on.
func (s SSB) parts() int64 {
	if s.SF < 1 {
		return s.scaled(200_000)
	}
	return 200_000 * int64(bits.Len64(uint64(s.SF)))
}

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

// columns builds a schema of non-nullable fields.
func columns(fields ...arrow.Field) *arrow.Schema { return arrow.NewSchema(fields, nil) }

func integer(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int32}
}

func text(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.BinaryTypes.String}
}
