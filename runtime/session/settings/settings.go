package settings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/ordered"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/planner/rewrite"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/several"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Table lists the settings in the order of SHOW ALL.
var Table = []Setting{
	{"device", "where groups run: auto, cpu or cuda",
		func(s *Values) string { return string(s.Device) },
		(*Values).setDevice},
	toggle("device_fallback", "run groups on the CPU that a CUDA device cannot run where device is cuda; off fails, with the reason", func(s *Values) *bool { return &s.DeviceFallback }),
	{"devices", "CUDA devices that share the rows of a kernel: auto (all of them, where that pays) or a number, which shares whatever can be",
		(*Values).showDevices,
		(*Values).setDevices},
	choice("exchange_strategy", "how several CUDA devices join with a table, and group: auto, copy (each makes the table of all rows, and one merges the groups) or hash (each makes that of a part, and rows are sent to where their matches or groups are)", func(s *Values) *string { return &s.Exchange }, several.Exchanges),
	{"disabled_rules", "rules of the planner that are left out, with commas between them",
		func(s *Values) string { return strings.Join(s.DisabledRules, ",") },
		(*Values).setDisabledRules},
	toggle("enable_hashjoin", "join by hash tables where that is estimated to be cheaper; off merges wherever a table is in the order of the key", func(s *Values) *bool { return &s.HashJoins }),
	toggle("enable_mergejoin", "merge rows with a table that is in the order of the key where that is estimated to be cheaper", func(s *Values) *bool { return &s.MergeJoins }),
	choice("join_strategy", "how rows are joined: auto, hash or merge", func(s *Values) *string { return &s.Joins }, fusion.JoinStrategies),
	choice("aggregate_strategy", "how rows are aggregated by keys: auto, dense, hash, partitioned or ordered (runs of rows that come in the order of a key), or a strategy of CUDA devices, such as block", func(s *Values) *string { return &s.Aggregates }, aggregateStrategies),
	choice("cube_strategy", "how the groups of several grouping sets are found: auto, rollup (coarse ones are made of finer ones) or refine (finer ones within those that may pass HAVING)", func(s *Values) *string { return &s.Cubes }, cubing.Strategies),
	choice("preaggregate_strategy", "how lanes of a warp of a CUDA device that add to one group are summed before: auto, none, leader, leader_shuffle, strided or match", func(s *Values) *string { return &s.Preaggregates }, preaggregate.Names),
	{"group_replicas", "replicas of each group in the global memory of a CUDA device, which are added up at the end: auto, or 1 to 12288",
		func(s *Values) string { return s.Replicas },
		func(s *Values, v string) error { return setReplicas(&s.Replicas, v) }},
	choice("group_threads", "threads of a block of a CUDA device that groups rows: auto, 32, 64, 128, 256, 512 or 1024", func(s *Values) *string { return &s.GroupThreads }, cuda.ThreadNumbers),
	choice("group_rows", "rows that a thread of a CUDA device which groups rows by a table holds at one time: auto, 4, 8 or 16", func(s *Values) *string { return &s.GroupRows }, cuda.RowNumbers),
	choice("ordered_kernels", "into how many kernels a CUDA device cuts the stages of grouping runs of rows: auto, 1, 2, 3 or 5", func(s *Values) *string { return &s.RunKernels }, ordered.KernelNames),
	choice("ordered_updates", "how a CUDA device adds rows to groups that are runs: auto, direct, chunked, variable or 'array'", func(s *Values) *string { return &s.RunUpdates }, ordered.UpdateNames),
	choice("ordered_rows", "how many rows that follow each other a thread of a CUDA device groups into runs: auto, 4, 8, 16, 28 or 32", func(s *Values) *string { return &s.RunRows }, ordered.RowNames),
	choice("distinct_strategy", "how aggregates with DISTINCT find values that they have had: auto, set (one for each group), split (group by the values, too, and aggregate those groups) or, on a CUDA device, mark (those that are new to their groups, as their rows come)", func(s *Values) *string { return &s.Distinct }, distinctStrategies),
	choice("expand_strategy", "how a CUDA device goes on with a row for each match of a join: auto, or a form, such as block", func(s *Values) *string { return &s.Expansions }, expand.Names),
	choice("filter_strategy", "how a CUDA device tests the keys of a join before it looks them up: auto, none, exact (a bit in shared memory for each value) or bloom, each wherever it applies and there is room", func(s *Values) *string { return &s.Filters }, cuda.FilterForms),
	choice("pack_strategy", "how rows that conditions and joins leave go on on a CUDA device: auto, stay (in their threads) or pack (they wait in shared memory until a warp is full)", func(s *Values) *string { return &s.Packing }, cuda.PackForms),
	{"expand_pages", "rows of the source for whose matches form children of expand_strategy launches a kernel each, such as 4096, or 4096 blocks 1 segment 2048: in at most so many blocks, so many pages at a time; none: a kernel for rows that have too many matches",
		func(s *Values) string { return pagesText(s.Pages) },
		func(s *Values, v string) error { return setPages("expand_pages", &s.Pages, v) }},
	choice("sort_strategy", "how rows are ordered: auto, ordered (as they come), top (keep only the rows that a limit lets through), full or, on a CUDA device, cells (groups are read in the order of their keys)", func(s *Values) *string { return &s.Sorts }, sortStrategies),
	toggle("fusion", "weave operators into fused kernels; off materializes every operator", func(s *Values) *bool { return &s.Fusion }),
	{"launch_parameters", "parameters of the launches that group rows on a CUDA device: auto, or those that are not what the launch plan says, such as blocks 4 shared 24576 replicas 8 ranges 2",
		func(s *Values) string { return cmp.Or(s.Launch.String(), AutoStrategy) },
		(*Values).setLaunch},
	{"memory_limit", "memory that one query may hold, in bytes or with kB, MB, GB; 0 is no limit",
		func(s *Values) string { return strconv.FormatInt(s.MemoryLimit, 10) },
		func(s *Values, v string) error { return setBytes("memory_limit", &s.MemoryLimit, v) }},
	span("progress_interval", "time between notices of a running statement's progress, as statement_timeout; 0 is none", func(s *Values) *time.Duration { return &s.ProgressInterval }),
	span("statement_timeout", "time after which a statement is cancelled, in milliseconds or with ms, s, min; 0 is none", func(s *Values) *time.Duration { return &s.StatementTimeout }),
	{"threads", "threads that work on a query",
		func(s *Values) string { return strconv.Itoa(s.Threads) },
		func(s *Values, v string) error { return setInt("threads", &s.Threads, v, 1, 1024) }},
	{"tuning", "what is tried on a CUDA device while no other query uses it, and taken where it is quicker: cuts, the default, has a query that runs again and again and takes long try in how many kernels its operators are done, which are compiled behind it; on tries launch parameters, and other strategies and sizes of blocks, too, while a query over a large table groups its rows; always tries one of these in each run over a small table as well; off takes what costs say",
		func(s *Values) string { return tunings[s.Tuning] },
		func(s *Values, v string) error { return setTuning(&s.Tuning, v) }},
	{"vector_rows", "rows in a vector of the CPU backend",
		func(s *Values) string { return strconv.Itoa(s.VectorRows) },
		func(s *Values, v string) error { return setInt("vector_rows", &s.VectorRows, v, 1, MaxVectorRows) }},
}

// toggle is the setting of a switch.
func toggle(name, help string, of func(*Values) *bool) Setting {
	return Setting{name, help, func(s *Values) string { return OnOff(*of(s)) }, func(s *Values, v string) error { return SetBool(name, of(s), v) }}
}

// span is the setting of a time.
func span(name, help string, of func(*Values) *time.Duration) Setting {
	return Setting{name, help, func(s *Values) string { return showDuration(*of(s)) }, func(s *Values, v string) error { return setDuration(name, of(s), v) }}
}

// MaxVectorRows is how many rows a vector may have.
const MaxVectorRows = 1 << 16

// setDevice chooses where groups run. Cuda needs a device.
func (s *Values) setDevice(v string) error {
	switch placement.Wish(v) {
	case placement.Auto, placement.Host:
	case placement.CUDA:
		if err := s.Gpu.Require(); err != nil {
			return err
		}
	default:
		return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter \"device\": %q", v)
	}
	s.Device = placement.Wish(v)
	return nil
}

// maxDevices is how many CUDA devices may share kernels.
const maxDevices = 1024

// setDevices chooses how many devices share kernels.
func (s *Values) setDevices(v string) error {
	if v == AutoStrategy {
		s.Devices = 0
		return nil
	}
	return setInt("devices", &s.Devices, v, 1, maxDevices)
}

// showDevices is what setDevices reads.
func (s *Values) showDevices() string {
	if s.Devices == 0 {
		return AutoStrategy
	}
	return strconv.Itoa(s.Devices)
}

// setLaunch chooses parameters of launches.
func (s *Values) setLaunch(v string) error {
	var p runtime.LaunchParameters
	if v != AutoStrategy {
		var err error
		if p, err = runtime.ParseLaunchParameters(v); err != nil || p == (runtime.LaunchParameters{}) {
			bad := value.Errorf(value.CodeInvalidParameter, "invalid value for parameter \"launch_parameters\": %q", v)
			bad.Hint = "Available values: auto, or some of blocks N, shared N, replicas N, ranges N, rows N."
			if err != nil {
				bad.Detail = err.Error()
			}
			return bad
		}
	}
	s.Launch = p
	return nil
}

// setDisabledRules names the planner's rules that are left out.
func (s *Values) setDisabledRules(v string) error {
	names := strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
	for _, name := range names {
		if !slices.ContainsFunc(rewrite.Rules(), func(r rewrite.Rule) bool { return r.Name == name }) {
			return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter \"disabled_rules\": there is no rule %q", name)
		}
	}
	s.DisabledRules = names
	return nil
}
