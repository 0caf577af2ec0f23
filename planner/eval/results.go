package eval

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// strictFunc computes a function of arguments that are not NULL.
type strictFunc func(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error)

func boolean(b bool) value.Value { return value.Value{Kind: value.Bool, B: b} }

func integer(i int64) value.Value { return value.Value{Kind: value.Int, I: i} }

func float(f float64) value.Value { return value.Value{Kind: value.Float, F: f} }

func number(n value.Num) value.Value { return value.Value{Kind: value.Decimal, Num: n} }

func textual(s string) value.Value { return value.Value{Kind: value.Text, S: s} }

func spans(i value.Interval) value.Value { return value.Value{Kind: value.Intervals, Interval: i} }
