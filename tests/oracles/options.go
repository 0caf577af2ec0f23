package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/tests/randquery"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// An alter changes the answer to a query of a law; plain says that it is that of the
// plainest configuration.
type alter func(law, sql string, plain bool, answer *reference.Result)

// options say what to search.
type options struct {
	duration, limit, shrink time.Duration
	rounds, threads         int
	seed                    uint64
	laws, configs           []string
	dir                     string
	out, progress           writer
	// answer stands between the engine and the laws, for tests; nil for nothing.
	answer alter
}

// chosen are the elements of a list that are named.
func chosen[T any](list []T, names []string, name func(T) string) ([]T, error) {
	var found []T
	for _, n := range names {
		at := slices.IndexFunc(list, func(x T) bool { return name(x) == n })
		if at < 0 {
			return nil, fmt.Errorf("there is no %q\n%s", n, lists())
		}
		found = append(found, list[at])
	}
	return found, nil
}

func namesOf[T any](list []T, name func(T) string) []string {
	var names []string
	for _, x := range list {
		names = append(names, name(x))
	}
	return names
}

func lawName(l randquery.Law) string { return l.Name }

func configName(c configuration) string { return c.name }

func lawNames() []string { return namesOf(randquery.Laws, lawName) }

func configNames() []string { return namesOf(configurations, configName) }

// lists names the laws and the configurations.
func lists() string {
	var b strings.Builder
	b.WriteString("The laws:\n")
	for _, l := range randquery.Laws {
		fmt.Fprintf(&b, "  %-14s %s\n", l.Name, l.About)
	}
	b.WriteString("\nThe configurations:\n")
	for _, c := range configurations {
		fmt.Fprintf(&b, "  %-14s %s\n", c.name, c.about)
	}
	return b.String()
}
