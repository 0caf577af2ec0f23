package main

import (
	"fmt"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// readAnswer reads a result.
func readAnswer(res *cubeloom.Result) (answer, error) {
	floats := &harness.Floats{}
	rows, err := digest(res, floats)
	floats.Sort()
	return answer{rows, floats}, err
}

// agree reports how two answers differ, where numbers of double precision agree within the
// precision of such up to a magnitude: see workload.Query.
func (a answer) agree(b answer, magnitude float64) error {
	if a.rows != b.rows {
		return fmt.Errorf("%v and %v", a.rows, b.rows)
	}
	if !a.floats.Agree(b.floats, magnitude) {
		return fmt.Errorf("%v, but for numbers of double precision", a.rows)
	}
	return nil
}

// sameRows compares two results as multisets of rows.
func sameRows(a, b *cubeloom.Result) error {
	left, err := readAnswer(a)
	if err != nil {
		return err
	}
	right, err := readAnswer(b)
	if err != nil {
		return err
	}
	return left.agree(right, 0)
}
