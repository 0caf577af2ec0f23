package cpu

// partitioned is the keys of a table, brought into the order of their
// partitions.
type keyPartitions struct {
	numbers []uint32
	ends    []int
}

// of lists the keys of partition p.
func (s *keyPartitions) of(p int) []uint32 {
	lo := 0
	if p > 0 {
		lo = s.ends[p-1]
	}
	return s.numbers[lo:s.ends[p]]
}

// partition sorts the keys of a table by their partitions.
func partition(t keyTable, bits uint) keyPartitions {
	at := make([]int, 1<<bits)
	for n := range t.len() {
		at[partitionOf(t.hash(uint32(n)), bits)]++
	}
	sum := 0
	for p, n := range at {
		at[p] = sum
		sum += n
	}
	s := keyPartitions{numbers: make([]uint32, t.len()), ends: at}
	for n := range t.len() {
		p := partitionOf(t.hash(uint32(n)), bits)
		s.numbers[at[p]] = uint32(n)
		at[p]++
	}
	return s
}
