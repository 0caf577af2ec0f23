package keytable

// Partitions are the keys of a table, brought into the order of their
// partitions.
type Partitions struct {
	numbers []uint32
	ends    []int
}

// Of lists the keys of partition p.
func (s *Partitions) Of(p int) []uint32 {
	lo := 0
	if p > 0 {
		lo = s.ends[p-1]
	}
	return s.numbers[lo:s.ends[p]]
}

// Partition sorts the keys of a table by their partitions.
func Partition(t Table, bits uint) Partitions {
	at := make([]int, 1<<bits)
	for n := range t.Len() {
		at[PartitionOf(t.hash(uint32(n)), bits)]++
	}
	sum := 0
	for p, n := range at {
		at[p] = sum
		sum += n
	}
	s := Partitions{numbers: make([]uint32, t.Len()), ends: at}
	for n := range t.Len() {
		p := PartitionOf(t.hash(uint32(n)), bits)
		s.numbers[at[p]] = uint32(n)
		at[p]++
	}
	return s
}
