package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// olapTime is a query's median time, and that of its kernels on a device.
type olapTime struct {
	Query   float64 `json:"query_ms"`
	Kernels float64 `json:"kernels_ms,omitempty"`
}

// cells are the columns of a time.
func (t *olapTime) cells() string {
	switch {
	case t == nil:
		return "\t"
	case t.Kernels == 0:
		return fmt.Sprintf("%.2f\t", t.Query)
	}
	return fmt.Sprintf("%.2f\t%.3f", t.Query, t.Kernels)
}

// olapWay is what one way to expand and to add took, or why it does not apply.
type olapWay struct {
	Table        string `json:"table,omitempty"`
	Form         string `json:"form"`
	Pages        string `json:"pages,omitempty"` // setting expand_pages
	Aggregate    string `json:"aggregate"`
	Taken        string `json:"taken,omitempty"` // what the run has chosen, and why
	Preaggregate string `json:"preaggregate"`
	Replicas     string `json:"replicas"`
	Threads      string `json:"threads,omitempty"` // setting group_threads
	olapTime
	Added   int64  `json:"rows_added,omitempty"` // to targets
	Made    int64  `json:"additions_made,omitempty"`
	Refusal string `json:"refusal,omitempty"`
	// Kernels that kernels launched, their blocks, launches that were refused, and the
	// memory in which rows waited for them.
	Launched, Blocks, Refused, Places int64 `json:",omitzero"`
}

// note reads what a run has noted of kernels that kernels launched.
func (w *olapWay) note(taken string) {
	for _, part := range strings.Split(taken, "; ") {
		name, number, _ := strings.Cut(part, ": ")
		n, err := strconv.ParseInt(number, 10, 64)
		if to := map[string]*int64{"kernels launched by kernels": &w.Launched, "their blocks": &w.Blocks, "launches refused": &w.Refused, "bytes of places": &w.Places}[name]; to != nil && err == nil {
			*to += n
		}
	}
}

// printWays writes rows of the table of ways. A warp's 32 rows in one addition are an
// efficiency of 100 %.
func printWays(w io.Writer, query string, ways []olapWay) {
	for i := range ways {
		way := &ways[i]
		fmt.Fprintf(w, "%s\t%s\t%s %s\t%s\t%s\t%s\t%s\t", query, way.Table, way.Form, way.Pages, way.Aggregate, way.Preaggregate, way.Replicas, way.Threads)
		if way.Refusal != "" {
			fmt.Fprintf(w, "%s\t\n", way.Refusal)
			continue
		}
		efficiency := ""
		if way.Made > 0 {
			efficiency = fmt.Sprintf("%.2f %%", 100*float64(way.Added)/float64(32*way.Made))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t%d\t%.1f\t%s\n", way.cells(), way.Added, way.Made, efficiency,
			way.Launched, way.Blocks, way.Refused, float64(way.Places)/(1<<20), way.Taken)
	}
}
