// Package ordered runs jobs on several goroutines and takes their results in
// the order in which the jobs were made.
package ordered

import (
	"runtime/debug"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Run calls next until it returns a nil job, runs up to workers jobs at a time,
// and calls take with their results in the order of the jobs. next and take are
// called by one goroutine each, take by the caller's. At most twice as many
// results as there are workers wait for take. The first error, in the order of
// the jobs, ends everything and is returned; no job runs any more when Run
// returns. A panic of a job or of next is its error: XX001 where it was a fault in a
// mapped file, XX000 with the stack in its detail elsewhere.
func Run[T any](workers int, next func() (job func() (T, error), err error), take func(T) error) error {
	r := &runner[T]{
		queue: make(chan chan result[T], 2*max(workers, 1)),
		slots: make(chan struct{}, max(workers, 1)),
		stop:  make(chan struct{}),
	}
	go r.start(func() (job func() (T, error), err error) { return call(next) })
	defer func() {
		close(r.stop)
		for range r.queue { // until the starter has seen stop
		}
		r.jobs.Wait()
	}()
	return r.drain(take)
}

// call calls f with its panics made errors.
func call[T any](f func() (T, error)) (val T, err error) {
	defer fault.Arm()()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if e := fault.Error(p); e != nil {
			err = e
			return
		}
		e := value.Errorf(value.CodeInternal, "internal error: %v", p)
		e.Detail = string(debug.Stack())
		err = e
	}()
	return f()
}

type result[T any] struct {
	val T
	err error
}

type runner[T any] struct {
	queue chan chan result[T] // one for each job, in order
	slots chan struct{}       // one for each running job
	stop  chan struct{}
	jobs  sync.WaitGroup
}

// start makes jobs and runs them until there are no more or stop is closed.
func (r *runner[T]) start(next func() (func() (T, error), error)) {
	defer close(r.queue)
	for {
		select {
		case <-r.stop:
			return
		case r.slots <- struct{}{}:
		}
		out := make(chan result[T], 1)
		job, err := next()
		if err == nil && job == nil {
			return
		}
		select {
		case <-r.stop:
			return
		case r.queue <- out:
		}
		if err != nil {
			out <- result[T]{err: err}
			return
		}
		r.jobs.Go(func() {
			val, err := call(job)
			out <- result[T]{val, err}
			<-r.slots
		})
	}
}

// drain takes the results in order.
func (r *runner[T]) drain(take func(T) error) error {
	for out := range r.queue {
		res := <-out
		if res.err != nil {
			return res.err
		}
		if err := take(res.val); err != nil {
			return err
		}
	}
	return nil
}
