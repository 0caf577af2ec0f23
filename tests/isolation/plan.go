package isolation

import (
	"fmt"
	"math/rand/v2"
)

// Options say what a run is made of.
type Options struct {
	Level        Level
	Seed         uint64
	Clients      int
	Transactions int // of each client
	Objects      int // of each kind
	Tables       int // that the objects of each kind lie in
}

// planned is an operation that a client is going to run, and how.
type planned struct {
	Op
	way int // of reading: a query, a view, a cursor
}

// script is a transaction that a client is going to run.
type script struct {
	modes string // behind BEGIN; "": READ WRITE
	alone bool   // one operation without BEGIN
	ops   []planned
	abort bool // ends with ROLLBACK
}

// workloads are the kinds of operations of a run, reads and writes in turn.
var workloads = [][]Kind{
	{ReadList, Append},
	{ReadRegister, Write},
	{ReadSet, Insert},
	{ReadList, Append, ReadRegister, Write, ReadSet, Insert},
}

// prefixes are those of the names of objects, by kind of operation.
var prefixes = [...]string{"list", "list", "register", "register", "set", "set"}

// planner makes the transactions of a client.
type planner struct {
	*rand.Rand
	options *Options
	kinds   []Kind
	next    func() int // a value that nobody has written
}

func newPlanner(o *Options, client int, next func() int) *planner {
	return &planner{rand.New(rand.NewPCG(o.Seed, uint64(client))), o, workloads[o.Seed%uint64(len(workloads))], next}
}

// script makes a transaction. A register is read before it is written, so that the
// order of its values is known.
func (p *planner) script() script {
	var s script
	readOnly := p.IntN(6) == 0
	if readOnly {
		s.modes = " READ ONLY"
		if p.IntN(4) == 0 {
			s.modes += ", DEFERRABLE"
		}
	}
	for range 1 + p.IntN(5) {
		op := p.op(readOnly)
		if op.Kind == Write {
			s.ops = append(s.ops, planned{Op: Op{Kind: ReadRegister, Key: op.Key}})
		}
		op.Undone = !op.Kind.reads() && p.IntN(15) == 0
		s.ops = append(s.ops, op)
	}
	first := s.ops[0]
	s.alone = len(s.ops) == 1 && s.modes == "" && first.way == 0 && !first.Undone && p.IntN(2) == 0
	s.abort = !s.alone && p.IntN(15) == 0
	return s
}

func (p *planner) op(readOnly bool) planned {
	kind := p.kinds[p.IntN(len(p.kinds))]
	if readOnly && !kind.reads() {
		kind-- // the read of the same objects
	}
	op := planned{Op: Op{Kind: kind, Key: fmt.Sprintf("%s%d", prefixes[kind], p.IntN(p.options.Objects))}, way: p.IntN(3)}
	if !kind.reads() {
		op.Values = []int{p.next()}
	}
	return op
}
