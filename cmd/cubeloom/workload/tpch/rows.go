package tpch

import (
	"context"
	"errors"
	"os"

	"github.com/pingcap/go-tpc/tpch/dbgen"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// loaders maps each table of dbgen to what collects its rows. Parts come with
// their suppliers and orders with their lines.
func (r *run) loaders() map[dbgen.Table]dbgen.Loader {
	return map[dbgen.Table]dbgen.Loader{
		dbgen.TNation:    loader{r, r.addNation, []int{nation}},
		dbgen.TRegion:    loader{r, r.addRegion, []int{region}},
		dbgen.TSupp:      loader{r, r.addSupplier, []int{supplier}},
		dbgen.TCust:      loader{r, r.addCustomer, []int{customer}},
		dbgen.TPartPsupp: loader{r, r.addPart, []int{part, partsupp}},
		dbgen.TOrderLine: loader{r, r.addOrder, []int{orders, lineitem}},
	}
}

func (r *run) addNation(item any) bool {
	n := item.(*dbgen.Nation)
	r.batches[nation].int32(int64(n.Code)).text(n.Text).int32(int64(n.Join)).text(n.Comment).end()
	return false
}

func (r *run) addRegion(item any) bool {
	n := item.(*dbgen.Region)
	r.batches[region].int32(int64(n.Code)).text(n.Text).text(n.Comment).end()
	return false
}

func (r *run) addSupplier(item any) bool {
	s := item.(*dbgen.Supp)
	if int64(s.SuppKey) > r.data.rows(10_000) {
		return true
	}
	r.batches[supplier].int32(int64(s.SuppKey)).text(s.Name).text(s.Address).int32(int64(s.NationCode)).
		text(s.Phone).cents(int64(s.Acctbal)).text(s.Comment).end()
	return false
}

func (r *run) addCustomer(item any) bool {
	c := item.(*dbgen.Cust)
	if int64(c.CustKey) > r.data.rows(150_000) {
		return true
	}
	r.batches[customer].int32(int64(c.CustKey)).text(c.Name).text(c.Address).int32(int64(c.NationCode)).
		text(c.Phone).cents(int64(c.Acctbal)).text(c.MktSegment).text(c.Comment).end()
	return false
}

func (r *run) addPart(item any) bool {
	p := item.(*dbgen.Part)
	if int64(p.PartKey) > r.data.rows(200_000) {
		return true
	}
	r.batches[part].int32(int64(p.PartKey)).text(p.Name).text(p.Mfgr).text(p.Brand).text(p.Type).
		int32(int64(p.Size)).text(p.Container).cents(int64(p.RetailPrice)).text(p.Comment).end()
	for i, s := range p.S {
		supplier := int64(s.SuppKey)
		if r.data.SF < 1 {
			supplier = r.data.supplierOf(int64(s.PartKey), int64(i))
		}
		r.batches[partsupp].int32(int64(s.PartKey)).int32(supplier).
			int32(int64(s.Qty)).cents(int64(s.SCost)).text(s.Comment).end()
	}
	return false
}

func (r *run) addOrder(item any) bool {
	o := item.(*dbgen.Order)
	if r.orders == r.data.rows(1_500_000) {
		return true
	}
	r.orders++
	total := int64(0)
	for i := range o.Lines {
		total += r.addLine(&o.Lines[i])
	}
	r.batches[orders].int64(int64(o.OKey)).int32(r.data.customerOf(int64(o.CustKey))).text(o.Status).cents(total).
		day(o.Date).text(o.OrderPriority).text(o.Clerk).int32(o.ShipPriority).text(o.Comment).end()
	return false
}

// addLine adds a line and returns its share of the order's total price, in
// cents.
func (r *run) addLine(l *dbgen.LineItem) int64 {
	key, supplier, price := int64(l.PartKey), int64(l.SuppKey), int64(l.EPrice)
	if parts := r.data.rows(200_000); key > parts {
		// The new part's suppliers stand for the old one's at random.
		key = (key-1)%parts + 1
		price = retailPrice(key) * int64(l.Quantity)
	}
	if r.data.SF < 1 {
		supplier = r.data.supplierOf(key, supplier%4)
	}
	r.batches[lineitem].int64(int64(l.OKey)).int32(key).int32(supplier).int32(int64(l.LCnt)).
		cents(100 * int64(l.Quantity)).cents(price).cents(int64(l.Discount)).cents(int64(l.Tax)).
		text(l.RFlag).text(l.LStatus).day(l.SDate).day(l.CDate).day(l.RDate).
		text(l.ShipInstruct).text(l.ShipMode).text(l.Comment).end()
	return price * (100 - int64(l.Discount)) / 100 * (100 + int64(l.Tax)) / 100
}

// supplierOf is the key of supplier number i, 0 to 3, of a part at a scale below
// 1. The formula of clause 4.2.3 without its last summand, which in small tables
// could name one supplier twice.
func (d Data) supplierOf(part, i int64) int64 {
	n := d.rows(10_000)
	return (part+i*(n/4))%n + 1
}

// customerOf draws a customer's key at scale 1 into the customers that there
// are; keys divisible by three still place no orders.
func (d Data) customerOf(key int64) int64 {
	n := d.rows(150_000) / 3 * 3
	if d.SF >= 1 || key <= n {
		return key
	}
	return (key-1)%n + 1
}

// retailPrice is the price of a part in cents (clause 4.2.3).
func retailPrice(part int64) int64 {
	return 90_000 + part/10%20_001 + 100*(part%1_000)
}

// Generate implements workload.Set. Only one generation runs at a time in a
// process, on one thread. The generator announces each table on standard
// output; while it runs, os.Stdout is the null device.
func (d Data) Generate(ctx context.Context, opts workload.Options, emit workload.Emit) error {
	if err := d.Validate(); err != nil {
		return err
	}
	generator.Lock()
	defer generator.Unlock()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	defer func(out *os.File) { os.Stdout = out }(os.Stdout)
	os.Stdout = null

	reset(int64(max(1, d.SF)))
	run := newRun(ctx, d, opts, emit)
	loaders := run.loaders()
	for _, table := range []dbgen.Table{dbgen.TNation, dbgen.TRegion, dbgen.TSupp, dbgen.TCust, dbgen.TPartPsupp, dbgen.TOrderLine} {
		err := dbgen.DbGen(loaders, []dbgen.Table{table})
		if err != nil && !errors.Is(run.failure, errEnough) {
			return run.cause(err)
		}
		run.failure = nil
	}
	return run.flush()
}
