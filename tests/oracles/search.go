package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/tests/randquery"
)

// progressEvery is the time between two lines of progress.
const progressEvery = 10 * time.Second

// search runs rounds until the time is over or all have run, and returns what it
// counted.
func search(ctx context.Context, o options) (*counters, error) {
	laws, err := chosen(randquery.Laws, o.laws, lawName)
	if err != nil {
		return nil, err
	}
	configs, err := chosen(configurations, o.configs, configName)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(o.out, "seed %d\n", o.seed)
	s := &searcher{options: o, laws: laws, configs: configs, spent: make([]time.Duration, len(configs)), counters: newCounters(o.seed)}
	if o.rounds == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.duration)
		defer cancel()
	}
	stop := s.showProgress()
	defer stop()
	return s.counters, s.run(ctx)
}

// A searcher gives rounds to workers.
type searcher struct {
	options
	laws     []randquery.Law
	configs  []configuration
	counters *counters

	mu      sync.Mutex
	started int             // rounds
	spent   []time.Duration // by configuration
}

// showProgress writes a line now and then until it is stopped.
func (s *searcher) showProgress() (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				fmt.Fprintln(s.progress, s.counters.line())
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// run has workers run rounds.
func (s *searcher) run(ctx context.Context) error {
	errs := make([]error, s.threads)
	var workers sync.WaitGroup
	for i := range errs {
		current := filepath.Join(s.dir, fmt.Sprintf("oracles-%d-%d-current.txt", os.Getpid(), i))
		workers.Go(func() { errs[i] = s.work(ctx, current) })
	}
	workers.Wait()
	return errors.Join(errs...)
}

// next takes a round and the configuration that has had the least time; false where
// there is none left.
func (s *searcher) next() (number uint64, config int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rounds > 0 && s.started == s.rounds {
		return 0, 0, false
	}
	for i := range s.configs {
		if s.spent[i] < s.spent[config] {
			config = i
		}
	}
	number = s.seed + uint64(s.started)
	s.started++
	s.spent[config] += time.Millisecond // so that two workers do not take the same
	return number, config, true
}

// work runs rounds one after the other, with an engine for each configuration.
// The file current names the case at hand until then.
func (s *searcher) work(ctx context.Context, current string) error {
	engines := map[int]*engine{}
	defer func() {
		os.Remove(current)
		for _, e := range engines {
			e.db.Close()
		}
	}()
	for ctx.Err() == nil {
		number, config, ok := s.next()
		if !ok {
			return nil
		}
		if engines[config] == nil {
			e, err := openEngine(s.configs[config], s.limit)
			if err != nil {
				return err
			}
			engines[config] = e
		}
		begun := time.Now()
		r := &round{options: s.options, laws: s.laws, config: s.configs[config], number: number, engine: engines[config], counters: s.counters, current: current}
		err := r.run(ctx)
		switch {
		case errors.Is(err, errBroken):
			delete(engines, config)
		case err != nil && ctx.Err() == nil:
			return err
		}
		s.mu.Lock()
		s.spent[config] += time.Since(begun)
		s.mu.Unlock()
		s.counters.roundDone()
	}
	return nil
}
