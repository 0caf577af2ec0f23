package probe

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Pairs goes through the pairs of rows of a batch and rows of the other side with
// equal keys, a vector at a time.
type Pairs struct {
	p    *Prober
	from finder
	x    *compile.Expander
	rows []int32 // of the batch
	at   []int32 // of the table
	lone []int32
	hit  []uint8 // by row of the batch: it has a match
	// ordered says that rows go on in the order in which they come.
	ordered bool
}

// finder adds the pairs of the active rows of b to q, row by row, and flushes it.
type finder func(q *Pairs, b *vector.Batch, f exec.Consumer)

// newPairs makes one for a probe after which the values live are read.
func newPairs(p *Prober, from finder, live []kernel.ValueID, ordered bool) *Pairs {
	n := p.Worker.Rows
	return &Pairs{
		p: p, from: from, x: compile.NewExpander(p.Worker, live), ordered: ordered,
		rows: make([]int32, 0, n), at: make([]int32, 0, n), lone: make([]int32, n), hit: make([]uint8, n),
	}
}

// each calls f with batches of the pairs that match.
func (q *Pairs) each(b *vector.Batch, f exec.Consumer) {
	clear(q.hit)
	q.from(q, b, f)
}

// Add collects the pairs of a row of the batch and the rows [lo, hi) of the table. Rows
// with many go on in vectors of their own. For fewer, what a vector costs outweighs what
// its loops save.
func (q *Pairs) Add(row, lo, hi int32, b *vector.Batch, f exec.Consumer) {
	if int(hi-lo) > cap(q.rows)/4 {
		q.addRun(row, lo, hi, b, f)
		return
	}
	for ; lo < hi; lo++ {
		q.rows, q.at = append(q.rows, row), append(q.at, lo)
		if len(q.rows) == cap(q.rows) {
			q.Flush(b, f)
		}
	}
}

// addRun passes on the pairs of a row with many rows: what it has of the row is constant,
// and what lies in a row in the table is read as it lies.
func (q *Pairs) addRun(row, lo, hi int32, b *vector.Batch, f exec.Consumer) {
	if q.ordered {
		q.Flush(b, f)
	}
	for lo < hi {
		n := min(hi-lo, int32(cap(q.rows)))
		out := q.x.Single(b, row, int(n))
		q.p.loadFrom(out, int(lo))
		q.filter(out)
		if out.Active() > 0 {
			q.hit[row] = 1
			if q.p.In.Mark {
				for _, i := range out.ActiveRows() {
					q.p.Mark(lo + i)
				}
			}
			f(out)
		}
		lo += n
	}
}

// filter polls, and keeps the pairs for which the residual is true.
func (q *Pairs) filter(out *vector.Batch) {
	if q.p.Worker.Poll(); q.p.Check == nil {
		return
	}
	q.p.Check(out)
	out.Sel = nil
	compile.Keep(out, out.Value(q.p.In.Cond), q.p.Sel)
}

// Flush passes the collected pairs on.
func (q *Pairs) Flush(b *vector.Batch, f exec.Consumer) {
	if len(q.rows) == 0 {
		return
	}
	rows, at := q.rows, q.at
	q.rows, q.at = q.rows[:0], q.at[:0]
	out := q.x.Gather(b, rows)
	q.p.load(out, at)
	q.filter(out)
	if q.p.In.Kind != kernel.ProbeInner { // which does not ask what has a match
		for _, i := range out.ActiveRows() {
			q.hit[rows[i]] = 1
		}
	}
	if q.p.In.Mark {
		for _, i := range out.ActiveRows() {
			q.p.Mark(at[i])
		}
	}
	if out.Active() == 0 {
		return
	}
	f(out)
}

// split returns the active rows of b that have had a match, or those that have
// had none, in dst's memory.
func (q *Pairs) split(b *vector.Batch, hit uint8, dst []int32) []int32 {
	n := 0
	for _, r := range b.ActiveRows() {
		dst[n] = r
		n += int(1 ^ q.hit[r] ^ hit)
	}
	return dst[:n]
}

// FilterPairs is the probe of kind semi or anti with a residual or marks over
// keys with several rows.
func (p *Prober) FilterPairs(from finder) exec.Step {
	q := newPairs(p, from, p.outer, false)
	return func(b *vector.Batch) {
		q.each(b, func(*vector.Batch) {})
		b.Sel = q.split(b, vector.B2u(p.In.Kind == kernel.ProbeSemi), q.lone)
	}
}

// ExpandPairs is the probe of kind inner or left over keys with several rows: it
// goes on with a row for each match.
func (p *Prober) ExpandPairs(from finder, live []kernel.ValueID, next exec.Consumer) exec.Consumer {
	q := newPairs(p, from, union(live, p.outer), p.ordered)
	none := make([]int32, p.Worker.Rows)
	vector.Fill(none, -1)
	return func(b *vector.Batch) {
		if q.each(b, next); p.In.Kind == kernel.ProbeInner {
			return
		}
		lone := q.split(b, 0, q.lone)
		if len(lone) == 0 {
			return
		}
		out := q.x.Gather(b, lone)
		p.load(out, none[:len(lone)])
		next(out)
	}
}

// union is the values that are in one of two lists.
func union(a, b []kernel.ValueID) []kernel.ValueID {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
