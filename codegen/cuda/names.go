package cuda

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Source is compiled with canonical names, so that kernels that differ in names alone
// are compiled once: a value is called v and its number, an input in and its number.

// name is the variable of a value: an array over the rows of a thread, or for
// Bool a mask of the rows.
func (r *renderer) name(id kernel.ValueID) string { return "v" + strconv.Itoa(int(id)) }

// input is what comments call an input.
func (r *renderer) input(i int) string { return "in" + strconv.Itoa(i) }

// canonical finds the canonical names, with what variables that belong to a value have
// behind its name.
var canonical = regexp.MustCompile(`\b(v|in)([0-9]+)(_null|_raw)?\b`)

// Named returns the source of a module for people: with the names that values and inputs
// of f have, the kernel that it was rendered of or one with the same key. The text differs
// in nothing else from the one that is compiled.
func (m *Module) Named(f *kernel.Func) string {
	start := strings.Index(m.Source, paramsHead)
	if start < 0 {
		return m.Source
	}
	return m.Source[:start] + canonical.ReplaceAllStringFunc(m.Source[start:], func(word string) string {
		part := canonical.FindStringSubmatch(word)
		number, err := strconv.Atoi(part[2])
		switch {
		case err != nil:
			return word
		case part[1] == "in" && number < len(f.Inputs):
			return oneLine(f.Inputs[number].Name)
		case part[1] == "v" && number < len(f.Values):
			return variable(f.Values[number].Name, word, part[2]+part[3])
		}
		return word
	})
}

// variable makes a variable of a name and an ending, of which the latter makes it unique;
// where the name has nothing that could stand in one it is plain.
func variable(name, plain, ending string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' && b.Len() > 0:
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() >= maxVariable {
			break
		}
	}
	base := strings.Trim(b.String(), "_")
	if base == "" {
		return plain
	}
	return base + "_" + ending
}

// maxVariable is how many letters of a name a variable has.
const maxVariable = 24

// oneLine makes a comment of a text of any kind.
func oneLine(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == '\\' || c > '~' {
			return ' '
		}
		return c
	}, s)
	return s[:min(len(s), 80)]
}

// paramsHead begins the part of a source that is no file of primitives.
const paramsHead = "struct Params {\n"

// divisorOf is the name of a constant that is made ready to divide by.
func divisorOf(name string) string { return "by_" + name }
