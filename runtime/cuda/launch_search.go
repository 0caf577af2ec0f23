package cuda

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/tune"
)

// launchSearch is the search for the launch parameters of a kernel, which goes on in the next
// query where one has not ended it.
type launchSearch struct {
	*tune.Search[runtime.LaunchParameters]
	kernel string // in the file of the device
	// kept is what the file held at the start: it is measured again, and not sought.
	kept  *machine.Launch
	saved bool    // in the file
	usual float64 // nanoseconds of a block with what the plan says itself
	when  string
	// first is by what is launched which parameters had it launched first. Others are
	// gone on from no further: many make no difference, since work or memory ends before.
	first map[uint64]runtime.LaunchParameters
	again map[runtime.LaunchParameters]bool
}

// newLaunchSearch begins a search for a kernel of a device, as its file names it.
func newLaunchSearch(device *Info, kernel string) (*launchSearch, error) {
	s := &launchSearch{
		kernel: kernel,
		when:   time.Now().Format(time.DateOnly), first: make(map[uint64]runtime.LaunchParameters), again: make(map[runtime.LaunchParameters]bool),
	}
	if l := keptLaunch(device, kernel); l != nil {
		p, err := runtime.ParseLaunchParameters(l.Parameters)
		if err != nil {
			return nil, fmt.Errorf("the file of %s: %w", device.Name, err)
		}
		s.kept, s.saved = l, true
		s.Search = tune.New(func(runtime.LaunchParameters) []runtime.LaunchParameters { return nil }, []runtime.LaunchParameters{p}, tune.Defaults)
		return s, nil
	}
	s.Search = tune.New(func(p runtime.LaunchParameters) []runtime.LaunchParameters {
		if s.again[p] {
			return nil
		}
		return besideLaunch(p)
	}, []runtime.LaunchParameters{{}}, tune.Frugal)
	return s, nil
}

// keptLaunch is what the file of a device held at the start about a kernel; nil: nothing.
func keptLaunch(device *Info, kernel string) *machine.Launch {
	if l, ok := machine.LaunchOf(device.Name, device.Driver, kernel); ok {
		return &l
	}
	return nil
}

// kernelName is what the file of a device calls a kernel of some source for so many groups, of which
// the number is the bits.
func kernelName(source string, groups int) string {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(source)) // it takes everything
	return fmt.Sprintf("%016x-%d", hash.Sum64(), groups)
}

// variantKernel is behind the name of a kernel for which ways to aggregate were sought.
const variantKernel = "-variant"

// found is what has been found so far.
func (s *launchSearch) found() *machine.Launch {
	if s.kept != nil {
		return s.kept
	}
	best, took := s.Best()
	blocks, _, _ := s.Effort()
	l := &machine.Launch{Kernel: s.kernel, Parameters: best.String(), When: s.when, Blocks: blocks, Gain: 1}
	if took > 0 && s.usual > 0 {
		l.Gain = s.usual / took
	}
	return l
}

// save puts what was found in the file of the device when the search has ended.
func (s *launchSearch) save(device *Info) error {
	if !s.Done() || s.saved {
		return nil
	}
	s.saved = true
	return machine.KeepLaunch(device.Name, device.Driver, *s.found())
}

// took notes how long a block took with the parameters of Next.
func (s *launchSearch) took(nanoseconds float64) {
	s.Took(nanoseconds)
	if usual, ok := s.Time(runtime.LaunchParameters{}); ok {
		s.usual = usual
	}
}

// launched notes what parameters have had launched.
func (s *launchSearch) launched(p runtime.LaunchParameters, what uint64) {
	if first, known := s.first[what]; !known {
		s.first[what] = p
	} else if first != p {
		s.again[p] = true
	}
}

// steps are the values of each parameter that are tried.
var steps = struct{ blocks, shared, replicas []int }{
	[]int{0, 1, 2, 3, 4, 6, 8, 12, 16, 32},
	[]int{0, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 200 << 10}, // replicas are powers of two: each step makes a difference
	[]int{0, 1, 2, 4, 8, 16, 32},
}

// besideLaunch are the parameters that lie beside others, with the next or the last value of
// one. From what the plan says itself a step leads to each value of one.
func besideLaunch(p runtime.LaunchParameters) []runtime.LaunchParameters {
	var list []runtime.LaunchParameters
	add := func(values []int, of func(*runtime.LaunchParameters) *int) {
		for i, v := range values {
			now := *of(&p)
			beside := now == 0 && v > 0 || i > 0 && values[i-1] == now || i+1 < len(values) && values[i+1] == now
			if next := p; beside && v != now {
				*of(&next) = v
				list = append(list, next)
			}
		}
	}
	add(steps.blocks, func(p *runtime.LaunchParameters) *int { return &p.Blocks })
	add(steps.shared, func(p *runtime.LaunchParameters) *int { return &p.Shared })
	add(steps.replicas, func(p *runtime.LaunchParameters) *int { return &p.Replicas })
	return list
}
