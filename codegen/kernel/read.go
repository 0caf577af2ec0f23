package kernel

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Reader gives the words of a text that Print wrote. After a failure they are "".
type Reader interface {
	Peek() string              // the word that comes next, "" at the end of the line
	Behind(word string) string // the word behind one of the line
	Word() string
	Int(prefix string) int64 // the whole number behind a prefix of the word
	Float() float64
	Def() ValueID // the declaration of a value
	Ref() ValueID
	Line() // goes on to the next line
	Failf(format string, args ...any)
}

// The words that sources and sinks begin with.
var (
	sources = map[string]func() Source{
		"scan": func() Source { return &Scan{} }, "unmatched": func() Source { return &Unmatched{} }, "matched": func() Source { return &Unmatched{} },
	}
	sinks = map[string]func() Sink{
		"materialize": func() Sink { return &Materialize{} }, "build": func() Sink { return &Build{} },
		"aggregate": func() Sink { return &Aggregate{} }, "cubing": func() Sink { return &Cubing{} },
		"sort": func() Sink { return &Sort{} }, "window": func() Sink { return &Window{} }, "several": func() Sink { return &Several{} },
	}
)

// chosen is what the next word begins; reading fails where that is nothing.
func chosen[T any](in Reader, by map[string]func() T) (chosen T) {
	begun, known := by[in.Peek()]
	if !known {
		in.Failf("nothing begins with %q", in.Peek())
		return chosen
	}
	return begun()
}

// nextInstr is the instruction that the next line begins, nil for none.
func nextInstr(in Reader) Instr {
	switch word := in.Peek(); {
	case word == "filter":
		return &Filter{}
	case word == "probe":
		return &Probe{Cond: NoValue}
	case word == "repeat":
		return &Repeat{Index: NoValue}
	case !isValue(word):
		return nil
	}
	switch in.Behind("=") {
	case "if":
		return &If{}
	case "map":
		return &Map{}
	}
	return &Compute{Pos: value.NoPos}
}

// isValue reports whether a word is a value.
func isValue(word string) bool { return strings.HasPrefix(word, "%") }
