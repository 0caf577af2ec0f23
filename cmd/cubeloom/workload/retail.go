package workload

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
)

// Retail generates a retail schema: seven dimensions, the sales of stores and of web
// sites, in the order of their days, and the returns of stores. Keys count from 1.
type Retail struct {
	SF float64 // of the facts, customers and addresses
}

// Validate reports a scale factor out of range.
func (r Retail) Validate() error {
	if !(r.SF > 0 && r.SF <= 100) {
		return fmt.Errorf("scale factor %v: must be above 0 and at most 100", r.SF)
	}
	return nil
}

// Rows of the tables that all scale factors have.
const (
	retailDays       = 1826 // 2018-01-01 to 2022-12-31
	retailItems      = 18_000
	retailStores     = 12
	retailSites      = 30
	retailPromotions = 300
	retailFirstDay   = 17_532 // since 1970-01-01
	retailReturned   = 8      // one of so many sales is returned
)

// retailColumn is a column and its value in each row.
type retailColumn struct {
	name, typ string
	value     func(row int64) int64 // unscaled of numeric; the place in words of text
	words     []string
}

type retailTable struct {
	name    string
	rows    int64
	columns []retailColumn
}

func (r Retail) scaled(rows int64) int64 { return max(int64(float64(rows)*r.SF), 1) }

// tables are the tables with the values of their columns.
func (r Retail) tables(seed uint64) []retailTable {
	id := 5000
	draw := func(lo, hi int64) func(int64) int64 {
		id++
		s := newStream(seed, id)
		return func(row int64) int64 { return s.between(row, lo, hi) }
	}
	key := func(row int64) int64 { return row + 1 }
	word := func(name string, list ...string) retailColumn {
		return retailColumn{name, "text", draw(0, int64(len(list)-1)), list}
	}
	number := func(name string, value func(int64) int64) retailColumn {
		return retailColumn{name: name, typ: "integer", value: value}
	}
	price := func(name string, lo, hi int64) retailColumn {
		return retailColumn{name: name, typ: "numeric(12,2)", value: draw(lo, hi)}
	}
	calendar := func(f func(year, month, day int64) int64) func(int64) int64 {
		return func(row int64) int64 {
			t := arrow.Date32(retailFirstDay + row).ToTime()
			return f(int64(t.Year()), int64(t.Month()), int64(t.Day()))
		}
	}
	customers, addresses, sales := r.scaled(100_000), r.scaled(50_000), r.scaled(2_880_000)
	onWeb := max(sales/4, 1)
	states := []string{"AL", "CA", "GA", "IL", "KS", "MI", "NY", "OH", "TN", "TX"}
	dayOf := func(rows int64) func(int64) int64 {
		return func(row int64) int64 { return 1 + share(row, retailDays, rows) }
	}
	sold := func(p string, rows, places int64, place string) []retailColumn {
		return []retailColumn{
			number(p+"date_sk", dayOf(rows)), number(p+"ticket", key), number(p+"item_sk", draw(1, retailItems)),
			number(p+"customer_sk", draw(1, customers)), number(p+place, draw(1, places)), number(p+"promo_sk", draw(1, retailPromotions)),
			number(p+"quantity", draw(1, 100)), price(p+"price", 100, 20_000), price(p+"profit", -10_000, 10_000),
		}
	}
	store, web := sold("ss_", sales, retailStores, "store_sk"), sold("ws_", onWeb, retailSites, "site_sk")
	late := draw(1, 60)
	sale := func(row int64) int64 { return row * retailReturned }
	returns := []retailColumn{
		number("sr_date_sk", func(row int64) int64 { return min(store[0].value(sale(row))+late(row), retailDays) }),
		number("sr_ticket", func(row int64) int64 { return store[1].value(sale(row)) }),
		number("sr_item_sk", func(row int64) int64 { return store[2].value(sale(row)) }),
		number("sr_customer_sk", func(row int64) int64 { return store[3].value(sale(row)) }),
		price("sr_amount", 100, 20_000),
	}
	categories := []string{"Books", "Children", "Electronics", "Home", "Jewelry", "Men", "Music", "Shoes", "Sports", "Women"}
	return []retailTable{
		{"date_dim", retailDays, []retailColumn{
			number("d_date_sk", key), {name: "d_date", typ: "date", value: func(row int64) int64 { return retailFirstDay + row }},
			number("d_year", calendar(func(year, _, _ int64) int64 { return year })),
			number("d_moy", calendar(func(_, month, _ int64) int64 { return month })),
			number("d_dom", calendar(func(_, _, day int64) int64 { return day })),
		}},
		{"item", retailItems, []retailColumn{number("i_item_sk", key), word("i_category", categories...), number("i_brand_id", draw(1, 500)), price("i_price", 100, 20_000)}},
		{"address", addresses, []retailColumn{number("a_address_sk", key), word("a_state", states...)}},
		{"customer", customers, []retailColumn{number("c_customer_sk", key), number("c_address_sk", draw(1, addresses)), number("c_birth_year", draw(1930, 2000))}},
		{"store", retailStores, []retailColumn{number("s_store_sk", key), word("s_state", states...)}},
		{"web_site", retailSites, []retailColumn{number("w_site_sk", key), word("w_class", "shop", "outlet", "auction")}},
		{"promotion", retailPromotions, []retailColumn{number("p_promo_sk", key), word("p_channel", "mail", "event", "press")}},
		{"store_sales", sales, store},
		{"web_sales", onWeb, web},
		{"store_returns", max(sales/retailReturned, 1), returns},
	}
}

// Tables implements Set: the dimensions first.
func (r Retail) Tables() []Table {
	var tables []Table
	for _, t := range r.tables(0) {
		list := make([]string, len(t.columns))
		for i, c := range t.columns {
			list[i] = c.name + " " + c.typ
		}
		tables = append(tables, NewTable(t.name, t.rows, strings.Join(list, ", ")))
	}
	return tables
}

// Generate implements Set.
func (r Retail) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := r.Validate(); err != nil {
		return err
	}
	tables := r.Tables()
	sources := make([]source, len(tables))
	for i, t := range r.tables(opts.Seed) {
		sources[i] = func(first int64, n int) []arrow.Array {
			arrays := make([]arrow.Array, len(t.columns))
			for k := range t.columns {
				arrays[k] = t.columns[k].array(first, n)
			}
			return arrays
		}
	}
	return generate(ctx, opts, tables, sources, emit)
}

// array are n values from a row on.
func (c *retailColumn) array(first int64, n int) arrow.Array {
	switch c.typ {
	case "text":
		t := newTexts(n, 8)
		for i := range int64(n) {
			t.add(c.words[c.value(first+i)])
		}
		return t.array()
	case "numeric(12,2)":
		v := make([]decimal128.Num, n)
		for i := range v {
			v[i] = decimal128.FromI64(c.value(first + int64(i)))
		}
		return decimalArray(priceType, v)
	}
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(c.value(first + int64(i)))
	}
	return fixedArray(arrowType(c.typ), n, arrow.Int32Traits.CastToBytes(v))
}

// Queries are pairs, each a question as it is mostly written and, with "by hand" behind
// its name, as one writes it for an engine that does not rewrite it.
func (r Retail) Queries() []Query {
	sales := "SELECT 'store' AS channel, ss_date_sk AS date_sk, ss_item_sk AS item_sk, ss_price AS price FROM store_sales\n" +
		"UNION ALL\nSELECT 'web', ws_date_sk, ws_item_sk, ws_price FROM web_sales"
	part := func(p, table string) string {
		return fmt.Sprintf("SELECT i_category, %[1]sprice AS price FROM %[2]s JOIN item ON i_item_sk = %[1]sitem_sk JOIN date_dim ON d_date_sk = %[1]sdate_sk WHERE d_year = 2020 AND d_moy = 11", p, table)
	}
	years := "SELECT ss_customer_sk AS customer, d_year AS year, sum(ss_price) AS total\n" +
		"FROM store_sales JOIN date_dim ON d_date_sk = ss_date_sk GROUP BY ss_customer_sk, d_year"
	yearly := func(how string) string {
		return "WITH years AS " + how + "(" + years + ")\nSELECT count(*), sum(c.total - a.total)\nFROM years a, years b, years c\n" +
			"WHERE a.customer = b.customer AND b.customer = c.customer AND b.year = a.year + 1 AND c.year = b.year + 1 AND b.total > 2 * a.total"
	}
	spend := "SELECT ss_customer_sk AS customer, sum(ss_price) AS total FROM store_sales GROUP BY ss_customer_sk"
	above := "SELECT count(*), sum(a.total) FROM %s AS a WHERE a.total > (SELECT 1.2 * avg(total) FROM %s AS b)"
	days := int64(retailDays) / 2
	return []Query{
		{Name: "channel", SQL: "SELECT count(*), sum(price)\nFROM (" + sales + ") AS sales\nWHERE channel = 'store'"},
		{Name: "channel by hand", SQL: "SELECT count(*), sum(ss_price) FROM store_sales"},
		{Name: "both channels", SQL: "SELECT i_category, count(*), sum(price)\nFROM (" + sales + ") AS sales JOIN item ON i_item_sk = item_sk JOIN date_dim ON d_date_sk = date_sk\nWHERE d_year = 2020 AND d_moy = 11\nGROUP BY i_category"},
		{Name: "both channels by hand", SQL: "SELECT i_category, count(*), sum(price)\nFROM (" + part("ss_", "store_sales") + "\nUNION ALL\n" + part("ws_", "web_sales") + ") AS sales\nGROUP BY i_category"},
		{Name: "years", SQL: yearly("")},
		{Name: "years by hand", SQL: yearly("MATERIALIZED ")},
		{Name: "spenders", SQL: fmt.Sprintf(above, "("+spend+")", "("+spend+")")},
		{Name: "spenders by hand", SQL: "WITH spend AS MATERIALIZED (" + spend + ")\n" + fmt.Sprintf(above, "spend", "spend")},
		{Name: "kept", SQL: "SELECT count(*), sum(ss_profit)\nFROM store_sales LEFT JOIN store_returns ON sr_ticket = ss_ticket AND sr_item_sk = ss_item_sk\nWHERE sr_ticket IS NULL"},
		{Name: "kept by hand", SQL: "SELECT count(*), sum(ss_profit)\nFROM store_sales\nWHERE NOT EXISTS (SELECT 1 FROM store_returns WHERE sr_ticket = ss_ticket AND sr_item_sk = ss_item_sk)"},
		{Name: "sixty days", SQL: "SELECT ss_store_sk, count(*), sum(ss_price)\nFROM store_sales JOIN date_dim ON d_date_sk = ss_date_sk\nWHERE d_date >= date '1970-01-01' + " + strconv.Itoa(int(retailFirstDay+days)) + " AND d_date < date '1970-01-01' + " + strconv.Itoa(int(retailFirstDay+days+60)) + "\nGROUP BY ss_store_sk"},
		{Name: "sixty days by hand", SQL: fmt.Sprintf("SELECT ss_store_sk, count(*), sum(ss_price)\nFROM store_sales\nWHERE ss_date_sk >= %d AND ss_date_sk < %d\nGROUP BY ss_store_sk", days+1, days+61)},
		{Name: "spread", SQL: "SELECT ss_customer_sk, stddev_samp(ss_quantity)\nFROM store_sales\nWHERE ss_customer_sk <= 45000\nGROUP BY ss_customer_sk", Magnitude: 100},
		{Name: "spread by hand", SQL: "SELECT ss_customer_sk, avg(ss_quantity)\nFROM store_sales\nWHERE ss_customer_sk <= 45000\nGROUP BY ss_customer_sk"},
	}
}
