package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// dialer connects to a Unix socket, whatever it is asked for.
func dialer(address string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", address)
	}
}

// load runs everything and reports.
func load(ctx context.Context, o *options) (err error) {
	p, right, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	fmt.Fprintln(os.Stderr, "the short selects alone")
	c := crowd{address: p.Address, right: right, think: o.think, level: strings.Join(o.isolation, "")}
	alone, err := c.run(ctx, o.clients, true, o.alone)
	if err != nil {
		return err
	}
	before, err := p.State()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "all of them")
	together, err := c.run(ctx, o.clients, false, o.duration)
	if err != nil {
		return err
	}
	time.Sleep(time.Second) // for the server to see that the clients are gone
	after, err := p.State()
	if err != nil {
		return err
	}
	fmt.Printf("%d clients, SSB at scale %g, think time up to %v\n", o.clients, o.sf, o.think)
	out := harness.Table(os.Stdout)
	fmt.Fprintln(out, "kind\tclients\tanswers\twrong\tanswers/s\tp50\tp90\tp99\tmost\t")
	row(out, "short select, alone", alone, o.alone)
	wrong := count(alone)
	for _, k := range kinds() {
		of := ofKind(together, k.name)
		row(out, k.name, of, o.duration)
		wrong += count(of)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Printf("the server before: %d goroutines, %.1f MB live; after: %d goroutines, %.1f MB live; at most %.1f MB resident\n",
		before.Goroutines, float64(before.Heap)/1e6, after.Goroutines, float64(after.Heap)/1e6, float64(after.Resident)/1e6)
	if wrong > 0 {
		for _, c := range append(alone, together...) {
			if c.first != nil {
				return fmt.Errorf("%d answers are wrong, such as %w", wrong, c.first)
			}
		}
	}
	return nil
}

// count counts what went wrong.
func count(clients []*client) (n int) {
	for _, c := range clients {
		n += c.wrong
	}
	return n
}

// row reports one kind.
func row(out *tabwriter.Writer, name string, clients []*client, d time.Duration) {
	var times []time.Duration
	for _, c := range clients {
		times = append(times, c.times...)
	}
	at := func(p float64) time.Duration { return harness.Percentile(times, p).Round(10 * time.Microsecond) }
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%.1f\t%v\t%v\t%v\t%v\t\n",
		name, len(clients), len(times), count(clients), float64(len(times))/d.Seconds(), at(0.5), at(0.9), at(0.99), at(1))
}
