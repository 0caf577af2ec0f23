package several

import (
	"cmp"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

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

// groupsOf is how many groups a kernel is likely to make of so many rows: as many as the last time that it ran.
func (b *Backend) groupsOf(f *kernel.Func, agg *kernel.Aggregate, rows float64) float64 {
	return min(rows, cmp.Or(b.cuts.groups(f), agg.Groups))
}

// mergesOnAll reports whether what shares make, so many rows on each device, is merged by parts.
func (b *Backend) mergesOnAll(how *codegen.Shares, rows float64, exchange string) bool {
	switch {
	case how.By < 0 || exchange == exchangeCopy:
		return false
	case exchange == exchangeHash:
		return true
	}
	bytes := bytesOf(how.Row())
	return b.onAll(rows, bytes) < b.onOne(rows, bytes)
}

// parts is how devices put together what so many rows of each are likely to give.
func (b *Backend) parts(f *kernel.Func, how *codegen.Shares, rows float64, exchange string) *codegen.Shares {
	agg, groups := f.Sink.(*kernel.Aggregate)
	groups = groups && how.Exchange == codegen.ExchangeGroups
	left := rows
	if groups {
		left = b.groupsOf(f, agg, rows)
	}
	if !b.mergesOnAll(how, left, exchange) {
		return how
	}
	if groups {
		byRows := codegen.ShareRows(f, agg)
		if b.exchanging(rows, bytesOf(byRows.Row())) < b.onAll(left, bytesOf(how.Row())) {
			how = byRows
		}
	}
	return how.Parted(len(b.members))
}

// ahead is how the kernel is done where devices exchange its rows instead of what shares make of them: that is decided
// by estimates.
func (r *run) ahead(how *codegen.Shares, src *source) *codegen.Shares {
	rows := src.rows()
	if agg, ok := r.f.Sink.(*kernel.Aggregate); ok && agg.Rows > 0 {
		rows = agg.Rows
	}
	n := float64(len(r.backend.members))
	parts := r.backend.parts(r.f, how, rows/n, r.opts.Exchange)
	if parts.Parts > 0 && parts.Divide == nil && r.runs(parts.Local, parts.Merge) {
		return parts
	}
	return how
}

// parted is how what shares have made is put together, now that it is known how many rows these are.
func (r *run) parted(how *codegen.Shares, made []runtime.Output) *codegen.Shares {
	rows := 0.0
	for _, out := range made {
		rows += float64(out.(runtime.Relation).Rows())
	}
	n := len(r.backend.members)
	if how.Exchange != codegen.ExchangeGroups || rows == 0 {
		return how
	}
	r.groups = rows / float64(n)
	if !r.backend.mergesOnAll(how, rows/float64(n), r.opts.Exchange) {
		return how
	}
	if parts := how.Parted(n); r.runs(parts.Divide, parts.Merge) {
		return parts
	}
	return how
}
