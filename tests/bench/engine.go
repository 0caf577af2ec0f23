package main

import (
	"context"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// An Engine holds tables in memory and answers queries about them. It is used
// by one goroutine at a time.
type Engine interface {
	// Name is the engine's name in tables, with its version.
	Name() string
	// Load creates the tables of a set and fills them.
	Load(ctx context.Context, set workload.Set, opts workload.Options) error
	// Run answers a query. It returns when the whole answer is in memory in
	// the engine's own columnar form: this is what is timed.
	Run(ctx context.Context, sql string) (Answer, error)
	// Drop removes a table.
	Drop(ctx context.Context, table string) error
	// Close frees everything.
	Close() error
}

// An Answer is the result of a query, held by its engine.
type Answer interface {
	// Each calls visit with every row. The slice is reused.
	Each(visit func(row []Value) error) error
	// Close frees the answer's memory.
	Close()
}

// A ValueKind says which field of a Value counts.
type ValueKind uint8

// The kinds of values. An integer of any type that fits 64 bits is an Integer,
// whatever the engine calls its type.
const (
	Null ValueKind = iota
	Integer
	Float
	Text // text, and the text of every other type
)

// A Value is one cell of an answer.
type Value struct {
	Kind  ValueKind
	Int   int64
	Float float64
	Text  string
}
