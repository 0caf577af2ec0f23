package settings

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	device "github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AutoStrategy is the value of a strategy's setting that forces none.
const AutoStrategy = "auto"

// choice is the setting of a strategy that is forced: auto or one of names.
func choice(name, help string, of func(*Values) *string, names func() []string) Setting {
	set := func(s *Values, v string) error {
		if v != AutoStrategy && !slices.Contains(names(), v) {
			err := value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", name, v)
			err.Hint = "Available values: " + AutoStrategy + ", " + strings.Join(names(), ", ") + "."
			return err
		}
		*of(s) = v
		return nil
	}
	return Setting{name, help, func(s *Values) string { return *of(s) }, set}
}

// preference is what the setting of a kind of operator wants of its strategies.
func preference(setting, force string) strategy.Preference {
	if force == AutoStrategy {
		force = ""
	}
	return strategy.Preference{Setting: setting, Force: force}
}

// JoinPreference is what join_strategy and PostgreSQL's enable_hashjoin and
// enable_mergejoin want: these have a strategy avoided where another applies.
func (s *Values) JoinPreference() strategy.Preference {
	p := preference("join_strategy", s.Joins)
	if !s.HashJoins {
		p.Avoid = append(p.Avoid, fusion.HashJoin)
	}
	if !s.MergeJoins {
		p.Avoid = append(p.Avoid, fusion.MergeJoin)
	}
	return p
}

// Preferences are what aggregate_strategy wants of the tables of groups, distinct_strategy,
// sort_strategy and cube_strategy. Where a device is to use a table, groups are not to be runs.
func (s *Values) Preferences() operators.Preferences {
	aggregates := namedPreference("aggregate_strategy", s.Aggregates, aggregate.Strategies())
	wants := s.DeviceWants()
	if aggregates.Force == "" && len(wants.Forced()) > 0 {
		aggregates.Avoid = append(aggregates.Avoid, aggregate.Ordered)
	}
	return operators.Preferences{
		Aggregates: aggregates,
		Distinct:   namedPreference("distinct_strategy", s.Distinct, distinct.Strategies()),
		Sorts:      namedPreference("sort_strategy", s.Sorts, sort.Strategies()),
		Cubes:      preference("cube_strategy", s.Cubes),
	}
}

// DeviceWants is what aggregate_strategy, which names a strategy of either, and
// preaggregate_strategy and group_replicas want of aggregations on a device.
func (s *Values) DeviceWants() cuda.Wants {
	threads, _ := strconv.Atoi(s.GroupThreads) // 0 of auto
	rows, _ := strconv.Atoi(s.GroupRows)
	return cuda.Wants{
		Threads:       threads,
		ThreadRows:    rows,
		Tables:        namedPreference("aggregate_strategy", s.Aggregates, operators.Tables.Names()),
		Aggregates:    namedPreference("aggregate_strategy", s.Aggregates, deviceTables()),
		Distinct:      preference("distinct_strategy", s.Distinct),
		Sorts:         preference("sort_strategy", s.Sorts),
		Preaggregates: preference("preaggregate_strategy", s.Preaggregates),
		Replicas:      preference("group_replicas", s.Replicas),
		Runs: cuda.RunWants{
			Kernels: preference("ordered_kernels", s.RunKernels),
			Updates: preference("ordered_updates", s.RunUpdates),
			Rows:    preference("ordered_rows", s.RunRows),
		},
	}
}

// setReplicas sets the number of replicas of groups that is forced.
func setReplicas(to *string, v string) error {
	if v == AutoStrategy {
		*to = v
		return nil
	}
	var n int
	if err := setInt("group_replicas", &n, v, 1, cuda.MaxReplicas); err != nil {
		return err
	}
	*to = strconv.Itoa(n)
	return nil
}

// DeviceExpansions is what expand_strategy wants of joins with many matches on a device.
func (s *Values) DeviceExpansions() strategy.Preference {
	return preference("expand_strategy", s.Expansions)
}

// DeviceFilters is what filter_strategy wants of filters of keys on a device.
func (s *Values) DeviceFilters() strategy.Preference {
	return preference("filter_strategy", s.Filters)
}

// DevicePacking is what pack_strategy wants of rows behind filters and probes on a device.
func (s *Values) DevicePacking() strategy.Preference {
	return preference("pack_strategy", s.Packing)
}

func namedPreference(setting, force string, names []string) strategy.Preference {
	if !slices.Contains(names, force) {
		force = AutoStrategy
	}
	return preference(setting, force)
}

// distinctStrategies are the values of distinct_strategy.
func distinctStrategies() []string { return append(distinct.Strategies(), distinct.Mark) }

// sortStrategies are the values of sort_strategy.
func sortStrategies() []string { return append(sort.Strategies(), sort.Cells) }

// aggregateStrategies are the values of aggregate_strategy.
func aggregateStrategies() []string {
	return slices.Concat(aggregate.Strategies(), deviceTables())
}

// deviceTables are the strategies that only a device has. Each query asks for them.
var deviceTables = sync.OnceValue(func() []string {
	return slices.DeleteFunc(device.Names(), func(name string) bool { return slices.Contains(aggregate.Strategies(), name) })
})

// Cuts reports whether queries try where their operators are cut into kernels. What is forced might not apply to all
// of these.
func (s *Values) Cuts() bool {
	p, wants := s.Preferences(), s.DeviceWants()
	for _, want := range []strategy.Preference{
		s.JoinPreference(), p.Aggregates, wants.Distinct, wants.Sorts, p.Cubes, s.DeviceExpansions(), s.DeviceFilters(), s.DevicePacking(),
	} {
		if want.Force != "" {
			return false
		}
	}
	return s.Tuning != runtime.TuneNever && !wants.Force()
}

// tunings are the values of the setting tuning.
var tunings = []string{runtime.TuneNever: "off", runtime.TuneCuts: "cuts", runtime.TuneLarge: "on", runtime.TuneAlways: "always"}

// setTuning reads a value of the setting tuning.
func setTuning(to *runtime.Tuning, v string) error {
	for _, named := range []runtime.Tuning{runtime.TuneCuts, runtime.TuneAlways} {
		if strings.EqualFold(v, tunings[named]) {
			*to = named
			return nil
		}
	}
	on := false
	if err := SetBool("tuning", &on, v); err != nil {
		return err
	}
	if *to = runtime.TuneNever; on {
		*to = runtime.TuneLarge
	}
	return nil
}
