package cpu

// radixPartitions collects one worker's rows for an aggregate whose groups outgrow the
// cache: the keys and the operands of the accumulators, in runs of some ten
// thousand rows, each brought into the order of the rows' partitions while it
// is in the cache. At the end each partition, whose groups fit the cache, is
// aggregated on its own.
type radixPartitions struct {
	plan  *grouping
	n     int // rows collected since the last run
	parts []uint16
	local []uint16 // dense keys: the cell within the partition
	words []uint64 // else: the keys
	pairs []pair
	cols  []radixColumn // by operand of the aggregate; those that only keys need stay empty
	at    []uint32
	runs  []radixRun
}

// radixRun is a run: rows of partition p are ends[p−1] … ends[p]−1.
type radixRun struct {
	ends  []uint32
	local []uint16
	words []uint64
	pairs []pair
	cols  []view
}

// newRadixPartitions makes partitions without rows.
func newRadixPartitions(a *grouping) *radixPartitions {
	s := &radixPartitions{plan: a, cols: make([]radixColumn, len(a.ids)), parts: make([]uint16, radixRows), at: make([]uint32, radixRows)}
	switch {
	case a.dense != nil:
		s.local = make([]uint16, radixRows)
	case a.layout.kind == keyWord:
		s.words = make([]uint64, radixRows)
	default:
		s.pairs = make([]pair, radixRows)
	}
	for i := range a.specs {
		for _, op := range a.specs[i].args {
			s.cols[op].used = true
		}
		if op := a.specs[i].filter; op >= 0 {
			s.cols[op].used = true
		}
	}
	return s
}

// add takes n rows, whose operands are views. g puts their keys together.
func (s *radixPartitions) add(g *groups, n int, views []view) error {
	for n > radixRows { // only of vectors that are larger than a run
		part := make([]view, len(views))
		for i := range views {
			part[i] = views[i].slice(0, radixRows)
			views[i] = views[i].slice(radixRows, n)
		}
		if err := s.add(g, radixRows, part); err != nil {
			return err
		}
		n -= radixRows
	}
	fits := s.n+n <= radixRows
	for i := range s.cols {
		if c := &s.cols[i]; c.used && !c.takes(&views[i]) {
			fits = false
		}
	}
	if !fits {
		if err := s.flush(); err != nil {
			return err
		}
		for i := range s.cols {
			if c := &s.cols[i]; c.used {
				c.reshape()
			}
		}
	}
	for i := range s.cols {
		if c := &s.cols[i]; c.used {
			c.append(s.n, &views[i])
		}
	}
	g.setKeys(views)
	if err := s.addKeys(g, n); err != nil {
		return err
	}
	s.n += n
	return nil
}

// addKeys notes the keys and the partitions of n rows.
func (s *radixPartitions) addKeys(g *groups, n int) error {
	parts := s.parts[s.n:][:n]
	if d := s.plan.dense; d != nil {
		g.number(n)
		local := s.local[s.n:][:n]
		shift := d.shift() & 31
		mask := uint32(1)<<shift - 1
		for i, c := range g.cells.list() {
			parts[i] = uint16(c >> shift)
			local[i] = uint16(c & mask)
		}
		return nil
	}
	if err := s.plan.layout.encode(&g.batch, n, g.keys, false); err != nil {
		return err
	}
	if s.words != nil {
		copy(s.words[s.n:], g.batch.words)
		for i, w := range g.batch.words {
			parts[i] = uint16(partitionOf(hashWord(w), partitionBits))
		}
		return nil
	}
	copy(s.pairs[s.n:], g.batch.pairs)
	for i, p := range g.batch.pairs {
		parts[i] = uint16(partitionOf(hashPair(p), partitionBits))
	}
	return nil
}

// flush makes a run of the rows collected.
func (s *radixPartitions) flush() error {
	if s.n == 0 {
		return nil
	}
	run := radixRun{ends: make([]uint32, partitions(s.plan)), cols: make([]view, len(s.cols))}
	parts := s.parts[:s.n]
	for _, p := range parts {
		run.ends[p]++
	}
	sum := uint32(0)
	for p, n := range run.ends {
		run.ends[p] = sum
		sum += n
	}
	at := s.at[:s.n]
	for i, p := range parts {
		at[i] = run.ends[p]
		run.ends[p]++
	}
	bytes := int64(4*len(run.ends)) + int64(s.n)*(2*b2i(s.local != nil)+8*b2i(s.words != nil)+16*b2i(s.pairs != nil))
	for i := range s.cols {
		bytes += int64(s.n) * s.cols[i].width()
	}
	if err := s.plan.run.mem.grow(bytes); err != nil {
		return err
	}
	run.local, run.words, run.pairs = scatter(s.local, at), scatter(s.words, at), scatter(s.pairs, at)
	for i := range s.cols {
		run.cols[i] = s.cols[i].scatter(at)
	}
	s.runs = append(s.runs, run)
	s.n = 0
	return nil
}
