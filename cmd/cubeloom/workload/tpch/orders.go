package tpch

import "github.com/apache/arrow/go/v15/arrow"

// Days from the first of 1992.
const (
	lastOrder = 2405 // the last day of orders
	today     = 1263 // what is received by then has been accepted or returned: 17 June 1995
)

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
