package cpu

import "github.com/cubeloom/cubeloom/codegen/kernel"

// pairs goes through the pairs of rows of a batch and rows of the other side with
// equal keys, a vector at a time.
type pairs struct {
	p    *prober
	from finder
	x    *expander
	rows []int32 // of the batch
	at   []int32 // of the table
	lone []int32
	hit  []uint8 // by row of the batch: it has a match
}

// finder adds the pairs of the active rows of b to q, row by row, and flushes it.
type finder func(q *pairs, b *Batch, f consumer) error

// newPairs makes one for a probe after which the values live are read.
func newPairs(p *prober, from finder, live []kernel.ValueID) *pairs {
	n := p.w.rows
	return &pairs{p: p, from: from, x: newExpander(p.w, live), rows: make([]int32, 0, n), at: make([]int32, 0, n), lone: make([]int32, n), hit: make([]uint8, n)}
}

// each calls f with batches of the pairs that match.
func (q *pairs) each(b *Batch, f consumer) error {
	clear(q.hit)
	return q.from(q, b, f)
}

// add collects the pairs of a row of the batch and the rows [lo, hi) of the table. Rows
// with many go on in vectors of their own. For fewer, what a vector costs outweighs what
// its loops save.
func (q *pairs) add(row, lo, hi int32, b *Batch, f consumer) error {
	if int(hi-lo) > cap(q.rows)/4 {
		return q.addRun(row, lo, hi, b, f)
	}
	for ; lo < hi; lo++ {
		q.rows, q.at = append(q.rows, row), append(q.at, lo)
		if len(q.rows) == cap(q.rows) {
			if err := q.flush(b, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// addRun passes on the pairs of a row with many rows: what it has of the row is constant,
// and what lies in a row in the table is read as it lies.
func (q *pairs) addRun(row, lo, hi int32, b *Batch, f consumer) error {
	if err := q.flush(b, f); err != nil {
		return err
	}
	for lo < hi {
		n := min(hi-lo, int32(cap(q.rows)))
		out := q.x.single(b, row, int(n))
		q.p.loadFrom(out, int(lo), nil)
		if err := q.filter(out); err != nil {
			return err
		}
		if out.Active() > 0 {
			q.hit[row] = 1
			if q.p.in.Mark {
				for _, i := range out.rows() {
					q.p.mark(lo + i)
				}
			}
			if err := f(out); err != nil {
				return err
			}
		}
		lo += n
	}
	return nil
}

// filter polls, and keeps the pairs for which the residual is true.
func (q *pairs) filter(out *Batch) error {
	if err := q.p.w.poll(); err != nil || q.p.check == nil {
		return err
	}
	if err := q.p.check(out); err != nil {
		return err
	}
	out.Sel = nil
	keep(out, out.value(q.p.in.Cond), q.p.sel)
	return nil
}

// flush passes the collected pairs on.
func (q *pairs) flush(b *Batch, f consumer) error {
	if len(q.rows) == 0 {
		return nil
	}
	rows, at := q.rows, q.at
	q.rows, q.at = q.rows[:0], q.at[:0]
	out := q.x.gather(b, rows)
	q.p.load(out, at)
	if err := q.filter(out); err != nil {
		return err
	}
	if q.p.in.Kind != kernel.ProbeInner { // which does not ask what has a match
		for _, i := range out.rows() {
			q.hit[rows[i]] = 1
		}
	}
	if q.p.in.Mark {
		for _, i := range out.rows() {
			q.p.mark(at[i])
		}
	}
	if out.Active() == 0 {
		return nil
	}
	return f(out)
}

// split returns the active rows of b that have had a match, or those that have
// had none, in dst's memory.
func (q *pairs) split(b *Batch, hit uint8, dst []int32) []int32 {
	n := 0
	for _, r := range b.rows() {
		dst[n] = r
		n += int(1 ^ q.hit[r] ^ hit)
	}
	return dst[:n]
}

// filterPairs is the probe of kind semi or anti with a residual or marks over
// keys with several rows.
func (p *prober) filterPairs(from finder) step {
	q := newPairs(p, from, p.outer)
	return func(b *Batch) error {
		if err := q.each(b, func(*Batch) error { return nil }); err != nil {
			return err
		}
		b.Sel = q.split(b, b2u(p.in.Kind == kernel.ProbeSemi), q.lone)
		return nil
	}
}

// expandPairs is the probe of kind inner or left over keys with several rows: it
// goes on with a row for each match.
func (p *prober) expandPairs(from finder, live []kernel.ValueID, next consumer) consumer {
	q := newPairs(p, from, union(live, p.outer))
	none := make([]int32, p.w.rows)
	fill(none, -1)
	return func(b *Batch) error {
		if err := q.each(b, next); err != nil || p.in.Kind == kernel.ProbeInner {
			return err
		}
		lone := q.split(b, 0, q.lone)
		if len(lone) == 0 {
			return nil
		}
		out := q.x.gather(b, lone)
		p.load(out, none[:len(lone)])
		return next(out)
	}
}

// union is the values that are in one of two lists.
func union(a, b []kernel.ValueID) []kernel.ValueID {
	seen := make(map[kernel.ValueID]bool)
	var all []kernel.ValueID
	for _, list := range [][]kernel.ValueID{a, b} {
		for _, id := range list {
			if !seen[id] {
				seen[id] = true
				all = append(all, id)
			}
		}
	}
	return all
}
