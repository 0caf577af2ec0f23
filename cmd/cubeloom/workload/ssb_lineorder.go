package workload

import "github.com/apache/arrow/go/v15/arrow"

const ssbLineorderColumns = "lo_orderkey integer, lo_linenumber integer, lo_custkey integer, lo_partkey integer, " +
	"lo_suppkey integer, lo_orderdate integer, lo_orderpriority varchar(15), lo_shippriority integer, " +
	"lo_quantity integer, lo_extendedprice integer, lo_ordtotalprice integer, lo_discount integer, " +
	"lo_revenue integer, lo_supplycost integer, lo_tax integer, lo_commitdate integer, " +
	"lo_shipmode varchar(10)"

const (
	// Orders have one to seven lines. In each run of seven orders every
	// number of lines occurs once, in random order: the mean is exactly the
	// four of the specification, and the order of a row can be computed.
	ordersPerRun = 7
	linesPerRun  = 28

	// lastOrderDay is the last day of the calendar that an order may have:
	// dbgen leaves room for shipping (121 days) and receipt (30 days).
	lastOrderDay = calendarDays - 152
)

type lineorder struct {
	customers, suppliers, parts int64
	days                        []int32 // calendarKeys

	lineCounts, customer, orderDay, priority                       stream // by order
	part, supplier, quantity, discount, tax, commitDelay, shipMode stream // by line
}

func newLineorder(s SSB, streams func(int) stream) *lineorder {
	return &lineorder{
		customers: s.customers(), suppliers: s.suppliers(), parts: s.parts(), days: calendarKeys(),
		lineCounts: streams(0), customer: streams(1), orderDay: streams(2), priority: streams(3),
		part: streams(4), supplier: streams(5), quantity: streams(6), discount: streams(7), tax: streams(8),
		commitDelay: streams(9), shipMode: streams(10),
	}
}

// lineorderColumns are the columns of one batch, in the order of the schema.
type lineorderColumns struct {
	orderKey, line, customer, part, supplier, orderDate, shipPriority, quantity []int32
	extended, total, discount, revenue, supplyCost, tax, commitDate             []int32
	priority, shipMode                                                          *texts
}

func newLineorderColumns(n int) *lineorderColumns {
	c := &lineorderColumns{priority: newTexts(n, 10), shipMode: newTexts(n, 5)}
	for _, col := range c.integers() {
		*col = make([]int32, 0, n)
	}
	return c
}

func (c *lineorderColumns) integers() []*[]int32 {
	return []*[]int32{&c.orderKey, &c.line, &c.customer, &c.part, &c.supplier, &c.orderDate, &c.shipPriority,
		&c.quantity, &c.extended, &c.total, &c.discount, &c.revenue, &c.supplyCost, &c.tax, &c.commitDate}
}

func (c *lineorderColumns) arrays() []arrow.Array {
	return []arrow.Array{
		int32Array(c.orderKey), int32Array(c.line), int32Array(c.customer), int32Array(c.part),
		int32Array(c.supplier), int32Array(c.orderDate), c.priority.array(), int32Array(c.shipPriority),
		int32Array(c.quantity), int32Array(c.extended), int32Array(c.total), int32Array(c.discount),
		int32Array(c.revenue), int32Array(c.supplyCost), int32Array(c.tax), int32Array(c.commitDate), c.shipMode.array()}
}

// rows is the source of table lineorder; first is a multiple of linesPerRun.
func (l *lineorder) rows(first int64, n int) []arrow.Array {
	c := newLineorderColumns(n)
	for order := first / linesPerRun * ordersPerRun; len(c.line) < n; order += ordersPerRun {
		counts := l.runLineCounts(order / ordersPerRun)
		for i, lines := range counts {
			l.addOrder(c, order+int64(i), lines, n)
		}
	}
	return c.arrays()
}

// runLineCounts is a random permutation of 1 … 7 (Fisher–Yates).
func (l *lineorder) runLineCounts(run int64) [ordersPerRun]int {
	counts := [ordersPerRun]int{1, 2, 3, 4, 5, 6, 7}
	x := l.lineCounts.at(run)
	for i := ordersPerRun - 1; i > 0; i-- {
		j := int(x % uint64(i+1))
		x /= uint64(i + 1)
		counts[i], counts[j] = counts[j], counts[i]
	}
	return counts
}

// addOrder adds the lines of one order while there are fewer than limit rows.
// The total price covers all lines, those beyond the limit too.
func (l *lineorder) addOrder(c *lineorderColumns, order int64, lines, limit int) {
	customer := l.customer.between(order, 1, l.customers)
	if customer%3 == 0 {
		customer--
	}
	day := l.orderDay.between(order, 0, lastOrderDay)
	priority := pick(l.priority, order, priorities[:])
	start, total := len(c.line), int64(0)
	for i := range int64(lines) {
		at := order*ordersPerRun + i
		price, tax := l.addLine(c, at, limit)
		total += price * (100 + tax) / 100
		if len(c.line) == limit {
			continue
		}
		c.line = append(c.line, int32(i)+1)
		c.orderKey = append(c.orderKey, sparseKey(order))
		c.customer = append(c.customer, int32(customer))
		c.orderDate = append(c.orderDate, l.days[day])
		c.priority.add(priority)
		c.shipPriority = append(c.shipPriority, 0)
		c.commitDate = append(c.commitDate, l.days[day+l.commitDelay.between(at, 30, 90)])
		c.shipMode.add(pick(l.shipMode, at, shipModes[:]))
	}
	for range len(c.line) - start {
		c.total = append(c.total, int32(total))
	}
}

// addLine adds the columns that the line alone decides, if there are fewer
// than limit rows, and returns its revenue and tax.
func (l *lineorder) addLine(c *lineorderColumns, at int64, limit int) (revenue, tax int64) {
	part := l.part.between(at, 1, l.parts)
	quantity := l.quantity.between(at, 1, 50)
	discount := l.discount.between(at, 0, 10)
	tax = l.tax.between(at, 0, 8)
	unit := retailPrice(part)
	extended := unit * quantity
	revenue = extended * (100 - discount) / 100
	if len(c.part) < limit {
		c.part = append(c.part, int32(part))
		c.supplier = append(c.supplier, int32(l.supplier.between(at, 1, l.suppliers)))
		c.quantity = append(c.quantity, int32(quantity))
		c.extended = append(c.extended, int32(extended))
		c.discount = append(c.discount, int32(discount))
		c.revenue = append(c.revenue, int32(revenue))
		c.supplyCost = append(c.supplyCost, int32(6*unit/10))
		c.tax = append(c.tax, int32(tax))
	}
	return revenue, tax
}

// retailPrice is the price of a part in cents (TPC-H, clause 4.2.3).
func retailPrice(part int64) int64 {
	return 90_000 + part/10%20_001 + 100*(part%1_000)
}

// sparseKey is the key of order number order, counted from 0: of every 32 keys
// the first eight are used (TPC-H, clause 4.2.3).
func sparseKey(order int64) int32 {
	key := order + 1
	return int32(key>>3<<5 | key&7)
}
