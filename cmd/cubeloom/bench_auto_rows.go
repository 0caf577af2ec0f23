package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// autoFlags are those of bench auto.
type autoFlags struct {
	engineFlags
	ssb, tpch            []float64
	cube, csv            int64
	sources, beside      []string
	runs                 int
	warm, time, coldTime time.Duration
	limit                time.Duration
	asJSON               bool
}

// autoBench is device = auto beside other devices.
type autoBench struct {
	Cells []autoCell `json:"cells"`

	flags   *autoFlags
	program string // that a cold process runs
	folder  string // of the data and the caches
	until   time.Time
	streams
}

// autoCell is one query over one kind of table, in one kind of process.
type autoCell struct {
	Data    string `json:"data"`
	Query   string `json:"query"`
	Process string `json:"process"`
	// Times are milliseconds, by device: of a whole process, of a query, or of the clock for each of the
	// queries that clients ask at the same time.
	Times map[string]float64 `json:"milliseconds"`
}

// worstRatio is how much longer than with the better device a query may take with device = auto.
const worstRatio = 1.1

// each are texts of all devices, auto last.
func (b *autoBench) each(text func(device string) string) []string {
	var list []string
	for _, d := range b.devices() {
		list = append(list, text(d))
	}
	return list
}

// devices are those that are compared, auto last.
func (b *autoBench) devices() []string { return append(slices.Clone(b.flags.beside), "auto") }

// isLate reports whether nothing else is begun.
func (b *autoBench) isLate() bool { return !b.until.IsZero() && time.Now().After(b.until) }

// add takes a row and writes it.
func (b *autoBench) add(c autoCell) {
	b.Cells = append(b.Cells, c)
	if b.flags.asJSON {
		return
	}
	texts := b.each(func(d string) string { return fmt.Sprintf("%11.2f", c.Times[d]) })
	fmt.Fprintf(b.out, "%-22s %-6s %-13s%s   %.2f\n", c.Data, c.Query, c.Process, strings.Join(texts, ""), c.ratio())
}

// ratio is what auto takes, where the better of the others takes 1.
func (c *autoCell) ratio() float64 {
	better := 0.0
	for device, t := range c.Times {
		if device != "auto" && (better == 0 || t < better) {
			better = t
		}
	}
	return c.Times["auto"] / better
}

// sum writes how many rows are within the bound.
func (b *autoBench) sum(out io.Writer) {
	above, worst := 0, 0.0
	for i := range b.Cells {
		ratio := b.Cells[i].ratio()
		if worst = max(worst, ratio); ratio > worstRatio {
			above++
		}
	}
	fmt.Fprintf(out, "%d rows, %d of them above %.1f times the better; the worst %.2f\n", len(b.Cells), above, worstRatio, worst)
	if b.isLate() {
		fmt.Fprintln(out, "the time was over before all was measured")
	}
}
