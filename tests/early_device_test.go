//go:build device

package tests

import (
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	earlyDevice = flag.Int("early.device", 4, "number of random aggregates over joins of many to many on a device, each in one form, or in all with -early.forms")
	earlyForms  = flag.Bool("early.forms", false, "run each of them in every form")
	earlySeed   = flag.Uint64("early.seed", 1, "of those aggregates; 0 draws any")
)

// TestDeviceManyToMany runs random aggregates over joins of many to many on a device, early
// and late, with the matches dealt out in each form, and compares the answers with the CPU's.
func TestDeviceManyToMany(t *testing.T) {
	t.Parallel()
	seed := *earlySeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 14))
	db := openDeviceEngine(t)
	executeAll(t, &db.engine, append([]string{"SET device = cpu"}, earlyTables(rng, 300)...))
	forms := append(expand.Names(), "auto")
	ran, turn := map[string]int{}, int(seed%uint64(len(forms)))
	for range *earlyDevice {
		sql := earlyQuery(rng)
		executeAll(t, &db.engine, []string{"RESET expand_strategy", "RESET expand_pages", "SET device = cpu", "RESET disabled_rules"})
		want, failure := db.Query(context.Background(), sql)
		executeAll(t, &db.engine, []string{"SET device = cuda"})
		chosen := forms
		if !*earlyForms {
			turn++
			chosen = forms[turn%len(forms):][:1]
		}
		for _, form := range chosen {
			settings := map[string]string{"expand_strategy": form, "expand_pages": "none", "disabled_rules": "push_aggregates"}
			if form == "children" && rng.IntN(2) == 0 {
				settings["expand_pages"] = "64"
			}
			if form == "auto" {
				settings["disabled_rules"] = ""
			}
			set(t, &db.engine, settings)
			before := db.onDevice
			got, err := db.Query(context.Background(), sql)
			switch state := db.SQLState(err); {
			case state == "0A000": // the form does not apply
			case (state == outOfRange) != (db.SQLState(failure) == outOfRange): // a product that is only counted
			case (err == nil) != (failure == nil) || state != db.SQLState(failure):
				t.Errorf("seed %d, %v\n%s\n%v instead of %v", seed, settings, sql, err, failure)
			case err == nil:
				if db.onDevice > before {
					ran[form]++
				}
				if err := reference.Compare(got, want, false); err != nil {
					t.Errorf("seed %d, %v\n%s\n%v", seed, settings, sql, err)
				}
			}
		}
	}
	for _, form := range slices.Sorted(maps.Keys(ran)) {
		t.Logf("%d in form %s", ran[form], form)
	}
	if len(ran) == 0 {
		t.Errorf("none of %d queries ran on the device", *earlyDevice)
	}
}

// childrenQueries are aggregates whose kernels have two passes that launch others, meet
// texts, or expand two joins.
var childrenQueries = []string{
	"SELECT p.target, sum(p.y) FILTER (WHERE p.w > cells.b), var_samp(cells.f * p.x * p.y * p.y), max(cells.i * p.x * p.w) FILTER (WHERE cells.i > 100) FROM cells JOIN p ON cells.a = p.a WHERE EXISTS (SELECT 1 FROM q WHERE q.b = cells.b AND q.w > 2) GROUP BY p.target",
	"SELECT p.target, sum(cells.n), max(cells.s), sum(p.x) FILTER (WHERE p.w > cells.b) FROM cells JOIN p ON cells.a = p.a WHERE EXISTS (SELECT 1 FROM q WHERE q.b = cells.b AND q.w > 2) GROUP BY CUBE (p.target)",
	"SELECT p.target, sum(cells.u * q.x), stddev_pop(cells.l * q.w * q.x * p.w), count(cells.i) FROM p JOIN q ON p.target = q.target JOIN cells ON cells.a = p.a AND cells.b = q.b GROUP BY CUBE (p.target)",
	"SELECT p.target, bit_or(cells.b), sum(cells.i + cells.b * p.w * p.x * p.y) FILTER (WHERE cells.s = 's1'), count(DISTINCT cells.b) FILTER (WHERE cells.l IS NULL AND p.w > 0) FROM cells JOIN p ON cells.a = p.a WHERE EXISTS (SELECT 1 FROM q WHERE q.b = cells.b AND q.w > 2) GROUP BY p.target",
}

// TestDeviceChildrenOfTwoPasses runs them in every form, with pages and without.
func TestDeviceChildrenOfTwoPasses(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	executeAll(t, &db.engine, append([]string{"SET device = cpu", "SET disabled_rules = 'push_aggregates'"}, earlyTables(rand.New(rand.NewPCG(1, 14)), 300)...))
	for _, sql := range device.Some(t.Name(), childrenQueries, queriesEvery) {
		set(t, &db.engine, map[string]string{"device": "cpu", "expand_strategy": "auto", "expand_pages": "none"})
		want, err := db.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		set(t, &db.engine, map[string]string{"device": "cuda"})
		for _, form := range expand.Names() {
			for _, pages := range []string{"none", "64"} {
				set(t, &db.engine, map[string]string{"expand_strategy": form, "expand_pages": pages})
				got, err := db.Query(context.Background(), sql)
				if err == nil {
					err = reference.Compare(got, want, false)
				}
				if err != nil && db.SQLState(err) != "0A000" { // the form does not apply
					t.Errorf("form %s, pages %s: %v\n%s", form, pages, err, sql)
				}
			}
		}
	}
}
