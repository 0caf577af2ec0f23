package runtime

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// LaunchParameters are what of the launches of an aggregation on a device can be chosen
// when it runs, without another kernel; 0 is what the launch plan says itself. Answers do
// not depend on them.
type LaunchParameters struct {
	Blocks   int // of a multiprocessor, as far as there is work for them
	Shared   int // bytes of shared memory for the slots of a block, at most
	Replicas int // of a slot for the lanes of a warp, at most; a power of two
	Ranges   int // of the cells, over which rows are gone one after the other
	Rows     int // of a launch; the rows are gone over in blocks of so many
}

// launchParameters are the names and the greatest values of the fields.
var launchParameters = []struct {
	name  string
	most  int
	field func(*LaunchParameters) *int
}{
	{"blocks", 64, func(p *LaunchParameters) *int { return &p.Blocks }},
	{"shared", 1 << 20, func(p *LaunchParameters) *int { return &p.Shared }},
	{"replicas", 32, func(p *LaunchParameters) *int { return &p.Replicas }},
	{"ranges", 64, func(p *LaunchParameters) *int { return &p.Ranges }},
	{"rows", math.MaxInt32, func(p *LaunchParameters) *int { return &p.Rows }},
}

// String names the parameters that are chosen, such as "blocks 4 replicas 8".
func (p LaunchParameters) String() string {
	var words []string
	for _, f := range launchParameters {
		if n := *f.field(&p); n > 0 {
			words = append(words, f.name, strconv.Itoa(n))
		}
	}
	return strings.Join(words, " ")
}

// ParseLaunchParameters reads what String writes.
func ParseLaunchParameters(text string) (LaunchParameters, error) {
	var p LaunchParameters
	words := strings.Fields(text)
	if len(words)%2 != 0 {
		return p, fmt.Errorf("%q has no value", words[len(words)-1])
	}
	for i := 0; i < len(words); i += 2 {
		known := false
		for _, f := range launchParameters {
			if f.name != words[i] {
				continue
			}
			n, err := strconv.Atoi(words[i+1])
			if err != nil || n < 1 || n > f.most {
				return p, fmt.Errorf("%s must be from 1 to %d, not %s", f.name, f.most, words[i+1])
			}
			*f.field(&p), known = n, true
		}
		if !known {
			return p, fmt.Errorf("there is no parameter %q", words[i])
		}
	}
	return p, nil
}
