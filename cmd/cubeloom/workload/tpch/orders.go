package tpch

import (
	"time"

	"github.com/apache/arrow/go/v15/arrow"
)

// Days from the first of 1992.
const (
	lastOrder = 2405 // the last day of orders
	today     = 1263 // what is received by then has been accepted or returned: 17 June 1995
)

var firstDay = arrow.Date32FromTime(time.Date(1992, 1, 1, 0, 0, 0, 0, time.UTC))

// maxLines is how many lines an order has at most.
const maxLines = 7

func (r *rows) orders(first int64, n int) []arrow.Record {
	buyer, date, priority := column{851767375, 1}.from(first), column{1066728069, 1}.from(first), column{591449447, 1}.from(first)
	clerk, comment, count := column{1171034773, 1}.from(first), column{276090261, 2}.from(first), column{1434868289, 1}.from(first)
	b, l := r.batch(orders, n), newLines(r, first, n)
	for i := first + 1; i <= first+int64(n); i++ {
		// Of 32 keys the first eight are used.
		key := i>>3<<5 | i&7
		by, day := r.buyer(buyer), date.between(0, lastOrder)
		total, status := l.ofOrder(key, day, count.between(1, maxLines))
		b.int64(key).int32(by).text(status).cents(total).day(day).text(priorities.draw(priority)).
			numbered("Clerk#", clerk.between(1, 1000*r.whole())).int32(0).bytes(comment.comment(49)).
			endRow(buyer, date, priority, clerk, comment, count)
	}
	return []arrow.Record{b.record(), l.out.record()}
}

// buyer draws a customer: a third of them, whose keys three divides, places no orders.
func (r *rows) buyer(s *stream) int64 {
	last := customersAtScale1 * r.whole()
	key := s.between(1, last)
	if key%3 == 0 {
		if key++; key > last {
			key -= 2
		}
	}
	return r.customerOf(key)
}

// lines makes the lines of orders.
type lines struct {
	*rows
	out                                                 *batch
	quantity, discount, tax, instruction, mode, comment *stream
	part, supplier, shipped, committed, received, flag  *stream
}

func newLines(r *rows, first int64, n int) *lines {
	of := func(seed uint64) *stream { return column{seed, maxLines}.from(first) }
	return &lines{
		rows: r, out: r.batch(lineitem, (maxLines+1)*n/2),
		quantity: of(209208115), discount: of(554590007), tax: of(721958466), instruction: of(1371272478), mode: of(675466456),
		part: of(1808217256), supplier: of(2095021727), shipped: of(1769349045), committed: of(904914315), received: of(373135028),
		flag: of(717419739), comment: column{1095462486, 2 * maxLines}.from(first),
	}
}

// ofOrder makes the lines of an order, and returns its total price in cents and its status.
func (l *lines) ofOrder(order, day, n int64) (total int64, status string) {
	delivered := int64(0)
	for number := int64(1); number <= n; number++ {
		price, done := l.line(order, number, day)
		total += price
		if done {
			delivered++
		}
	}
	l.out.endRow(l.quantity, l.discount, l.tax, l.instruction, l.mode, l.comment,
		l.part, l.supplier, l.shipped, l.committed, l.received, l.flag)
	switch delivered {
	case 0:
		return total, "O"
	case n:
		return total, "F"
	}
	return total, "P"
}

// line makes a line, and returns its share of the order's total price in cents, and
// whether it was delivered.
func (l *lines) line(order, number, day int64) (share int64, delivered bool) {
	quantity, discount, tax := l.quantity.between(1, 50), l.discount.between(0, 10), l.tax.between(0, 8)
	part, offer := l.part.between(1, partsAtScale1*l.whole()), l.supplier.between(0, 3)
	part, supplier := l.offer(part, offer)
	shipped, committed := day+l.shipped.between(1, 121), day+l.committed.between(30, 90)
	received := shipped + l.received.between(1, 30)
	flag, status := "N", "O"
	if received <= today {
		flag = returnFlags.draw(l.flag)[:1]
	}
	if shipped <= today {
		status = "F"
	}
	price := retailPrice(part) * quantity
	l.out.int64(order).int32(part).int32(supplier).int32(number).
		cents(100 * quantity).cents(price).cents(discount).cents(tax).
		text(flag).text(status).day(shipped).day(committed).day(received).
		text(instructions.draw(l.instruction)).text(modes.draw(l.mode)).bytes(l.comment.comment(27)).endRow()
	return price * (100 - discount) / 100 * (100 + tax) / 100, status == "F"
}

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
