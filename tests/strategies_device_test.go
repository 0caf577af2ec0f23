//go:build device

package tests

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/launchtext"
)

// TestDeviceForcedStrategies forces each strategy that a setting names for the explained
// queries on a device: where it applies the answers are the same, else the error says
// what EXPLAIN says.
func TestDeviceForcedStrategies(t *testing.T) {
	t.Parallel()
	var all []forcing
	for _, f := range forcings() {
		if f.of != "distinct" { // none of the queries has DISTINCT
			all = append(all, f)
		}
	}
	for _, name := range aggregate.Names() {
		all = append(all, forcing{"aggregate_strategy", "aggregate on the device", name})
	}
	all = append(all, forcing{"sort_strategy", "sort on the device", sort.Cells})
	applied := map[forcing]int{}
	for _, b := range explained() {
		db := openDeviceEngine(t)
		db.load(t, b.set)
		force(t, &db.engine, b.queries, all, applied)
	}
	// Merging with the rows of these queries, large blocks, groups by parts, rows in the order that is
	// wanted, and groups that are runs: see tests/kernels, TestStreamingParts and TestDeviceOrderedAggregation. Refinement is used on the CPU
	// only; each query that asks for it was refused above.
	all = slices.DeleteFunc(all, func(f forcing) bool {
		return slices.Contains([]string{"merge", "wide", "radix", "ordered", cubing.Refine}, f.strategy) || f.of == "sort" && f.strategy == sort.InOrder
	})
	checkApplied(t, all, applied)
}

// TestDeviceRunsPlansByHand carries the launch plans that EXPLAIN (LAUNCH) prints of the
// explained queries out on another device: as they are read from their text, each query
// has the answer that the CPU gives.
func TestDeviceRunsPlansByHand(t *testing.T) {
	t.Parallel()
	for _, b := range explained() {
		printed := openDeviceEngine(t)
		printed.load(t, b.set)
		b.queries = device.Some(t.Name()+b.name, b.queries, queriesEvery)
		var plans []string
		for _, q := range b.queries {
			plans = append(plans, launchPlans(t, &printed.engine, q)...)
		}
		texts := device.NewTexts(plans)
		byHand := openByHand(t, texts)
		byHand.load(t, b.set)
		compareWithCPU(t, byHand, b)
		if unused := texts.Unused(); len(unused) > 0 {
			t.Errorf("%s: %d launch plans of %d were not carried out, such as\n%s", b.name, len(unused), len(plans), unused[0])
		}
	}
}

// openByHand opens a database on a device that carries out launch plans as they are read
// from texts.
func openByHand(t *testing.T, texts *device.Texts) *deviceEngine {
	t.Helper()
	open := func(ordinal int) (cuda.Device, error) {
		d, err := device.Opener(t)(ordinal)
		return device.ByText{Device: d, Texts: texts}, err
	}
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: open})
	return &deviceEngine{engine: engine{db, db.Session()}, t: t, reasons: make(map[string]int)}
}

// launchPlans are the launch plans of a query that has run.
func launchPlans(t *testing.T, db *engine, q workload.Query) []string {
	t.Helper()
	e := explainJSON(t, db, "EXPLAIN (ANALYZE, LAUNCH, FORMAT JSON) "+q.SQL)
	if len(e.Launch) == 0 {
		t.Fatalf("%s has no launch plans", q.Name)
	}
	var plans []string
	for _, text := range e.Launch {
		plan, err := launchtext.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", q.Name, err, text)
		}
		plans = append(plans, launch.Print(plan))
	}
	return plans
}
