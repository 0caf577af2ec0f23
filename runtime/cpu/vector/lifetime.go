package vector

// Lifetime is how long a chunk that is made is read.
type Lifetime uint8

const (
	Lasting Lifetime = iota // longer than there are the run's arrays
	Within                  // as long as there are these
	Lent                    // likewise, and it may keep memory that it does not need
)
