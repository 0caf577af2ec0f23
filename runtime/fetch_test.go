package runtime

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// fakeResident has rows on a device, of which fetching takes until it is let.
type fakeResident struct {
	Relation
	let               chan struct{}
	fetched, released atomic.Bool
	left              atomic.Bool
	failure           error
	t                 *testing.T
}

func (r *fakeResident) Fetch(ctx context.Context, _ []int) error {
	if r.released.Load() {
		r.t.Error("rows are fetched that were released")
	}
	select {
	case <-r.let:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if r.released.Load() {
		r.t.Error("rows were released while they were fetched")
	}
	r.fetched.Store(true)
	return r.failure
}

func (r *fakeResident) LeaveDevice() { r.left.Store(true) }
func (r *fakeResident) Release()     { r.released.Store(true) }

// fakeSteps is a backend whose kernels do what they are named for.
type fakeSteps struct {
	do map[string]func() (Output, error)
}

func (*fakeSteps) Name() string { return "fake" }

func (f *fakeSteps) Run(_ context.Context, of *kernel.Func, _ []any, _ *RunOptions) (Output, Metrics, error) {
	out, err := f.do[of.Name]()
	return out, Metrics{}, err
}

// unionOf is a program of steps whose rows are the result, one after the other.
func unionOf(names ...string) *codegen.Program {
	prog := &codegen.Program{}
	for i, name := range names {
		prog.Steps = append(prog.Steps, codegen.Step{Func: &kernel.Func{Name: name}})
		prog.Result.Parts = append(prog.Result.Parts, codegen.Part{Step: i})
	}
	return prog
}

// TestRowsAreFetchedBesideSteps has the rows of a step leave a device while the next step runs, and
// waits for them before it ends; EXPLAIN ANALYZE has steps run alone.
func TestRowsAreFetchedBesideSteps(t *testing.T) {
	for _, explain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			made := func() *fakeResident {
				return &fakeResident{Relation: NewRows([]kernel.Type{kernel.I64}, nil), let: make(chan struct{}), t: t}
			}
			first, second := made(), made()
			steps := &fakeSteps{map[string]func() (Output, error){
				"first": func() (Output, error) { return first, nil },
				"second": func() (Output, error) {
					close(first.let)
					close(second.let)
					synctest.Wait()
					if first.fetched.Load() == explain {
						t.Errorf("explained %v: fetched beside the second step: %v", explain, first.fetched.Load())
					}
					return second, nil
				},
			}}
			prog := unionOf("first", "second")
			place := Everywhere(steps, 2)
			place.Fetches = true
			if _, err := Execute(t.Context(), prog, place, &RunOptions{Account: NewAccount(0), Explain: explain}); err != nil {
				t.Fatal(err)
			}
			for i, r := range []*fakeResident{first, second} {
				if !r.fetched.Load() || !r.left.Load() || r.released.Load() {
					t.Errorf("rows of step %d: fetched %v, left the device %v, released %v", i, r.fetched.Load(), r.left.Load(), r.released.Load())
				}
			}
		})
	}
}

// TestFetchingEndsWithAStepThatFails gives up what leaves a device before it is released, and has the
// program begin anew elsewhere, or end with the error; that of rows that cannot be fetched is the program's.
func TestFetchingEndsWithAStepThatFails(t *testing.T) {
	failure := errors.New("the second step fails")
	synctest.Test(t, func(t *testing.T) {
		made := func() *fakeResident {
			return &fakeResident{Relation: NewRows([]kernel.Type{kernel.I64}, nil), let: make(chan struct{}), t: t}
		}
		var all []*fakeResident
		fails := true
		steps := &fakeSteps{map[string]func() (Output, error){
			"first": func() (Output, error) {
				all = append(all, made())
				if !fails {
					close(all[len(all)-1].let)
				}
				return all[len(all)-1], nil
			},
			"second": func() (Output, error) {
				synctest.Wait() // the rows of the first step are on their way
				if fails {
					return nil, failure
				}
				all = append(all, made())
				close(all[len(all)-1].let)
				return all[len(all)-1], nil
			},
		}}
		run := func(fallback bool) error {
			place := Everywhere(steps, 2)
			place.Fetches = true
			if fallback {
				place.Fallback = func(int, Backend, error) (Place, Backend, error) {
					fails = false
					return Place{Backend: steps}, steps, nil
				}
			}
			_, err := Execute(t.Context(), unionOf("first", "second"), place, &RunOptions{Account: NewAccount(0)})
			return err
		}
		if err := run(false); !errors.Is(err, failure) || !all[0].released.Load() || all[0].fetched.Load() {
			t.Errorf("%v; released %v, fetched %v", err, all[0].released.Load(), all[0].fetched.Load())
		}
		if err := run(true); err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{false, false, true, true} {
			if all[i].fetched.Load() != want || all[i].released.Load() == want {
				t.Errorf("rows %d: fetched %v, released %v", i, all[i].fetched.Load(), all[i].released.Load())
			}
		}
		lost := made()
		lost.failure = errors.New("the rows are lost")
		close(lost.let)
		steps.do["first"] = func() (Output, error) { return lost, nil }
		if err := run(false); !errors.Is(err, lost.failure) {
			t.Errorf("rows that cannot be fetched: %v", err)
		}
	})
}
