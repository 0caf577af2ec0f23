package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Timing is [NOT] DEFERRABLE and INITIALLY DEFERRED or IMMEDIATE of a constraint.
type Timing struct{ Deferrable, Deferred bool }

// attributes are those of a constraint that were read, by their words.
type attributes map[string]bool

// timing is when a constraint with the attributes is checked.
func (a attributes) timing() Timing {
	return Timing{Deferrable: a["DEFERRABLE"] || a["INITIALLY DEFERRED"], Deferred: a["INITIALLY DEFERRED"]}
}

// conflicts are attributes of which a constraint has one, and what messages call both.
var conflicts = []struct{ one, other, both string }{
	{"DEFERRABLE", "NOT DEFERRABLE", "DEFERRABLE/NOT DEFERRABLE"}, {"INITIALLY IMMEDIATE", "INITIALLY DEFERRED", "INITIALLY IMMEDIATE/DEFERRED"},
}

// conflict is what is wrong with a further attribute of a constraint, of a column or of a table; "" for nothing.
func (a attributes) conflict(word string, column bool) string {
	for _, c := range conflicts {
		switch had := a[c.one] || a[c.other]; {
		case word != c.one && word != c.other || !had:
		case column:
			return "multiple " + c.both + " clauses not allowed"
		case !a[word]:
			return "conflicting constraint properties"
		}
	}
	if word == "NOT DEFERRABLE" && a["INITIALLY DEFERRED"] || word == "INITIALLY DEFERRED" && a["NOT DEFERRABLE"] {
		return "constraint declared INITIALLY DEFERRED must be DEFERRABLE"
	}
	return ""
}

// attribute takes an attribute of a constraint of a column or of a table, of which only the latter can be
// NOT VALID; "" for none.
func (p tableParser) attribute(column bool) string {
	for _, words := range []string{"DEFERRABLE", "NOT DEFERRABLE", "INITIALLY DEFERRED", "INITIALLY IMMEDIATE", "NOT VALID"} {
		if !(column && words == "NOT VALID") && p.Accept(strings.Fields(strings.ToLower(words))...) {
			return words
		}
	}
	return ""
}

// attributes reads the attributes of a constraint of a kind, of a column or of a table, which cannot have
// some marks.
func (p tableParser) attributes(kind string, column bool, refused ...string) attributes {
	seen := attributes{}
	for {
		at := p.Peek()
		word := p.attribute(column)
		if word == "" {
			break
		}
		if message := seen.conflict(word, column); message != "" {
			panic(sqlstate.ErrorAt(at.Pos, sqlstate.Syntax, "%s", message))
		}
		seen[word] = true
	}
	for _, mark := range refused {
		if seen[mark] || mark == "DEFERRABLE" && seen.timing().Deferrable {
			panic(sqlstate.ErrorAt(sqlstate.NoPos, sqlstate.FeatureNotSupported, "%s constraints cannot be marked %s", kind, mark))
		}
	}
	return seen
}
