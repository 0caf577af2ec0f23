package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/tests/randquery"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// A round is some cases of each law over the same tables, under one configuration.
type round struct {
	options
	laws     []randquery.Law
	config   configuration
	number   uint64 // its seed
	engine   *engine
	counters *counters
	// current is the file that names the case at hand, for those who find that the program
	// has died.
	current string
	// asked are the queries of the last check, whose answers are findings' evidence.
	asked []string
}

const (
	tablesPerRound = 3
	// casesPerRound is the number of cases of each law.
	casesPerRound = 6
	// On a device every new kernel is compiled, which takes longer than to run it: there
	// are fewer queries, and each is asked about several fills of the tables.
	deviceCases, deviceFills = 1, 6
)

// Every so many rounds have values at the ends of their types, on which arithmetic may
// fail, or a table of many rows.
const (
	extremeEvery = 5
	largeEvery   = 40
)

// run checks the cases of the round.
func (r *round) run(ctx context.Context) error {
	large := r.number%largeEvery == 7 && !r.config.slow
	tables := randquery.WideTables(r.number, tablesPerRound, r.extreme(), large)
	if err := r.load(ctx, tables); err != nil {
		return err
	}
	g := randquery.NewWideGenerator(tables)
	cases, fills := casesPerRound, 1
	switch {
	case r.config.devices > 0:
		cases, fills = deviceCases, deviceFills
	case large:
		cases = 1
	}
	for _, law := range r.laws {
		for i := range cases {
			c := g.Case(law, r.number*casesPerRound+uint64(i), tables)
			for fill := range fills {
				if fill > 0 {
					c = c.With(randquery.Refill(r.number+uint64(fill), tables))
				}
				if ctx.Err() != nil {
					return nil
				}
				if err := r.check(ctx, c, fills > 1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// extreme reports whether errors of values out of range are free in this round.
func (r *round) extreme() bool { return r.number%extremeEvery == 4 }

// load replaces the tables of the engine.
func (r *round) load(ctx context.Context, tables []randquery.Table) error {
	for _, plain := range []bool{true, false} {
		if _, err := r.engine.query(ctx, zone(r.number), plain); err != nil {
			return err
		}
	}
	for _, t := range tables {
		for _, sql := range append([]string{"DROP TABLE IF EXISTS " + t.Name}, t.SQL()...) {
			if _, err := r.engine.query(ctx, sql, true); err != nil {
				return fmt.Errorf("round %d: %s: %w", r.number, sql, err)
			}
		}
	}
	return nil
}

// check checks one case, and reports it where it is a finding.
func (r *round) check(ctx context.Context, c *randquery.Case, reload bool) error {
	if reload {
		if err := r.load(ctx, c.Tables); err != nil {
			return err
		}
	}
	kernels, onHost := r.engine.kernels, r.engine.onHost
	r.engine.slowest = 0
	if err := r.note(c); err != nil {
		return err
	}
	err := r.ask(ctx, c)
	r.counters.time(r, c.Law.Name)
	if ctx.Err() != nil && !errors.Is(err, errHang) {
		return nil
	}
	o := r.outcome(err)
	r.counters.count(c.Law.Name, r.config.name, o, len(r.asked), r.engine.kernels-kernels, r.engine.onHost-onHost)
	if !o.finding {
		return nil
	}
	if err := r.report(ctx, c, err); err != nil {
		return err
	}
	if o.broken { // what does not end, or a device that failed, is left behind
		return errBroken
	}
	return r.load(ctx, c.Tables)
}

// invalid begins the kind of a finding that is a refused query. It is not made smaller:
// leaving something out makes many queries invalid.
const invalid = "error 42"

// note writes the command that repeats the case at hand.
func (r *round) note(c *randquery.Case) error {
	f := finding{law: c.Law.Name, config: r.config, number: r.number, seed: c.Seed}
	return os.WriteFile(r.current, []byte(fmt.Sprintf("%s # case %d\n", f.repeat(), f.seed)), 0o644)
}

// errBroken ends a round whose engine cannot go on.
var errBroken = errors.New("the engine is broken")

// ask checks a case and notes the queries that it asks.
func (r *round) ask(ctx context.Context, c *randquery.Case) error {
	r.asked = r.asked[:0]
	return c.Check(func(sql string, plain bool) (*reference.Result, error) {
		note := ""
		if plain {
			note = "-- with " + strings.Join(plainest, ", ") + "\n"
		}
		r.asked = append(r.asked, note+sql)
		got, err := r.engine.query(ctx, sql, plain)
		if err == nil && r.answer != nil {
			r.answer(c.Law.Name, sql, plain, got)
		}
		return got, err
	})
}

// outcome judges the error of a check. Numbers and times out of range are free, and where values
// are extreme all errors of values, since which expressions are evaluated is; what needs a numeric of
// more than 38 digits is always an error.
func (r *round) outcome(err error) outcome {
	var v *randquery.Violation
	code := state(err)
	switch {
	case err == nil:
		return outcome{kind: "holds"}
	case randquery.NoSubject(err):
		return outcome{kind: "none"}
	case errors.Is(err, errTooLarge):
		return outcome{kind: "refused", detail: err.Error()}
	case errors.As(err, &v):
		return outcome{kind: "violation", finding: true}
	case errors.Is(err, errHang):
		return outcome{kind: "hang", finding: true, broken: true}
	case code == "":
		return outcome{kind: "panic", finding: true, broken: true}
	case code == "22003", code == "22008", strings.HasPrefix(code, "22") && r.extreme():
		return outcome{kind: "raised", detail: err.Error()}
	case code == "0A000", code == "54001", code == "53200":
		return outcome{kind: "refused", detail: err.Error()}
	}
	return outcome{kind: "error " + code, finding: true}
}

// report makes a finding smaller and writes it.
func (r *round) report(ctx context.Context, c *randquery.Case, err error) error {
	was := r.outcome(err)
	f := finding{law: c.Law.Name, config: r.config, number: r.number, seed: c.Seed, err: err, kind: was.kind}
	if !was.broken && !strings.HasPrefix(was.kind, invalid) {
		deadline := time.Now().Add(r.shrink)
		small := c.Shrink(func(candidate *randquery.Case, otherRows bool) bool {
			if ctx.Err() != nil || time.Now().After(deadline) {
				return false
			}
			if otherRows {
				if err := r.load(ctx, candidate.Tables); err != nil {
					return false
				}
			}
			err := r.ask(ctx, candidate)
			if o := r.outcome(err); o.kind != was.kind {
				return false
			}
			return true
		})
		if err := r.load(ctx, small.Tables); err != nil {
			return err
		}
		if again := r.ask(ctx, small); r.outcome(again).kind == was.kind {
			c, f.err = small, again
		} else if err := r.load(ctx, c.Tables); err != nil {
			return err
		} else {
			f.err = fmt.Errorf("%w\nnot every time: asked again, it was: %v", err, r.ask(ctx, c))
		}
	}
	f.tables, f.asked = c.Tables, append([]string(nil), r.asked...)
	return r.counters.add(f, r.dir, r.out)
}

// time notes the slowest query.
func (t *counters) time(r *round, law string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.engine.slowest > t.slowest {
		f := finding{law: law, config: r.config, number: r.number}
		t.slowest, t.slowestCase = r.engine.slowest, f.repeat()+"\n"+r.engine.slowestQuery
	}
}
