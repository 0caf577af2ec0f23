package store

import (
	"context"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// SequenceDef is what CREATE SEQUENCE says. A sequence that has an owner is dropped with that
// column of a table, by its key.
type SequenceDef struct {
	Type                       algebra.Kind // Int16, Int32 or Int64
	Start, Increment, Min, Max int64
	Cache                      int64  // is kept for clients that ask; values are handed out one by one
	Cycle                      bool   `json:",omitempty"`
	OwnerTable, OwnerColumn    string `json:",omitempty"`
	Identity                   string `json:",omitempty"` // Always or ByDefault; "": none
}

// The kinds of identity columns, as PostgreSQL's catalog names them.
const (
	Always    = "a"
	ByDefault = "d"
)

// nextOf stands before the key of a sequence in the default of a column that is the next
// value of it. No expression begins so.
const nextOf = "\x00next."

// NextOf is the default of a column that takes the values of a sequence, by its key.
func NextOf(sequence string) string { return nextOf + sequence }

// SequenceOf is the key of the sequence whose values a column takes by default; "" for none.
func (c *Column) SequenceOf() string {
	if key, ok := strings.CutPrefix(c.Default, nextOf); ok {
		return key
	}
	return ""
}

// Sequence hands out numbers. Versions that differ in their definitions share the numbers,
// unless one was made to restart. What was handed out is never taken back: neither when a
// transaction rolls back, nor when the process ends.
type Sequence struct {
	key string
	SequenceDef
	*counter
}

// counter is where a sequence stands.
type counter struct {
	turn chan struct{} // has room for the one who takes values
	mu   sync.Mutex
	at   Position
	// saved is where it is stored to stand: ahead of where it stands, so that not each value
	// has to be stored.
	saved Position
}

// Position is where a sequence stands: at the last value that it has handed out, or, where
// Called is false, at the one that it will hand out first.
type Position struct {
	Last   int64
	Called bool
	sets   int // calls of Set before
}

// savedAhead is how many values a sequence is stored to have handed out before it has. A
// process that is killed loses them, as in PostgreSQL.
const savedAhead = 32

// NewSequence makes a sequence of a key that has handed out nothing.
func NewSequence(key string, def SequenceDef) *Sequence {
	return RestoreSequence(key, def, Position{Last: def.Start})
}

// RestoreSequence makes a sequence that stands somewhere.
func RestoreSequence(key string, def SequenceDef, at Position) *Sequence {
	return &Sequence{key: key, SequenceDef: def, counter: &counter{turn: make(chan struct{}, 1), at: at, saved: at}}
}

// Name is the sequence's name.
func (s *Sequence) Name() string { return NameOf(s.key) }

// Schema is the sequence's schema.
func (s *Sequence) Schema() string { return SchemaOf(s.key) }

func (*Sequence) object() {}

// IsVersionOf reports whether two sequences hand out the same numbers.
func (s *Sequence) IsVersionOf(other *Sequence) bool { return s.counter == other.counter }

// Redefined is the sequence with another definition, which goes on where this one stands.
func (s *Sequence) Redefined(def SequenceDef) *Sequence {
	return &Sequence{key: s.key, SequenceDef: def, counter: s.counter}
}

// Restarted is the sequence with a value to hand out first, and numbers of its own.
func (s *Sequence) Restarted(at int64) *Sequence {
	return RestoreSequence(s.key, s.SequenceDef, Position{Last: at})
}

// Position is where the sequence stands.
func (s *Sequence) Position() Position {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// Set makes the next value the one behind last, or last itself where called is false. It
// fails with 22003 where last is out of bounds.
func (s *Sequence) Set(last int64, called bool) error {
	if last < s.Min || last > s.Max {
		return value.Errorf(value.CodeNumericOutOfRange, "setval: value %d is out of bounds for sequence %q (%d..%d)", last, s.Name(), s.Min, s.Max)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = Position{Last: last, Called: called, sets: s.at.sets + 1}
	return nil
}

// Turn has everybody else wait who wants values, until EndTurn: for who does not know yet
// how many to Take. It waits for its turn until ctx ends.
func (s *Sequence) Turn(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// EndTurn ends what Turn began.
func (s *Sequence) EndTurn() { <-s.turn }

// First is the value that Take would hand out.
func (s *Sequence) First() (first int64, err error) {
	at := s.Position()
	switch {
	case !at.Called:
		return at.Last, nil
	case s.steps(at.Last) > 0:
		return at.Last + s.Increment, nil
	}
	return s.again()
}

// Take hands out n values and returns the first of them, behind which the others follow by
// Increment. It is for who has the turn. It fails with 2200H where there are not so many up
// to a bound; a sequence with Cycle starts again where it is one value, and fails with 0A000
// otherwise.
func (s *Sequence) Take(n int64) (first int64, err error) {
	if first, err = s.First(); err != nil {
		return 0, err
	}
	if s.steps(first) < uint64(n-1) {
		if _, err := s.again(); err != nil {
			return 0, err
		}
		return 0, value.Errorf(value.CodeFeatureNotSupported, "that sequence %q starts again within a statement is not supported", s.Name())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at.Last, s.at.Called = first+(n-1)*s.Increment, true
	return first, nil
}

// steps is how many values there are behind one.
func (s *Sequence) steps(v int64) uint64 {
	switch {
	case s.Increment > 0 && v < s.Max:
		return (uint64(s.Max) - uint64(v)) / uint64(s.Increment)
	case s.Increment < 0 && v > s.Min:
		return (uint64(v) - uint64(s.Min)) / -uint64(s.Increment)
	}
	return 0
}

// again is the value with which a sequence starts again at its end.
func (s *Sequence) again() (int64, error) {
	end, word, start := s.Max, "maximum", s.Min
	if s.Increment < 0 {
		end, word, start = s.Min, "minimum", s.Max
	}
	if !s.Cycle {
		return 0, value.Errorf(value.CodeSequenceLimit, "nextval: reached %s value of sequence %q (%d)", word, s.Name(), end)
	}
	return start, nil
}

// Unsaved reports whether the sequence has to be stored anew: it was set, or has handed out
// values beyond where it is stored to stand.
func (s *Sequence) Unsaved() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.at.sets != s.saved.sets, s.at.Called && !s.saved.Called:
		return true
	case s.Increment > 0:
		return s.at.Last > s.saved.Last
	}
	return s.at.Last < s.saved.Last
}

// ToSave is where the sequence is to be stored to stand: where it is stored already, if that
// is not behind.
func (s *Sequence) ToSave() Position {
	if !s.Unsaved() {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.saved
	}
	at := s.Position()
	if at.Called {
		at.Last += int64(min(savedAhead, s.steps(at.Last))) * s.Increment
	}
	return at
}

// Saved notes where the sequence has been stored to stand.
func (s *Sequence) Saved(at Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved = at
}

// settle has the sequence be stored where it stands, and reports whether it is stored ahead of
// that. Nobody may take values any more.
func (s *Sequence) settle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ahead := s.saved != s.at
	s.saved = s.at
	return ahead
}
