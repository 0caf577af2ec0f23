package workload

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
)

const ssbCustomerColumns = "c_custkey integer, c_name varchar(25), c_address varchar(25), c_city varchar(10), " +
	"c_nation varchar(15), c_region varchar(12), c_phone varchar(15), c_mktsegment varchar(10)"

const ssbSupplierColumns = "s_suppkey integer, s_name varchar(25), s_address varchar(25), s_city varchar(10), " +
	"s_nation varchar(15), s_region varchar(12), s_phone varchar(15)"

const ssbPartColumns = "p_partkey integer, p_name varchar(22), p_mfgr varchar(6), p_category varchar(7), p_brand1 varchar(9), " +
	"p_color varchar(11), p_type varchar(25), p_size integer, p_container varchar(10)"

// keys numbers the rows [first, first+n) from 1.
func keys(first int64, n int) []int32 {
	k := make([]int32, n)
	for i := range k {
		k[i] = int32(first) + int32(i) + 1
	}
	return k
}

// A partner computes what customers and suppliers have in common.
type partner struct {
	nation, city, addressLength, address, phone stream
}

func newPartner(streams func(int) stream) partner {
	return partner{streams(0), streams(1), streams(2), streams(3), streams(4)}
}

// arrays computes the columns from key to phone, names starting with kind.
func (p partner) arrays(kind string, first int64, n int) []arrow.Array {
	name, address, city := newTexts(n, 18), newTexts(n, 18), newTexts(n, 10)
	nation, region, phone := newTexts(n, 15), newTexts(n, 12), newTexts(n, 15)
	for i := range int64(n) {
		row := first + i
		name.add(fmt.Sprintf("%s#%09d", kind, row+1))
		p.addAddress(address, row)
		key := p.nation.between(row, 0, int64(len(nations))-1)
		home := nations[key]
		city.add(fmt.Sprintf("%-9.9s%d", home.name, p.city.between(row, 0, 9)))
		nation.add(home.name)
		region.add(regions[home.region])
		digits := p.phone.at(row)
		phone.add(fmt.Sprintf("%d-%03d-%03d-%04d", 10+key,
			100+digits%900, 100+digits>>16%900, 1000+digits>>32%9000))
	}
	return []arrow.Array{int32Array(keys(first, n)), name.array(), address.array(), city.array(),
		nation.array(), region.array(), phone.array()}
}

// addAddress adds 10 to 25 random letters.
func (p partner) addAddress(to *texts, row int64) {
	length := p.addressLength.between(row, 10, 25)
	for done := int64(0); done < length; done += 10 {
		bits := p.address.at(row*3 + done/10)
		for range min(10, length-done) {
			to.bytes = append(to.bytes, addressLetters[bits&63])
			bits >>= 6
		}
	}
	to.end()
}

type ssbCustomer struct {
	partner
	segment stream
}

func newSSBCustomer(streams func(int) stream) ssbCustomer {
	return ssbCustomer{newPartner(streams), streams(10)}
}

func (c ssbCustomer) rows(first int64, n int) []arrow.Array {
	segment := newTexts(n, 10)
	for i := range int64(n) {
		segment.add(segments[c.segment.between(first+i, 0, int64(len(segments))-1)])
	}
	return append(c.arrays("Customer", first, n), segment.array())
}

type ssbSupplier struct{ partner }

func newSSBSupplier(streams func(int) stream) ssbSupplier {
	return ssbSupplier{newPartner(streams)}
}

func (s ssbSupplier) rows(first int64, n int) []arrow.Array {
	return s.arrays("Supplier", first, n)
}

type ssbPart struct {
	name1, name2, brand, color, kind, size, container stream
}

func newSSBPart(streams func(int) stream) ssbPart {
	return ssbPart{streams(0), streams(1), streams(2), streams(3), streams(4), streams(5), streams(6)}
}

func (p ssbPart) rows(first int64, n int) []arrow.Array {
	name, mfgr, category, brand1 := newTexts(n, 14), newTexts(n, 6), newTexts(n, 7), newTexts(n, 9)
	color, kind, container := newTexts(n, 7), newTexts(n, 21), newTexts(n, 8)
	size := make([]int32, n)
	for i := range int64(n) {
		row := first + i
		name.add(pick(p.name1, row, colors[:]) + " " + pick(p.name2, row, colors[:]))
		// Every brand of the 5 manufacturers × 5 categories × 40 is as likely.
		b := p.brand.between(row, 0, 999)
		maker, class, brand := 1+b/200, 1+b/40%5, 1+b%40
		mfgr.add(fmt.Sprintf("MFGR#%d", maker))
		category.add(fmt.Sprintf("MFGR#%d%d", maker, class))
		brand1.add(fmt.Sprintf("MFGR#%d%d%d", maker, class, brand))
		color.add(pick(p.color, row, colors[:]))
		k := p.kind.between(row, 0, 149)
		kind.add(typeSizes[k/25] + " " + typeFinishes[k/5%5] + " " + typeMetals[k%5])
		size[i] = int32(p.size.between(row, 1, 50))
		c := p.container.between(row, 0, 39)
		container.add(containerSizes[c/8] + " " + containerKinds[c%8])
	}
	return []arrow.Array{int32Array(keys(first, n)), name.array(), mfgr.array(), category.array(),
		brand1.array(), color.array(), kind.array(), int32Array(size), container.array()}
}

func pick(s stream, row int64, from []string) string {
	return from[s.between(row, 0, int64(len(from))-1)]
}
