package cubeloom

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

// autoStrategy is the value of a strategy's setting that forces none.
const autoStrategy = "auto"

// setStrategy sets the strategy that is forced: auto or one of names.
func setStrategy(name string, to *string, names []string, v string) error {
	if v != autoStrategy && !slices.Contains(names, v) {
		err := value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", name, v)
		err.Hint = "Available values: " + autoStrategy + ", " + strings.Join(names, ", ") + "."
		return err
	}
	*to = v
	return nil
}

// preference is what the setting of a kind of operator wants of its strategies.
func preference(setting, force string) strategy.Preference {
	if force == autoStrategy {
		force = ""
	}
	return strategy.Preference{Setting: setting, Force: force}
}

// joinPreference is what join_strategy and PostgreSQL's enable_hashjoin and
// enable_mergejoin want: these have a strategy avoided where another applies.
func (s *settings) joinPreference() strategy.Preference {
	p := preference("join_strategy", s.joins)
	if !s.hashJoins {
		p.Avoid = append(p.Avoid, fusion.HashJoin)
	}
	if !s.mergeJoins {
		p.Avoid = append(p.Avoid, fusion.MergeJoin)
	}
	return p
}

// tables is what aggregate_strategy wants of the tables of groups, and deviceAggregates
// what it wants of aggregations on a device: it names a strategy of either.
func (s *settings) tables() strategy.Preference {
	return namedPreference(s.aggregates, operators.TableStrategies())
}

func (s *settings) deviceAggregates() strategy.Preference {
	return namedPreference(s.aggregates, aggregate.Names())
}

func namedPreference(force string, names []string) strategy.Preference {
	if !slices.Contains(names, force) {
		force = autoStrategy
	}
	return preference("aggregate_strategy", force)
}

// aggregateStrategies are the values of aggregate_strategy.
func aggregateStrategies() []string {
	return slices.Concat(operators.TableStrategies(), aggregate.Names())
}
