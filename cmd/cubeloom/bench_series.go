package main

import "fmt"

// steepest is how many times a series of group-bys may take what its neighbour
// with a quarter of the groups takes.
const steepest = 4

// cliffs are the steps of a series that are steeper.
func (b *benchmark) cliffs() []string {
	if b.Family != "groupby" {
		return nil
	}
	var found []string
	for i := 1; i < len(b.Queries); i++ {
		q, before := &b.Queries[i], &b.Queries[i-1]
		if step := q.Woven / before.Woven; step > steepest {
			found = append(found, fmt.Sprintf("cliff: %s takes %.1f times what %s takes", q.Name, step, before.Name))
		}
	}
	return found
}

// rateHeader is the column of rows a second, of a series.
func (b *benchmark) rateHeader() string {
	if b.Family != "groupby" {
		return ""
	}
	return "M rows/s\t"
}

// rate is its cell.
func (b *benchmark) rate(q benchQuery) string {
	if b.Family != "groupby" {
		return ""
	}
	return fmt.Sprintf("%.0f\t", q.Rate)
}
