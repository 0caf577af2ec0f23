package several

import (
	"cmp"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// pays reports whether the rows of a relation are to be shared for a kernel that reads some columns: whether what
// the other devices read of them takes longer, with what else is saved, than what comes together with sharing, or one
// device has no room for them.
func (b *Backend) pays(rel runtime.Relation, cols []int, saved float64) bool {
	if b.insists {
		return true
	}
	sharing := b.figures().Sharing
	if b.savesAtMost(rel, cols)+saved <= sharing {
		return false
	}
	bytes := b.bytes(rel, cols)
	return b.saves(bytes)+saved > sharing || b.isMuch(bytes)
}

// cutFor is cut for a kernel that reads the rows.
func (b *Backend) cutFor(f *kernel.Func, rel runtime.Relation, exchange string) ([]runtime.Relation, error) {
	saved, _ := b.savesBesides(f, rel)
	cols := scanned(f)
	return b.cut(rel, cols, b.pays(rel, cols, saved) && !b.eachBuilds(f, rel, exchange))
}

// eachBuilds reports whether the kernel makes a table of so few rows that each device has made that of all of them
// before it would have copied those of the others, where nothing says how rows are exchanged.
func (b *Backend) eachBuilds(f *kernel.Func, rel runtime.Relation, exchange string) bool {
	if _, builds := f.Sink.(*kernel.Build); !builds || exchange == exchangeCopy || exchange == exchangeHash {
		return false
	}
	launches := len(b.members) + 1 // for the rows of each device, and the table of them
	return b.savesAtMost(rel, scanned(f)) < float64(launches)*b.figures().Launch
}

// savesGrouping is how many nanoseconds less a device takes that groups only its share of so many rows, where their groups
// are too many for its cache.
func (b *Backend) savesGrouping(f *kernel.Func, rows float64) float64 {
	agg, ok := f.Sink.(*kernel.Aggregate)
	if !ok || agg.Strategy == kernel.Ordered {
		return 0
	}
	device, bytes := b.figures(), bytesOf(codegen.Row(f))
	rows = grouped(f, rows)
	if b.groupsOf(f, agg, rows)*bytes <= float64(device.Groups.CacheBytes) {
		return 0
	}
	return b.grouping(rows, bytes) * (1 - 1/float64(len(b.members))) / device.Expand.Doubt
}

// savesBesides is how many nanoseconds devices save that share the rows of a table for a kernel, besides those of reading
// fewer bytes each: by the times that the kernel took, shared and not, where it has run, else where its groups are too
// many for a cache. Known says that it was shared: what sharing costs is in its time.
func (b *Backend) savesBesides(f *kernel.Func, rel runtime.Relation) (saved float64, known bool) {
	saved = b.savesGrouping(f, float64(rel.Rows()))
	n, device := len(b.members), b.figures()
	if _, stored := rel.(runtime.Versioned); b.insists || !stored {
		return saved, false
	}
	one, shared := b.cuts.time(f, 1), b.cuts.time(f, n)
	if one == 0 {
		return saved, false
	}
	read := b.saves(b.bytes(rel, scanned(f)))
	if shared > 0 {
		return one - shared + device.Sharing - read, true
	}
	return max(saved, max(one-device.Step, 0)*(1-1/float64(n))-read), false
}

// isMuch reports whether one device has no room for so many bytes of columns.
func (b *Backend) isMuch(bytes float64) bool {
	return bytes > float64(b.members[0].cuda.Info().TotalMemory)/4*3
}

// bytes is the memory that columns of a relation take on a device. Of tables it is remembered, as finding it goes over
// all blocks.
func (b *Backend) bytes(rel runtime.Relation, cols []int) float64 {
	of := func(cols ...int) int64 { return b.members[0].cuda.Needs(rel, cols).Bytes }
	v, ok := rel.(runtime.Versioned)
	if !ok {
		return float64(of(cols...))
	}
	bytes := int64(0)
	for _, o := range cols {
		bytes += b.cuts.bytes(column{v.Version(), o}, func() int64 { return of(o) })
	}
	return float64(bytes)
}

// savesAtMost is what reading some columns of a relation saves if these are stored as wide as their types are.
func (b *Backend) savesAtMost(rel runtime.Relation, cols []int) float64 {
	return b.saves(float64(rel.Rows()) * bytesOf(columnTypes(rel, cols)))
}

// columnTypes are the types of some columns.
func columnTypes(rel runtime.Relation, cols []int) []kernel.Type {
	all := rel.Types()
	return lists.Map(cols, func(o int) kernel.Type { return all[o] })
}

// saves is how many nanoseconds the fewer bytes take that one device reads of so many.
func (b *Backend) saves(bytes float64) float64 {
	return bytes * (1 - 1/float64(len(b.members))) * 1e9 / b.figures().Bandwidth
}

// figures are what operations cost a device.
func (b *Backend) figures() *machine.Device {
	if first := b.members[0].cuda; first != nil {
		return &first.Target().Device
	}
	return &machine.Current().Device
}

// grouping is how many nanoseconds a device takes to group rows in a table that its cache does not hold.
func (b *Backend) grouping(rows, bytes float64) float64 {
	device := b.figures()
	return device.Bytes(rows * (2*bytes + float64(device.Groups.Dealt+device.Groups.Parted)))
}

// onOne is how many nanoseconds it takes that one device merges so many rows of each.
func (b *Backend) onOne(rows, bytes float64) float64 {
	n := float64(len(b.members))
	return (n-1)*rows*bytes*1e9/b.figures().Peer + b.grouping(n*rows, bytes)
}

// exchanging is how many nanoseconds it takes that devices exchange so many rows of each: these are divided,
// sent, and put together.
func (b *Backend) exchanging(rows, bytes float64) float64 {
	device, n := b.figures(), float64(len(b.members))
	return 2*device.Step + (1-1/n)*rows*bytes*1e9/device.Peer + device.Bytes(4*rows*bytes)
}

// onAll is how many nanoseconds it takes that they exchange so many rows of each, and each merges a part.
func (b *Backend) onAll(rows, bytes float64) float64 {
	return b.exchanging(rows, bytes) + b.grouping(rows, bytes)
}

// grouped is how many of so many rows of its source a kernel is likely to group, where it does.
func grouped(f *kernel.Func, rows float64) float64 {
	if agg, ok := f.Sink.(*kernel.Aggregate); ok && agg.Rows > 0 {
		return agg.Rows
	}
	return rows
}

// groupsOf is how many groups a kernel is likely to make of so many rows: as many as the last time that it ran.
func (b *Backend) groupsOf(f *kernel.Func, agg *kernel.Aggregate, rows float64) float64 {
	return min(rows, cmp.Or(b.cuts.groups(f), agg.Groups))
}

// mergePays reports whether the groups of shares of a table are put together in less time than sharing the table saves:
// each share may have all of them.
func (b *Backend) mergePays(f *kernel.Func, how *codegen.Shares, of any) bool {
	agg, ok := f.Sink.(*kernel.Aggregate)
	rel, stored := of.(runtime.Versioned)
	if !ok || !stored || b.insists || how.Exchange != codegen.ExchangeGroups {
		return true
	}
	n, device, bytes := float64(len(b.members)), b.figures(), bytesOf(how.Row())
	rows := grouped(f, float64(rel.Rows()))
	groups := min(b.groupsOf(f, agg, rows), rows/n)
	read := b.bytes(rel, scanned(f))
	merged := b.onOne(groups, bytes)
	if how.By >= 0 {
		merged = min(merged, b.onAll(groups, bytes))
	}
	saved, known := b.savesBesides(f, rel)
	if known {
		merged = 0
	}
	return b.saves(read)+saved > device.Sharing+merged || b.isMuch(read)
}

// scanned are the columns of its source that a kernel reads, which is a relation.
func scanned(f *kernel.Func) []int {
	var cols []int
	for _, c := range f.Source.(*kernel.Scan).Cols {
		cols = append(cols, c.Ordinal)
	}
	return cols
}

// manyGroups is why a kernel is not shared whose groups are too many.
const manyGroups = "merging its groups would take longer than sharing its rows saves"

// bytesOf is what a row takes.
func bytesOf(types []kernel.Type) float64 {
	bytes := 0.0
	for _, t := range types {
		bytes += typeBytes[t]
	}
	return bytes
}

// typeBytes is what a value takes on a device.
var typeBytes = map[kernel.Type]float64{
	kernel.Bool: 1. / 8, kernel.I32: 4, kernel.I64: 8, kernel.I128: 16, kernel.F64: 8, kernel.Num: 24, kernel.Interval: 16, kernel.Str: 8, kernel.Code: 4,
}
