//go:build device

package tests

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestDeviceFilters runs queries of SSB and TPC-H that join with each form of filters of keys on
// a device, and with rows that are packed and that are not.
func TestDeviceFilters(t *testing.T) {
	t.Parallel()
	const scale = 0.002
	for _, b := range []benchmark{
		{"ssb", workload.SSB{SF: 0.01}, workload.SSBQueries()},
		{"tpch", tpch.Data{SF: scale}, tpch.Queries(scale)},
	} {
		some := []string{"Q2.1", "Q3.3", "Q4.2", "Q4", "Q5", "Q9", "Q10", "Q12", "Q14", "Q21"}
		b.queries = slices.DeleteFunc(b.queries, func(q workload.Query) bool { return !slices.Contains(some, q.Name) })
		db := openDeviceEngine(t)
		db.load(t, b.set)
		for _, form := range cuda.FilterForms() {
			for _, packs := range cuda.PackForms() {
				executeAll(t, &db.engine, []string{"SET filter_strategy = " + form, "SET pack_strategy = " + packs})
				with := applicable(t, db, b, form)
				with.queries = device.Some(t.Name()+b.name+form+packs, with.queries, filtersEvery)
				compareWithCPU(t, db, with)
				if n := taken(t, db, b, form, packs); n == 0 {
					t.Errorf("%s: no kernel takes %s and %s", b.name, form, packs)
				}
			}
		}
	}
}

// filtersEvery is of how many queries one is compared, where not all are.
const filtersEvery = 6

// applicable are the queries of a benchmark that a form of filters applies to.
func applicable(t *testing.T, db *deviceEngine, b benchmark, form string) benchmark {
	t.Helper()
	with := b
	with.queries = nil
	for _, q := range b.queries {
		if _, err := db.Query(t.Context(), "EXPLAIN "+q.SQL); err == nil {
			with.queries = append(with.queries, q)
		}
	}
	if len(with.queries)*2 < len(b.queries) {
		t.Errorf("%s: %s applies to %d queries of %d", b.name, form, len(with.queries), len(b.queries))
	}
	return with
}

// taken counts the choices of the queries of a benchmark that take a form of filters, and those that
// take a way in which rows go on behind a probe; 0 where there is none of either.
func taken(t *testing.T, db *deviceEngine, b benchmark, form, packs string) int {
	t.Helper()
	filters, ways := 0, 0
	for _, q := range applicable(t, db, b, form).queries {
		for _, d := range explainedDecisions(t, &db.engine, q) {
			switch {
			case d.Of == "filter of keys on the device" && d.Takes(form):
				filters++
			case d.Of == "rows that are left on the device" && d.Takes(packs):
				ways++
			}
		}
	}
	return min(filters, ways)
}
