package vector

// lifetime is how long a chunk is read.
type lifetime uint8

const (
	lasting lifetime = iota // longer than there are the run's arrays
	within                  // as long as there are these
	lent                    // until it is copied: it may keep memory that it does not need
)
