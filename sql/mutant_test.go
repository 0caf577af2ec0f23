package sql

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

var (
	mutants    = flag.Int("mutants", 1500, "how many mutated statements to hold against PostgreSQL")
	mutantSeed = flag.Uint64("mutantseed", 1, "the seed of the mutations")
)

// TestMutantsAgainstPostgres changes tokens of the corpus at random, so that
// most statements are wrong somewhere, and compares the verdicts.
func TestMutantsAgainstPostgres(t *testing.T) {
	var statements [][]string
	var pool []string
	for _, text := range statementsOf(t, "tpch.sql", "ssb.sql", "probes.sql") {
		tokens := tokenTexts(t, text)
		statements = append(statements, tokens)
		pool = append(pool, tokens...)
	}
	rng := rand.New(rand.NewPCG(*mutantSeed, 0))
	for range *mutants {
		text := strings.Join(mutate(rng, statements[rng.IntN(len(statements))], pool), " ")
		stmt, err := Parse(text)
		if text == "" || err == nil && extended(reflect.ValueOf(stmt)) || ourOwn(err) || atParam.MatchString(fmt.Sprint(err)) || fromString.MatchString(text) {
			continue
		}
		compare(t, text)
	}
}

// fromString finds a file in FROM, which PostgreSQL's grammar has not.
var fromString = regexp.MustCompile(`(from|join|,)( [(])* '`)

// atParam finds a syntax error at a parameter. The library that stands in for
// PostgreSQL takes $1 as an alias too, for the texts of normalized statements;
// PostgreSQL itself does not.
var atParam = regexp.MustCompile(`at or near "\$\d+"`)

func tokenTexts(t *testing.T, text string) []string {
	t.Helper()
	c, err := dialect.NewCursor(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for c.Peek().Kind != dialect.End {
		tok := c.Next()
		list = append(list, text[tok.Pos:tok.End])
	}
	return list
}

// mutate deletes, doubles, swaps, replaces or inserts a token or two.
func mutate(rng *rand.Rand, tokens, pool []string) []string {
	out := append([]string(nil), tokens...)
	for range 1 + rng.IntN(2) {
		if len(out) == 0 {
			return out
		}
		i := rng.IntN(len(out))
		other := pool[rng.IntN(len(pool))]
		switch rng.IntN(5) {
		case 0:
			out = append(out[:i], out[i+1:]...)
		case 1:
			out = append(out[:i+1], out[i:]...)
		case 2:
			j := rng.IntN(len(out))
			out[i], out[j] = out[j], out[i]
		case 3:
			out[i] = other
		case 4:
			out = append(out[:i+1], append([]string{other}, out[i+1:]...)...)
		}
	}
	return out
}

// ourOwn reports whether an error is one that PostgreSQL reports later than its
// parser, or has not.
func ourOwn(err error) bool {
	var e *sqlstate.Error
	return errors.As(err, &e) && e.Code != sqlstate.Syntax && e.Code != sqlstate.FeatureNotSupported &&
		e.Code != sqlstate.Internal
}

// extended reports whether a tree holds what PostgreSQL's grammar has not.
func extended(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return false
		}
		switch n := v.Interface().(type) {
		case *TableFile:
			return true
		case *AlterRoleSet:
			if n.Limit {
				return true
			}
		case *Select:
			if n.Qualify != nil {
				return true
			}
		case *GroupBy:
			if n != nil && n.All {
				return true
			}
		}
		return extended(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if extended(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if extended(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
