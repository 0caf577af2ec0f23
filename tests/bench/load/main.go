// Command load puts many clients on one Cubeloom server: short selects, the
// queries of the Star Schema Benchmark and long cubes, all at the same time. Every
// answer is compared with the one that the engine gives alone, and the server's
// goroutines and memory are looked at before and after.
//
//	go run ./load --clients 200 --duration 10m
//
// It first runs the short select alone and then the mixture, for as long each, and
// reports the percentiles of every kind. With several isolation levels it compares what
// the mixture costs at each:
//
//	go run ./load --isolation 'read committed,serializable'
package main

import (
	"context"
	"errors"
	"time"

	"github.com/cubeloom/cubeloom/tests/bench/command"
)

// options are the command line's.
type options struct {
	clients    int
	duration   time.Duration
	alone      time.Duration
	think      time.Duration
	sf         float64
	maxRunning int
	isolation  []string
	statements int
	rounds     int
	serve      bool
}

func main() { command.Main("load", run) }

// run reads the command line and starts the load.
func run(ctx context.Context, args []string) error {
	var o options
	f := command.Flags("load")
	f.IntVar(&o.clients, "clients", 200, "clients at the same time: of ten, six ask short selects, three SSB and one cubes")
	f.DurationVar(&o.duration, "duration", 10*time.Minute, "how long the mixture runs")
	f.DurationVar(&o.alone, "alone", time.Minute, "how long the short selects run alone before that")
	f.DurationVar(&o.think, "think", time.Second, "how long a client waits after each answer, at most; half of it on average")
	f.Float64Var(&o.sf, "sf", 0.1, "scale factor of SSB")
	f.IntVar(&o.maxRunning, "max-running", 0, "statements that the server runs at a time; 0: its default")
	f.StringSliceVar(&o.isolation, "isolation", nil, "default isolation level of the clients; several, with commas between them, are compared")
	f.IntVar(&o.statements, "statements", 60, "where levels are compared: statements that each client asks in a round, half as many cubes")
	f.IntVar(&o.rounds, "rounds", 6, "where levels are compared: how often each has its turn")
	f.BoolVar(&o.serve, "serve", false, "be the server")
	if err := f.MarkHidden("serve"); err != nil {
		return err
	}
	switch err := command.Parse(f, args); {
	case err != nil:
		return err
	case o.clients < 10:
		return errors.New("--clients must be at least 10")
	case o.duration <= 0 || o.alone <= 0 || o.think < 0:
		return errors.New("--duration and --alone must be positive")
	case o.statements <= 0 || o.rounds <= 0:
		return errors.New("--statements and --rounds must be positive")
	case o.serve:
		return serve(ctx, &o)
	}
	if len(o.isolation) > 1 {
		return compare(ctx, &o)
	}
	return load(ctx, &o)
}
