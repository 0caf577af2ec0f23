package tpch

import (
	"fmt"
	"math"
)

// Data generates the eight tables of TPC-H. They are the same whatever the
// seed: the generator has its own.
//
// A scale factor below 1 takes the first rows of each table at scale 1 and
// draws the keys of parts, suppliers and customers into the smaller tables, so
// that every foreign key still finds its row.
type Data struct {
	// SF is the scale factor: an integer up to MaxSF, or a fraction of at
	// least MinSF and below 1.
	SF float64
}

// The range of scale factors.
const (
	MinSF = 0.001
	MaxSF = 1000
)

// The numbers of rows of some tables at scale 1.
const (
	suppliersAtScale1 = 10_000
	customersAtScale1 = 150_000
	partsAtScale1     = 200_000
	ordersAtScale1    = 1_500_000
	linesAtScale1     = 6_001_215
)

// Validate reports a scale factor that the generator does not have.
func (d Data) Validate() error {
	if d.SF >= MinSF && d.SF < 1 || d.SF >= 1 && d.SF <= MaxSF && d.SF == math.Trunc(d.SF) {
		return nil
	}
	return fmt.Errorf("scale factor %v of tpch is out of range: a fraction from %v to 1, or an integer up to %d", d.SF, MinSF, MaxSF)
}

// rows is the number of rows of a table that has perUnit of them at scale 1.
func (d Data) rows(perUnit float64) int64 { return int64(math.Round(perUnit * d.SF)) }

// whole is the integer scale whose first rows are taken.
func (d Data) whole() int64 { return int64(max(1, d.SF)) }

// offer is the part and the supplier that stand for those at scale 1 or above: in a
// smaller table the new part's suppliers stand for the old one's at random.
func (d Data) offer(part, i int64) (_, supplier int64) {
	if d.SF >= 1 {
		return part, d.supplierOf(part, i)
	}
	i = d.atWhole(part, i) % 4
	if n := d.rows(partsAtScale1); part > n {
		part = (part-1)%n + 1
	}
	return part, d.supplierOf(part, i)
}

// supplierOf is the key of supplier number i, 0 to 3, of a part. At a scale below 1 it is
// the formula of clause 4.2.3 without its last summand, which in small tables could name
// one supplier twice.
func (d Data) supplierOf(part, i int64) int64 {
	if d.SF >= 1 {
		return d.atWhole(part, i)
	}
	n := d.rows(suppliersAtScale1)
	return (part+i*(n/4))%n + 1
}

// atWhole is the formula of clause 4.2.3 at the whole scale.
func (d Data) atWhole(part, i int64) int64 {
	n := suppliersAtScale1 * d.whole()
	return (part+i*(n/4+(part-1)/n))%n + 1
}

// customerOf draws a customer's key at scale 1 into the customers that there
// are; keys divisible by three still place no orders.
func (d Data) customerOf(key int64) int64 {
	n := d.rows(customersAtScale1) / 3 * 3
	if d.SF >= 1 || key <= n {
		return key
	}
	return (key-1)%n + 1
}

// retailPrice is the price of a part in cents (clause 4.2.3).
func retailPrice(part int64) int64 {
	return 90_000 + part/10%20_001 + 100*(part%1_000)
}
