// Package isolation finds anomalies in histories of concurrent transactions, in
// the way of Elle (Kingsbury and Alvaro, 2020): from what transactions have read
// it infers who wrote before whom, and cycles of that are anomalies, of which each
// isolation level forbids some. It also makes such histories: random transactions
// of many clients of a server.
package isolation

import "fmt"

// Kind is what an operation does to an object, and says what kind of object that
// is: a list, a register or a set.
type Kind uint8

// The kinds of operations.
const (
	ReadList     Kind = iota // Values are all elements
	Append                   // Values[0] becomes the last element
	ReadRegister             // Values are none, or the one value
	Write                    // Values[0] becomes the value
	ReadSet                  // Values are the elements, by a predicate over a table
	Insert                   // Values[0] becomes an element
)

// reads reports whether operations of the kind read.
func (k Kind) reads() bool { return k == ReadList || k == ReadRegister || k == ReadSet }

// Op is an operation on an object. No two operations of a history write the same
// value to one object.
type Op struct {
	Kind   Kind
	Key    string
	Values []int
	// Undone says that ROLLBACK TO SAVEPOINT took a write back.
	Undone bool
}

// String is the operation as findings show it.
func (o Op) String() string {
	name := [...]string{"list", "append", "read", "write", "set", "insert"}[o.Kind]
	if o.Undone {
		name = "undone " + name
	}
	return fmt.Sprintf("%s(%s)%v", name, o.Key, o.Values)
}

// Transaction is a transaction that has ended.
type Transaction struct {
	Ops       []Op
	Committed bool
	// Begin and End say when the client asked for its first statement and when it
	// heard of its end: numbers in the order of time, none twice.
	Begin, End int64
}

// History is the transactions of a run.
type History []Transaction

// Level is an isolation level.
type Level string

// The levels; READ UNCOMMITTED is READ COMMITTED, as in PostgreSQL.
const (
	ReadCommitted  Level = "READ COMMITTED"
	RepeatableRead Level = "REPEATABLE READ"
	Serializable   Level = "SERIALIZABLE"
)

// Levels are all levels, the weakest first.
var Levels = []Level{ReadCommitted, RepeatableRead, Serializable}

// The anomalies, by their usual names.
const (
	AbortedRead      = "G1a"              // a value of a transaction that was rolled back
	IntermediateRead = "G1b"              // a value that its transaction replaced itself
	WriteCycle       = "G0"               // a cycle of writes
	CircularFlow     = "G1c"              // a cycle of writes and reads of what was written
	SingleAnti       = "G-single"         // a cycle with one read of what was replaced then
	NonadjacentAnti  = "G-nonadjacent"    // with several, none behind another
	AntiCycle        = "G2"               // with several
	LostUpdate       = "lost update"      // two that replace the same version
	Inconsistent     = "internal"         // a transaction that contradicts its own operations
	NoOrder          = "incompatible"     // reads that no order of the writes explains
	Unrepeatable     = "unrepeatable"     // two reads of one transaction that differ
	Unknown          = "unwritten values" // values that nobody wrote
)

// forbidden are the anomalies that a level forbids beside those of weaker ones.
// REPEATABLE READ is snapshot isolation, whose cycles have two adjacent reads of
// what was replaced.
var forbidden = map[Level][]string{
	ReadCommitted:  {AbortedRead, IntermediateRead, WriteCycle, CircularFlow, Inconsistent, NoOrder, Unknown},
	RepeatableRead: {Unrepeatable, LostUpdate, SingleAnti, NonadjacentAnti},
	Serializable:   {AntiCycle},
}

// Forbids reports whether a level forbids an anomaly.
func (l Level) Forbids(anomaly string) bool {
	for _, level := range Levels {
		for _, name := range forbidden[level] {
			if name == anomaly {
				return true
			}
		}
		if level == l {
			return false
		}
	}
	return false
}

// Anomaly is one finding.
type Anomaly struct {
	Name string
	Text string // the transactions and why they are one
}

// String is the finding as people read it.
func (a Anomaly) String() string { return a.Name + ": " + a.Text }
