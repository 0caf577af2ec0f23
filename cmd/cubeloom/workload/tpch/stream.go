package tpch

// A column is a stream of random numbers of the generator: its seed, and how many of its
// numbers each row of its table is entitled to, so that any row can be computed without
// those before it.
type column struct{ seed, perRow uint64 }

// Numbers follow each other as Lehmer's do, modulo 2³¹ − 1.
const (
	modulus    = 1<<31 - 1
	multiplier = 16807
)

// A stream draws the numbers of a column, row by row.
type stream struct {
	now  uint64 // the last number drawn
	row  uint64 // the last one before the row
	jump uint64 // what takes row to the next
}

// from is the stream of a column at a row, counted from 0.
func (c column) from(row int64) *stream {
	jump := power(multiplier, c.perRow)
	first := c.seed * power(jump, uint64(row)) % modulus
	return &stream{now: first, row: first, jump: jump}
}

// power is b to the n modulo the modulus.
func power(b, n uint64) uint64 {
	p := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p = p * b % modulus
		}
		b = b * b % modulus
	}
	return p
}

// draw is a number of [0, 1].
func (s *stream) draw() float64 {
	s.now = s.now * multiplier % modulus
	return float64(s.now) / modulus
}

// between draws a number of [low, high].
func (s *stream) between(low, high int64) int64 {
	return low + int64(s.draw()*float64(high-low+1))
}

// endRow goes to the next row's numbers.
func (s *stream) endRow() {
	s.row = s.row * s.jump % modulus
	s.now = s.row
}

// letters are those of addresses.
const letters = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ,"

// address appends a text of letters of about the given length (a random v-string of
// clause 4.2.2.7). Five letters come from one number, which the generator draws from the
// range of 32-bit integers that are not positive.
func (s *stream) address(to []byte, length int) []byte {
	n := s.between(shortest(length), longest(length))
	bits := int64(0)
	for i := range n {
		if i%5 == 0 {
			bits = int64(s.draw() * -(1 << 31))
		}
		to = append(to, letters[bits&63])
		bits >>= 6
	}
	return to
}

// The lengths of texts lie between 0.4 and 1.6 of the one that is named.
func shortest(length int) int64 { return int64(float64(length) * 0.4) }
func longest(length int) int64  { return int64(float64(length) * 1.6) }
