package value

import "unicode/utf8"

// regexpStates is a program as a deterministic automaton, made while texts are read: a state
// is all steps that threads may be at. It tells where matches end, not where they begin.
type regexpStates struct {
	anywhere bool             // matches begin where the search does, and behind that
	begin    [beforeEnd]int32 // by what stands before the place where a search begins
	states   []regexpState
	numbers  map[string]int32 // by what stands before, and steps
}

// regexpState is what threads have in common between two characters.
type regexpState struct {
	steps []int32 // where they go on, before these ask for places
	// By the character that follows, the last one for the end of the text: twice the number of
	// the next state, and one more where a match ends before the character; 0 is not known yet.
	ascii  [utf8.RuneSelf + 1]int32
	others map[rune]int32
}

const (
	stateUnknown = iota
	stateNone    // without threads
	statesBegin
)

// maxStates bounds the bytes that the states of a pattern take.
const maxStates = 1 << 20

// What stands before a place, as places ask for it.
const (
	beforeOther = iota
	beforeStart
	beforeLine
	beforeWord
	beforeEnd
)

func newRegexpStates(anywhere bool) *regexpStates {
	return &regexpStates{anywhere: anywhere, states: make([]regexpState, statesBegin), numbers: map[string]int32{}}
}
