package spaces

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/runtime/tune"
)

// mostDiscarded is how many first blocks Discarded looks beyond.
const mostDiscarded = 7

// Report is what recordings show.
type Report struct {
	Best      []Best    `json:"best"`
	Planned   []Beside  `json:"planned"`
	Refused   []string  `json:"refused"`
	Spaces    int       `json:"spaces"`
	OneLowest int       `json:"one_minimum"` // of the spaces
	Variation Quartiles `json:"variation"`   // coefficient of variation of the fastest configurations
	Discarded []int     `json:"discarded"`   // see Part.Discarded
	GivenUp   int       `json:"given_up"`    // configurations that were measured no further
	Searches  []Figures `json:"searches"`
}

// Best is the fastest configuration of a strategy.
type Best struct {
	Space         string  `json:"space"`
	Strategy      string  `json:"strategy"`
	Configuration string  `json:"configuration"`
	Milliseconds  float64 `json:"milliseconds"` // of a block
	Rows          float64 `json:"rows"`         // a second
	Bytes         float64 `json:"bytes"`        // a second
	Worst         float64 `json:"worst"`        // the slowest configuration, where this one is 1
}

// Quartiles are those of some shares.
type Quartiles struct {
	Lower    float64 `json:"lower"`
	Median   float64 `json:"median"`
	Upper    float64 `json:"upper"`
	Greatest float64 `json:"greatest"`
}

func quartiles(all []float64) Quartiles {
	at := func(share float64) float64 { return harness.Percentile(all, share) }
	return Quartiles{at(0.25), median(all), at(0.75), at(1)}
}

// Beside is what is planned for a number of groups, beside the fastest configuration of all strategies.
type Beside struct {
	Space        string  `json:"space"`
	Taken        string  `json:"taken"`
	Milliseconds float64 `json:"milliseconds"` // of a block
	Fastest      Best    `json:"fastest"`
}

// Figures are the searches with some hyper-parameters: within the strategies, each alone,
// and over all of a space together.
type Figures struct {
	Options  tune.Options `json:"options"`
	Each     Summary      `json:"each"`
	Together Summary      `json:"together"`
}

// NewReport evaluates recordings.
func NewReport(all []*Recording) *Report {
	r := &Report{Discarded: make([]int, mostDiscarded+2)}
	var variation []float64
	for _, recording := range all {
		for i := range recording.Spaces {
			from := len(r.Best)
			for _, p := range recording.Spaces[i].measured(&r.Refused) {
				r.Best = append(r.Best, bestOf(&recording.Spaces[i], p))
				r.Spaces++
				if p.Minima() == 1 {
					r.OneLowest++
				}
				variation = append(variation, p.Variation())
				r.GivenUp += p.givenUp()
				for n, count := range p.Discarded(mostDiscarded) {
					r.Discarded[n] += count
				}
			}
			if planned := (&Point{Times: recording.Spaces[i].Planned.Times}).Mean(); !math.IsInf(planned, 1) && from < len(r.Best) && recording.Spaces[i].isWhole() {
				fastest := slices.MinFunc(r.Best[from:], func(a, b Best) int { return cmp.Compare(a.Milliseconds, b.Milliseconds) })
				r.Planned = append(r.Planned, Beside{recording.Spaces[i].Name, recording.Spaces[i].Planned.Taken, planned / 1e6, fastest})
			}
		}
	}
	r.Variation = quartiles(variation)
	for _, opts := range []tune.Options{tune.Gradient, tune.Defaults, tune.Frugal} {
		r.Searches = append(r.Searches, searches(all, opts))
	}
	return r
}

// isWhole reports whether all strategies that apply were measured.
func (s *Space) isWhole() bool {
	return !slices.ContainsFunc(s.Parts, func(p Part) bool { return p.Missing })
}

// measured are the parts with points; why there are none of others is added to a list.
func (s *Space) measured(refused *[]string) []*Part {
	var parts []*Part
	for k := range s.Parts {
		p := &s.Parts[k]
		if p.Refusal == "" {
			parts = append(parts, p)
		}
		if refused != nil {
			*refused = append(*refused, p.refusals(s.Name)...)
		}
	}
	return parts
}

// refusals say why the strategy, or some of its configurations, cannot be.
func (p *Part) refusals(space string) []string {
	if p.Refusal != "" {
		return []string{fmt.Sprintf("%s, %s: %s", space, p.Strategy, p.Refusal)}
	}
	counts := make(map[string]int)
	for i := range p.Points {
		if text := p.Points[i].Refusal; text != "" {
			counts[text]++
		}
	}
	var list []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s, %s, %d of %d configurations: %s", space, p.Strategy, counts[text], len(p.Points), text))
	}
	return list
}

func bestOf(s *Space, p *Part) Best {
	i, mean := p.best()
	slowest := mean
	for k := range p.Points {
		if pt := &p.Points[k]; pt.Refusal == "" {
			slowest = max(slowest, pt.Mean())
		}
	}
	return Best{
		Space: s.Name, Strategy: p.Strategy, Configuration: p.Text(i), Milliseconds: mean / 1e6,
		Rows: float64(s.Rows) / mean * 1e9, Bytes: float64(s.Bytes) / mean * 1e9, Worst: slowest / mean,
	}
}

func searches(all []*Recording, opts tune.Options) Figures {
	var each, together []Outcome
	for _, recording := range all {
		for i := range recording.Spaces {
			parts := recording.Spaces[i].measured(nil)
			for _, p := range parts {
				each = append(each, Search([]*Part{p}, opts))
			}
			if len(parts) > 1 {
				together = append(together, Search(parts, opts))
			}
		}
	}
	return Figures{opts, Summarize(each), Summarize(together)}
}

// Print writes the report.
func (r *Report) Print(out io.Writer) {
	w := harness.Table(out)
	fmt.Fprintln(w, "space\tstrategy\tfastest configuration\tms a block\tG rows/s\tGB/s\tslowest\t")
	for _, b := range r.Best {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.3f\t%.3f\t%.1f\t%.2f\t\n", b.Space, b.Strategy, b.Configuration, b.Milliseconds, b.Rows/1e9, b.Bytes/1e9, b.Worst)
	}
	w.Flush()
	r.printPlanned(out)
	for _, text := range r.Refused {
		fmt.Fprintln(out, text)
	}
	fmt.Fprintf(out, "\n%d of %d spaces have one minimum\n", r.OneLowest, r.Spaces)
	fmt.Fprintf(out, "%d configurations were given up after %d blocks, which took more than %d times as long as those of the fastest\n", r.GivenUp, GiveUpAfter, GiveUpAt)
	v := &r.Variation
	fmt.Fprintf(out, "coefficient of variation of the fastest configurations: median %.2f %%, middle half %.2f to %.2f, greatest %.2f\n", 100*v.Median, 100*v.Lower, 100*v.Upper, 100*v.Greatest)
	fmt.Fprintf(out, "configurations by the blocks that are dropped before three vary by at most %.2f %%: %v, and %d never\n\n",
		100*stableVariation, r.Discarded[:mostDiscarded+1], r.Discarded[mostDiscarded+1])
	w = harness.Table(out)
	fmt.Fprintln(w, "search\tspaces\tfastest\tat most 1 % slower\tworst\tcost, blocks\toverhead\teffort\tblocks\t")
	for _, f := range r.Searches {
		f.Each.line(w, f.Options, "each strategy")
		if f.Together.Spaces > 0 {
			f.Together.line(w, f.Options, "all together")
		}
	}
	w.Flush()
}

// printPlanned writes what is planned beside the fastest configuration, where it was measured.
func (r *Report) printPlanned(out io.Writer) {
	if len(r.Planned) == 0 {
		return
	}
	fmt.Fprintln(out)
	w := harness.Table(out)
	fmt.Fprintln(w, "space\tas planned\tms a block\tfastest\tms a block\tplanned/fastest\t")
	for _, b := range r.Planned {
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%s: %s\t%.3f\t%.2f\t\n", b.Space, b.Taken, b.Milliseconds, b.Fastest.Strategy, b.Fastest.Configuration, b.Fastest.Milliseconds, b.Milliseconds/b.Fastest.Milliseconds)
	}
	w.Flush()
	fmt.Fprintln(out)
}

func (s *Summary) line(out io.Writer, o tune.Options, of string) {
	name := "s = 0"
	if o.Similarity > 0 {
		name = fmt.Sprintf("s = %v, p = %v", o.Similarity, o.Prune)
	}
	if o.Doubt > 0 {
		name += ", frugal"
	}
	fmt.Fprintf(out, "%s, %s\t%d\t%.0f %%\t%.0f %%\t%.2f\t%.0f\t%.1f %%\t%.2f %%\t%.0f\t\n",
		name, of, s.Spaces, 100*s.Fastest, 100*s.Within, s.Worst, s.Cost, 100*s.Overhead, 100*s.Effort, s.Blocks)
}

// Draw writes a part as a table of times, where that of the fastest is 1: a row for each
// value of the first parameter, and a table for each combination of those after the second.
func (p *Part) Draw(out io.Writer) {
	_, fastest := p.best()
	columns := 1
	if len(p.Axes) > 1 {
		columns = len(p.Axes[1].Values)
	}
	rows := len(p.Axes[0].Values)
	tables := len(p.Points) / rows / columns
	for t := range tables {
		for i, x := range p.Values(t) {
			if i > 1 {
				fmt.Fprintf(out, "%s %d\n", p.Axes[i].Name, x)
			}
		}
		w := harness.Table(out)
		fmt.Fprint(w, p.Axes[0].Name+"\t")
		for c := range columns {
			if len(p.Axes) > 1 {
				fmt.Fprintf(w, "%s %d\t", p.Axes[1].Name, p.Axes[1].Values[c])
			}
		}
		fmt.Fprintln(w)
		for r := range rows {
			fmt.Fprintf(w, "%d\t", p.Axes[0].Values[r])
			for c := range columns {
				pt := &p.Points[(r*columns+c)*tables+t]
				if pt.Refusal != "" {
					fmt.Fprint(w, "–\t")
				} else {
					fmt.Fprintf(w, "%.2f\t", pt.Mean()/fastest)
				}
			}
			fmt.Fprintln(w)
		}
		w.Flush()
		fmt.Fprintln(out)
	}
}

// Find returns the part of a strategy in a space.
func (r *Recording) Find(space, strategy string) *Part {
	for i := range r.Spaces {
		for k := range r.Spaces[i].Parts {
			if p := &r.Spaces[i].Parts[k]; r.Spaces[i].Name == space && p.Strategy == strategy && p.Refusal == "" {
				return p
			}
		}
	}
	return nil
}
