package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
)

// The published answers to TPC-H at scale 1. After comment lines a file has a line
// "kinds" with the rule for each column, where not all rows are listed a line "rows"
// with their number, and then the rows in order, columns separated by |; a line ...
// stands for rows left out.
//
//go:embed answers/*.txt
var answerFiles embed.FS

// A publication is the published answer to a query.
type publication struct {
	kinds      []string
	rows       int
	head, tail [][]string // the first and the last rows; all are in head where rows says so
}

// readPublication reads the answer to a query, named as Q7 is.
func readPublication(query string) (*publication, error) {
	name := "answers/" + strings.ToLower(query) + ".txt"
	text, err := answerFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p := &publication{}
	list := &p.head
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		kinds, isKinds := strings.CutPrefix(line, "kinds ")
		rows, isRows := strings.CutPrefix(line, "rows ")
		switch {
		case strings.HasPrefix(line, "#"):
		case isKinds:
			p.kinds = strings.Fields(kinds)
		case isRows:
			p.rows, err = strconv.Atoi(rows)
		case line == "...":
			list = &p.tail
		default:
			*list = append(*list, strings.Split(line, "|"))
		}
	}
	if p.rows == 0 {
		p.rows = len(p.head)
	}
	for _, row := range slices.Concat(p.head, p.tail) {
		if len(row) != len(p.kinds) {
			return nil, fmt.Errorf("%s: %d columns in %q, want %d", name, len(row), row, len(p.kinds))
		}
	}
	return p, err
}

// compare returns how an answer, its rows in the query's order, differs.
func (p *publication) compare(rows [][]Value) error {
	if len(rows) != p.rows {
		return fmt.Errorf("%d rows, published are %d", len(rows), p.rows)
	}
	for i, want := range p.head {
		if err := p.compareRow(rows[i], want); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	for i, want := range p.tail {
		at := len(rows) - len(p.tail) + i
		if err := p.compareRow(rows[at], want); err != nil {
			return fmt.Errorf("row %d: %w", at+1, err)
		}
	}
	return nil
}

func (p *publication) compareRow(got []Value, want []string) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d columns, published are %d", len(got), len(want))
	}
	for i, kind := range p.kinds {
		if !permitted(kind, got[i].String(), want[i]) {
			return fmt.Errorf("column %d is %s, published is %s", i+1, got[i], want[i])
		}
	}
	return nil
}

// permitted reports whether a value is within what clause 2.1.3.5 of the specification
// permits: exact values and counts are the same (numbers by value, texts but for
// blanks at the end), sums within 100, averages and ratios within a hundredth when
// rounded to hundredths.
func permitted(kind, got, want string) bool {
	x, isNumber := new(big.Rat).SetString(got)
	y, isNumberToo := new(big.Rat).SetString(want)
	switch {
	case !isNumber || !isNumberToo:
		return kind == "exact" && strings.TrimRight(got, " ") == strings.TrimRight(want, " ")
	case kind == "exact":
		return x.Cmp(y) == 0
	}
	a, _ := x.Float64()
	b, _ := y.Float64()
	switch kind {
	case "sum":
		return math.Abs(a-b) <= 100
	case "avg", "ratio":
		a = math.Round(a*100) / 100
		return 0.99*b <= a && a <= 1.01*b
	}
	return false
}

// checkAnswers compares each engine's answers to TPC-H at scale 1 with the published
// ones.
func checkAnswers(ctx context.Context, engines []Engine, o *options, out io.Writer) error {
	set := tpch.Data{SF: o.sf}
	for _, e := range engines {
		if err := load(ctx, e, set, o); err != nil {
			return err
		}
	}
	var all []error
	for _, q := range tpch.Queries(o.sf) {
		want, err := readPublication(q.Name)
		if err != nil {
			return err
		}
		for _, e := range engines {
			if err := checkAnswer(ctx, e, q.SQL, want); err != nil {
				all = append(all, fmt.Errorf("%s on %s: %w", q.Name, e.Name(), err))
				continue
			}
			fmt.Fprintf(out, "%s on %s: %d rows, of which the published %d are the same or as near as is permitted\n",
				q.Name, e.Name(), want.rows, len(want.head)+len(want.tail))
		}
	}
	return errors.Join(all...)
}

func checkAnswer(ctx context.Context, e Engine, sql string, want *publication) error {
	answer, err := e.Run(ctx, sql)
	if err != nil {
		return err
	}
	defer answer.Close()
	var rows [][]Value
	err = answer.Each(func(row []Value) error {
		rows = append(rows, slices.Clone(row))
		return nil
	})
	if err != nil {
		return err
	}
	return want.compare(rows)
}
