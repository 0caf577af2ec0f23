package several

import (
	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

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
	rows, n := grouped(r.f, src.rows()), float64(len(r.backend.members))
	parts := r.backend.parts(r.f, how, rows/n, r.opts.Exchange)
	if parts.Parts > 0 && parts.Divide == nil && r.runs(parts.Local, parts.Merge) {
		return parts
	}
	return how
}

// parted is how what shares have made is put together, now that it is known how many rows these are.
func (r *run) parted(how *codegen.Shares, made []runtime.Output) *codegen.Shares {
	rows, n := counted(made), len(r.backend.members)
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
