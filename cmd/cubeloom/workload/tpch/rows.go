package tpch

import (
	"github.com/apache/arrow/go/v15/arrow"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// A computation makes rows of tables that belong together, a record for each.
type computation func(first int64, n int) []arrow.Record

// rows makes the rows of the tables.
type rows struct {
	Data
	tables []workload.Table
}

func (r *rows) batch(table, n int) *batch { return newBatch(r.tables[table].Schema, n) }

func (r *rows) nations(first int64, n int) []arrow.Record {
	b, comment := r.batch(nation, n), column{606179079, 2}.from(first)
	for i := first; i < first+int64(n); i++ {
		// The weights of the list add up to the keys of the regions.
		b.int32(i).text(nationNames.texts[i]).int32(nationNames.sums[i]).bytes(comment.comment(72)).endRow(comment)
	}
	return []arrow.Record{b.record()}
}

func (r *rows) regions(first int64, n int) []arrow.Record {
	b, comment := r.batch(region, n), column{1500869201, 2}.from(first)
	for i := first; i < first+int64(n); i++ {
		b.int32(i).text(regionNames.texts[i]).bytes(comment.comment(72)).endRow(comment)
	}
	return []arrow.Record{b.record()}
}

// The balances of accounts, in cents.
const minBalance, maxBalance = -99999, 999999

func (r *rows) suppliers(first int64, n int) []arrow.Record {
	address, nation, phone := column{706178559, 9}.from(first), column{110356601, 1}.from(first), column{884434366, 3}.from(first)
	balance, comment := column{962338209, 1}.from(first), newSupplierComments(first)
	b := r.batch(supplier, n)
	for key := first + 1; key <= first+int64(n); key++ {
		of := nation.between(0, int64(len(nationNames.texts)-1))
		b.int32(key).numbered("Supplier#", key).address(address).int32(of).phone(phone, of).
			cents(balance.between(minBalance, maxBalance)).bytes(comment.next()).endRow(address, nation, phone, balance)
	}
	return []arrow.Record{b.record()}
}

// supplierComments are comments of which one in a thousand has "Customer" and "Complaints"
// or "Recommends" in it (clause 4.2.3).
type supplierComments struct{ text, named, kind, between, first *stream }

func newSupplierComments(row int64) *supplierComments {
	return &supplierComments{
		text: column{1341315363, 2}.from(row), named: column{202794285, 1}.from(row), kind: column{753643799, 1}.from(row),
		between: column{263032577, 1}.from(row), first: column{715851524, 1}.from(row),
	}
}

func (c *supplierComments) next() []byte {
	const customer, length = "Customer ", len("Customer Complaints")
	comment := c.text.comment(63)
	named, complains := c.named.between(1, 10000) <= 10, c.kind.between(0, 100) < 50
	between := c.between.between(0, int64(len(comment)-length))
	first := c.first.between(0, int64(len(comment)-length)-between)
	for _, s := range []*stream{c.text, c.named, c.kind, c.between, c.first} {
		s.endRow()
	}
	if !named {
		return comment
	}
	what := "Recommends"
	if complains {
		what = "Complaints"
	}
	comment = append([]byte(nil), comment...)
	copy(comment[first:], customer)
	copy(comment[first+int64(len(customer))+between:], what)
	return comment
}

func (r *rows) customers(first int64, n int) []arrow.Record {
	address, nation, phone := column{881155353, 9}.from(first), column{1489529863, 1}.from(first), column{1521138112, 3}.from(first)
	balance, segment, comment := column{298370230, 1}.from(first), column{1140279430, 1}.from(first), column{1335826707, 2}.from(first)
	b := r.batch(customer, n)
	for key := first + 1; key <= first+int64(n); key++ {
		of := nation.between(0, int64(len(nationNames.texts)-1))
		b.int32(key).numbered("Customer#", key).address(address).int32(of).phone(phone, of).
			cents(balance.between(minBalance, maxBalance)).text(segments.draw(segment)).bytes(comment.comment(73)).
			endRow(address, nation, phone, balance, segment, comment)
	}
	return []arrow.Record{b.record()}
}

func (r *rows) parts(first int64, n int) []arrow.Record {
	name, maker, brand, kind := column{709314158, 92}.from(first), column{1, 1}.from(first), column{46831694, 1}.from(first), column{1841581359, 1}.from(first)
	size, container, comment := column{1193163244, 1}.from(first), column{727633698, 1}.from(first), column{804159733, 2}.from(first)
	quantity, cost, offer := column{1671059989, 4}.from(first), column{1051288424, 4}.from(first), column{1961692154, 8}.from(first)
	b, of := r.batch(part, n), r.batch(partsupp, 4*n)
	for key := first + 1; key <= first+int64(n); key++ {
		b.int32(key)
		b.buffer = drawColors(b.buffer[:0], name, 5)
		b.bytes(b.buffer)
		m := maker.between(1, 5)
		b.text("Manufacturer#"+digit(m)).text("Brand#"+digit(m)+digit(brand.between(1, 5))).text(partTypes.draw(kind)).
			int32(size.between(1, 50)).text(containers.draw(container)).cents(retailPrice(key)).bytes(comment.comment(14)).
			endRow(name, maker, brand, kind, size, container, comment)
		for i := range int64(4) {
			of.int32(key).int32(r.supplierOf(key, i)).int32(quantity.between(1, 9999)).cents(cost.between(100, 100000)).
				bytes(offer.comment(124)).endRow()
		}
		of.endRow(quantity, cost, offer)
	}
	return []arrow.Record{b.record(), of.record()}
}

func digit(n int64) string { return "0123456789"[n : n+1] }
