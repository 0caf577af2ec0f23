package placement

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/several"
)

// Plan says where the steps of one query run. One goroutine at a time may use it.
type Plan struct {
	device   *Device
	query    Query
	devices  *several.Backend // all that the query may use; nil: there is none, or none is wanted
	backend  *several.Backend // those on which it runs
	steps    []runtime.Place
	group    []int           // by step: the first of its co-location group
	wanted   []bool          // by step: it was to run on the device
	isNew    bool            // some of it has never run on the device
	waits    bool            // for the compiler, though the query does not insist on a device
	late     bool            // kernels are left to the host that are not compiled
	passing  bool            // likewise, and all of them will be
	lost     []string        // what there is to say of devices that failed for good during the query
	planned  []codegen.Step  // as they are before the query is placed
	costs    map[int]*cost   // by the first step of a co-location group; nil: nothing was compared
	unchosen map[int]*cost   // likewise, where nothing was compared and steps share scans
	refused  map[int]refusal // likewise, what the device has no code for
	noDevice error           // why there is none, where one was asked for
	// onDevice are, by their numbers, the steps as they are done on the device.
	onDevice map[int]*deviceStep
	err      error // what is forced does not apply
}

// Query is what has to be placed.
type Query struct {
	Program *codegen.Program
	Rows    func(step int) float64 // the rows that a step is estimated to give
	Threads int                    // of the host that work on it
	Devices int                    // that work on each kernel that can be shared; 0: on those for which that pays
	Wish    Wish
	// NoFallback has it be an error where a step would run elsewhere than on a device and
	// Wish is CUDA.
	NoFallback bool
	// Wants is what is wanted of aggregations on a device. What is forced brings the query
	// there.
	Wants cudagen.Wants
	// Operators is what is wanted of operators on either side: one that a device cannot do
	// as it is forced to be done runs on the host.
	Operators operators.Preferences
	// Expansions is the same of the forms in which it goes on with a row for each match.
	Expansions strategy.Preference
	Pages      kernel.Pages // of form children, where it is forced
	// Filters is the same of the filters of keys that its blocks take along.
	Filters strategy.Preference
	Packing strategy.Preference // likewise of rows behind filters and probes
	Memo    *Memo               // of the program, with the same settings; nil: it is placed once
}

// forced are the strategies of a device that are forced.
func (q *Query) forced() []strategy.Preference {
	forced := q.Wants.Forced()
	if q.Expansions.Force != "" {
		forced = append(forced, q.Expansions)
	}
	if q.Filters.Force != "" && q.Filters.Force != cudagen.NoFilters {
		forced = append(forced, q.Filters)
	}
	if q.Packing.Force != "" && q.Packing.Force != cudagen.NoPacking {
		forced = append(forced, q.Packing)
	}
	return forced
}

// insists reports whether the query is to run on a device, whatever that costs.
func (q *Query) insists() bool { return q.Wish == CUDA || q.Wish == Auto && len(q.forced()) > 0 }

// insistence says why the query insists on a device.
func (q *Query) insistence() string {
	if q.Wish == CUDA {
		return "device is set to cuda"
	}
	first := q.forced()[0]
	return first.Setting + " is " + first.Force
}

// Wish is where somebody wants queries to run.
type Wish string

const (
	Auto Wish = "auto" // where they are quickest
	Host Wish = "cpu"
	CUDA Wish = "cuda" // on the device as far as it can run them
)

// Wishes are all of them.
func Wishes() []Wish { return []Wish{Auto, Host, CUDA} }

// refusal says that a step has no device code, and why.
type refusal struct {
	step int
	err  error
}

// deviceStep is how a step that may run on the device is done there.
type deviceStep struct {
	whole     *kernel.Func
	split     *codegen.Split // in place of whole, where a device has no sets of distinct values
	decisions []strategy.Decision
	cost      float64 // of its aggregations
}

// Memo keeps how the steps of a program are done on a device, from one time that the program is
// placed to the next: choosing strategies takes longer than starting the kernels of a short query.
// All that a choice depends on besides must be the same each time: settings, and the tables that
// are read. Safe for concurrent use; the zero Memo keeps nothing yet.
type Memo struct {
	mu   sync.Mutex
	kept map[*cudagen.Target]*prepared
	runs int    // of the program
	key  string // programKey of it; "": nobody has asked yet
	// ahead is by step whether its kernels were compiled ahead; nil: none were.
	ahead []bool
}

// prepared is what prepareSteps finds, with what it depends on.
type prepared struct {
	program *codegen.Program
	wanted  []bool
	steps   map[int]*deviceStep
	refused map[int]refusal
}

// UsesDevice reports whether a step may run on the device.
func (p *Plan) UsesDevice() bool { return p.backend != nil }

// Steps returns where the steps of Program are to run.
func (p *Plan) Steps() []runtime.Place { return p.steps }

// Program returns the program as it is placed: steps that run on a device may be done by
// several kernels there.
func (p *Plan) Program() *codegen.Program { return p.query.Program }

// isOnDevice reports whether step i is to run on the device.
func (p *Plan) isOnDevice(i int) bool {
	return p.backend != nil && p.steps[i].Backend == runtime.Backend(p.backend)
}

// here are the steps that are to run on the device.
func (p *Plan) here() []bool {
	here := make([]bool, len(p.steps))
	for i := range here {
		here[i] = p.isOnDevice(i)
	}
	return here
}
