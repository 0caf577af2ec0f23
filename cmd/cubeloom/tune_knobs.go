package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// The table that the queries of `cubeloom tune` read: f has few values, d many that lie side
// by side, s0 to s2 few, some and many that lie apart, and u is of each row another number,
// in no order. The second is joined to it.
const (
	tunedTable = `CREATE TABLE tuned AS SELECT (i::bigint * 7919 %% 256)::integer AS f, (i::bigint * 7919 %% 262144)::integer AS d,
	(i::bigint * 7919 %% 512) * 72057594037 AS s0, (i::bigint * 7919 %% 32768) * 72057594037 AS s1, (i::bigint * 1000003 %% 1048576) * 72057594037 AS s2,
	(i::bigint * 7919 %% 8192 * 3)::integer AS j, (i::bigint * 1000003 %% 2097152)::integer AS u, (i %% 1000)::integer AS v
FROM generate_series(1, %d) AS g(i)`
	tunedSmall = `CREATE TABLE tuned_small AS SELECT (i * 3)::integer AS j, (i % 7)::integer AS w FROM generate_series(0, 8191) AS g(i)`
)

// The least gain for which figures are changed, and how much slower a query may become.
const (
	leastGain    = 1.02
	mostSlowdown = 1.03
)

// knobs are figures that are tuned together, by queries whose times depend on them.
type knobs struct {
	what    string
	figures []string
	steps   int // doublings and halvings of the defaults that are tried
	queries []string
}

// tunedKnobs are those of the host.
var tunedKnobs = []knobs{
	{"vectors", []string{"Host.Caches.VectorRows", "Host.Caches.MorselVectors"}, 3, []string{
		"SELECT sum(v) FROM tuned WHERE v + f + u > v * f - 9 AND v * f + u > f - 4",
		"SELECT f, sum(v), count(*) FROM tuned GROUP BY f",
		"SELECT s0, sum(v) FROM tuned GROUP BY s0",
		"SELECT sum(w * v) FROM tuned JOIN tuned_small USING (j)",
	}},
	{"arrays of groups", []string{"Host.Caches.DenseBytes"}, 4, []string{
		"SELECT d, sum(v), count(*) FROM tuned GROUP BY d",
		"SELECT u, sum(v) FROM tuned GROUP BY u",
		"SELECT j, sum(v), min(u), max(u) FROM tuned GROUP BY j",
	}},
	{"hash tables of groups", []string{"Host.Caches.TableBytes", "Host.Caches.SparseGroups"}, 3, []string{
		"SELECT s1, sum(v) FROM tuned GROUP BY s1",
		"SELECT s2, sum(v) FROM tuned GROUP BY s2",
		"SELECT s1, sum(v), min(u), max(u), count(*) FROM tuned GROUP BY s1",
	}},
	{"merging of groups", []string{"Host.Caches.SerialGroups", "Host.Caches.MergedGroups"}, 3, []string{
		"SELECT s1, sum(v) FROM tuned GROUP BY s1",
		"SELECT s0, u % 16, sum(v) FROM tuned GROUP BY s0, u % 16",
	}},
	{"arrays of keys", []string{"Host.Caches.FewCells"}, 4, []string{
		"SELECT sum(w * v) FROM tuned JOIN tuned_small USING (j)",
		"SELECT count(*) FROM tuned WHERE j IN (SELECT j FROM tuned_small WHERE w < 3)",
	}},
	{"sorting", []string{"Host.Caches.SortedRows"}, 4, []string{
		"SELECT sum(n * v) FROM (SELECT v, row_number() OVER (ORDER BY u) AS n FROM tuned) AS g",
		"SELECT u, v FROM tuned ORDER BY v, u LIMIT 100000",
	}},
}

// knobPoint is a configuration of some knobs: by figure, which of its values.
type knobPoint [2]int

// values are those of each figure that are tried, in ascending order: the default, halved
// and doubled, and what holds now.
func (k *knobs) values() [][]float64 {
	lists := make([][]float64, len(k.figures))
	for i, name := range k.figures {
		m := machine.Default()
		standard := sqlstate.Must(m.Figure(name))
		now := sqlstate.Must(machine.Current().Figure(name))
		list := []float64{now}
		for step := -k.steps; step <= k.steps; step++ {
			list = append(list, max(math.Round(standard*math.Pow(2, float64(step))), 1))
		}
		slices.Sort(list)
		lists[i] = slices.Compact(list)
	}
	return lists
}

// place is the configuration of a machine.
func (k *knobs) place(values [][]float64, m *machine.Machine) knobPoint {
	var at knobPoint
	for i, name := range k.figures {
		x := sqlstate.Must(m.Figure(name))
		if at[i] = slices.Index(values[i], x); at[i] < 0 {
			panic(fmt.Errorf("%v is no value of %s", x, name))
		}
	}
	return at
}

// neighbors are the configurations with the next or the last value of one figure.
func (k *knobs) neighbors(values [][]float64) func(knobPoint) []knobPoint {
	return func(at knobPoint) []knobPoint {
		var list []knobPoint
		for i := range k.figures {
			for _, step := range []int{-1, 1} {
				next := at
				if next[i] += step; next[i] >= 0 && next[i] < len(values[i]) {
					list = append(list, next)
				}
			}
		}
		return list
	}
}

// named are the values of a configuration by the names of the figures.
func (k *knobs) named(values [][]float64, at knobPoint) map[string]float64 {
	figures := make(map[string]float64)
	for i, name := range k.figures {
		figures[name] = values[i][at[i]]
	}
	return figures
}

// knobNames are the names of all knobs.
func knobNames() []string {
	var names []string
	for i := range tunedKnobs {
		names = append(names, tunedKnobs[i].what)
	}
	return names
}
