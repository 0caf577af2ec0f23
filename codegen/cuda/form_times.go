package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// timedRuns is in how many runs forms are timed: the least time counts.
const timedRuns = 2

// FormTimes are the times of a kernel in several forms of its expansions, over the same rows and
// tables. What is predicted to be the fastest is timed first, then its rivals, each in runs of
// later queries. They are used by one goroutine at a time.
type FormTimes struct {
	ways    []*FormWay // what is predicted to be the fastest, then its rivals
	figures *machine.Expand
}

// FormWay is one of the ways to carry the kernel out.
type FormWay struct {
	*OpenForms
	runs    int     // that were timed
	took    float64 // nanoseconds of all launches, the least of these runs
	Refused bool    // it turned out not to apply
}

// NewFormTimes begins with what is predicted.
func NewFormTimes(predicted *OpenForms, figures *machine.Expand) *FormTimes {
	s := &FormTimes{ways: []*FormWay{{OpenForms: predicted}}, figures: figures}
	for _, rival := range predicted.Rivals() {
		s.ways = append(s.ways, &FormWay{OpenForms: rival})
	}
	return s
}

// Predicted is the way that is predicted to be the fastest.
func (s *FormTimes) Predicted() *FormWay { return s.ways[0] }

// Next is what a run is carried out in: a way that has to be timed and is usable, or the fastest.
func (s *FormTimes) Next(usable func(*FormWay) bool) *FormWay {
	for i, w := range s.ways {
		if s.IsWanted(w) && (i == 0 || usable(w)) {
			return w
		}
	}
	return s.Fastest()
}

// IsWanted reports whether a way is to be timed: the first where it has rivals, and of these those that
// may be faster than the fastest so far.
func (s *FormTimes) IsWanted(w *FormWay) bool {
	best := s.Fastest()
	switch {
	case w.Refused || w.runs >= timedRuns || len(s.ways) == 1:
		return false
	case w == s.Predicted():
		return true
	case w.runs > 0:
		return w.took < s.figures.Doubt*best.took
	}
	return s.least(w) < best.took-s.figures.Tried
}

// least is what a way is likely to take at least. Where the first took less than was predicted of it, that of all
// ways is likely to be too much.
func (s *FormTimes) least(w *FormWay) float64 {
	first := s.Predicted()
	return w.Cost / s.figures.Doubt * min(first.took/first.Cost, 1)
}

// Ended reports whether nothing is left to be timed.
func (s *FormTimes) Ended() bool {
	return !slices.ContainsFunc(s.ways, s.IsWanted)
}

// Fastest is the fastest way that was timed, or else the predicted one.
func (s *FormTimes) Fastest() *FormWay {
	best := s.Predicted()
	for _, w := range s.ways {
		if !w.Refused && w.runs > 0 && (best.Refused || best.runs == 0 || w.took < best.took) {
			best = w
		}
	}
	return best
}

// Note notes what a run in a way has taken.
func (w *FormWay) Note(nanoseconds float64) {
	if w.runs == 0 || nanoseconds < w.took {
		w.took = nanoseconds
	}
	w.runs++
}

// Decisions say why the kernel is carried out in a way.
func (s *FormTimes) Decisions(w *FormWay) []strategy.Decision {
	var timed []string
	for _, w := range s.ways {
		if w.runs > 0 {
			timed = append(timed, fmt.Sprintf("%s, timed as %.3g ms", strings.Join(w.Names(), " and "), w.took/1e6))
		}
	}
	text, reason := strings.Join(timed, ", and "), w.Decisions[0].Reason
	switch best := s.Fastest(); {
	case w != best:
		reason = "tried beside " + text
	case len(timed) > 1:
		reason = "the fastest of " + text
	}
	decisions := w.Because(reason)
	for i := range decisions {
		decisions[i].Sought = !s.Ended()
	}
	return decisions
}
