package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/tests/bench/process"
)

// measured is what the load cost at one isolation level.
type measured struct {
	level   string
	clients []*client // of all rounds
	passed  time.Duration
	cpu     []time.Duration // of the server, for each answer of a round
}

// compare runs the load at one isolation level after the other, several times: each
// client asks the same number of statements, so that the server does the same work.
func compare(ctx context.Context, o *options) (err error) {
	p, right, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	levels := make([]*measured, len(o.isolation))
	for i, level := range o.isolation {
		levels[i] = &measured{level: level}
	}
	for n := range o.rounds {
		for i := range levels {
			// Every second round goes the other way round.
			m := levels[i]
			if n%2 == 1 {
				m = levels[len(levels)-1-i]
			}
			fmt.Fprintf(os.Stderr, "round %d of %d: %s\n", n+1, o.rounds, m.level)
			if err := m.round(ctx, p, right, o); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d clients, %d statements of each in each of %d rounds, half as many cubes, SSB at scale %g, think time up to %v\n",
		o.clients, o.statements, o.rounds, o.sf, o.think)
	return report(levels)
}

// round runs the load once.
func (m *measured) round(ctx context.Context, p *process.Server, right expected, o *options) error {
	before, err := process.CPU(p.PID)
	if err != nil {
		return err
	}
	began := time.Now()
	c := crowd{address: p.Address, right: right, think: o.think, level: m.level, statements: o.statements}
	clients, err := c.run(ctx, o.clients, false, o.duration)
	if err != nil {
		return err
	}
	m.passed += time.Since(began)
	after, err := process.CPU(p.PID)
	if err != nil {
		return err
	}
	answers := 0
	for _, c := range clients {
		if c.first != nil {
			return c.first
		}
		answers += len(c.times)
	}
	m.cpu = append(m.cpu, (after-before)/time.Duration(answers))
	m.clients = append(m.clients, clients...)
	return nil
}

// report writes what each level cost, and the others in units of the first.
func report(levels []*measured) error {
	out := harness.Table(os.Stdout)
	fmt.Fprintln(out, "kind\tclients\tanswers\twrong\tanswers/s\tp50\tp90\tp99\tmost\t")
	for _, k := range kinds() {
		for _, m := range levels {
			row(out, k.name+", "+m.level, ofKind(m.clients, k.name), m.passed)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Println("\nthe server's CPU time for each answer, all kinds together: the median of the rounds, and each")
	first := harness.Median(levels[0].cpu)
	for _, m := range levels {
		now := harness.Median(m.cpu)
		fmt.Fprintf(out, "%s\t%v\t%+.1f %%\t%v\t\n", m.level, now, 100*(float64(now)/float64(first)-1), m.cpu)
	}
	return out.Flush()
}

// ofKind are the clients of one kind.
func ofKind(clients []*client, name string) []*client {
	return slices.DeleteFunc(slices.Clone(clients), func(c *client) bool { return c.kind.name != name })
}
