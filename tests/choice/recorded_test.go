package choice

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// recorded is what one NVIDIA H200 took for all configurations of SELECT g, sum(v) FROM r GROUP BY g
// over blocks of 2^25 rows: see docs/measurements/2026-11-29-device.md.
const recorded = "testdata/2026-11-29-h200-groups.json.gz"

// TestRecordedGroups has what is planned for few dense groups take at most a tenth longer than the fastest
// configuration that was recorded, with the best number of blocks.
func TestRecordedGroups(t *testing.T) {
	const text = `kernel "groups" dicts 0
  input 0 relation "rows"
  scan 0
    %%0 i32 0..%d "key" = column 0
    %%1 i32 0..99 "value" = column 1
  body
  aggregate dense rows 33554432 groups %d keys %%0
    sum %%1 filter none
      gives %%2 i64 0..3355443200 "sum"
  end
end
`
	device := machine.Default().Device
	target := aggregate.Target(device)
	for _, s := range readRecorded(t).Spaces {
		if s.Groups > 4096 {
			break
		}
		f, err := kerneltext.Parse(fmt.Sprintf(text, s.Groups-1, s.Groups))
		if err != nil {
			t.Fatal(err)
		}
		sink, _, err := target.ChooseAggregate(f, float64(s.Rows), &cuda.Wants{})
		if err != nil {
			t.Fatal(err)
		}
		f.Sink = sink
		module, err := target.Render(f, cuda.PlainShapes(f))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"shared": device.Groups.ReplicaBytes, "replicas": 32}
		for i := range module.Plan.Entries {
			if e := &module.Plan.Entries[i]; e.Source {
				want["threads"], want["rows"] = int64(e.Threads), int64(e.TileRows/e.Threads)
			}
		}
		took, fastest := times(&s, sink.Device, want)
		if took == 0 || took > 1.1*fastest {
			t.Errorf("%d groups: %s with %v takes %.1f µs, the fastest %.1f", s.Groups, sink.Device, want, took/1e3, fastest/1e3)
		}
	}
}

// times returns the least that configurations of a strategy with some parameters take, 0 where none was recorded, and what
// the fastest of all takes.
func times(s *spaces.Space, strategy string, want map[string]int64) (took, fastest float64) {
	for k := range s.Parts {
		p := &s.Parts[k]
		for i := range p.Points {
			if len(p.Points[i].Times) == 0 {
				continue
			}
			time, is := p.Points[i].Mean(), p.Strategy == strategy
			for axis, value := range p.Values(i) {
				chosen, given := want[p.Axes[axis].Name]
				is = is && (!given || chosen == value)
			}
			if is && (took == 0 || time < took) {
				took = time
			}
			if fastest == 0 || time < fastest {
				fastest = time
			}
		}
	}
	return took, fastest
}

// TestRecordedSearches holds the searches that go on while queries run to what Rosenfeld 2019, section 4.2,
// reports.
func TestRecordedSearches(t *testing.T) {
	report := spaces.NewReport([]*spaces.Recording{readRecorded(t)})
	s := report.Searches[2].Each
	if report.Spaces != 38 || s.Within < 0.9 || s.Worst > 1.29 || s.Cost > 54 || s.Effort > 0.0105 || s.Overhead > 0.076 {
		t.Errorf("%d spaces, searches %+v", report.Spaces, s)
	}
}

func readRecorded(t *testing.T) *spaces.Recording {
	t.Helper()
	file, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	r := &spaces.Recording{}
	if err := json.NewDecoder(text).Decode(r); err != nil {
		t.Fatal(err)
	}
	return r
}
