//go:build reference || device

package tests

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// outOfRange is the SQLSTATE of a number that has too many digits.
const outOfRange = "22003"

// earlyTables are facts with elements of three dimensions, and a map of each from
// elements to several targets with weights: integers with NULLs, decimals, and double
// precision whose sums are exact in any order. There are so many facts.
func earlyTables(rng *rand.Rand, cells int) []string {
	rows := func(n int, row func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = "(" + row(i) + ")"
		}
		return strings.Join(list, ", ")
	}
	orNull := func(share int, text string) string {
		if rng.IntN(share) == 0 {
			return "NULL"
		}
		return text
	}
	quarter := func() string { return fmt.Sprintf("%g", float64(rng.IntN(400)-100)/4) }
	return []string{
		"CREATE TABLE cells (a int, b int NOT NULL, c int NOT NULL, i int NOT NULL, l bigint, n numeric(12,2), u numeric, f double precision, s text)",
		"CREATE TABLE p (a int, target int NOT NULL, w int, x numeric(6,3) NOT NULL, g double precision, big bigint NOT NULL, y numeric)",
		"CREATE TABLE q (b int NOT NULL, target int, w smallint NOT NULL, x numeric(5,1), g double precision NOT NULL)",
		"CREATE TABLE r (c int NOT NULL, target int NOT NULL, w bigint NOT NULL, y numeric NOT NULL)",
		"INSERT INTO cells VALUES " + rows(cells, func(int) string {
			return fmt.Sprintf("%s, %d, %d, %d, %s, %s, %s, %s, %s", orNull(20, fmt.Sprint(rng.IntN(6))), rng.IntN(5), rng.IntN(4), rng.IntN(2000)-500,
				orNull(9, fmt.Sprint(rng.IntN(1<<30))), orNull(9, fmt.Sprintf("%.2f", rng.Float64()*2000-700)), orNull(9, fmt.Sprintf("%.*f", rng.IntN(4), rng.Float64()*50)),
				orNull(9, quarter()), orNull(9, fmt.Sprintf("'s%d'", rng.IntN(5))))
		}),
		"INSERT INTO p VALUES " + rows(60, func(int) string {
			return fmt.Sprintf("%s, %d, %s, %.3f, %s, %d, %s", orNull(15, fmt.Sprint(rng.IntN(7))), rng.IntN(8), orNull(6, fmt.Sprint(rng.IntN(9)-3)), rng.Float64()*9-2, orNull(5, quarter()), rng.Int64N(1<<62),
				orNull(7, fmt.Sprintf("%.*f", rng.IntN(4), rng.Float64()*9-3)))
		}),
		"INSERT INTO q VALUES " + rows(40, func(int) string {
			return fmt.Sprintf("%d, %s, %d, %s, %s", rng.IntN(6), orNull(9, fmt.Sprint(rng.IntN(5))), rng.IntN(7)-2, orNull(7, fmt.Sprintf("%.1f", rng.Float64()*40-9)), quarter())
		}),
		"INSERT INTO r VALUES " + rows(20, func(int) string {
			return fmt.Sprintf("%d, %d, %d, %.*f", rng.IntN(4), rng.IntN(3), rng.IntN(5)-1, rng.IntN(3), rng.Float64()*5-1)
		}),
	}
}

// earlyJoin is a way to join the facts with maps, and what its expressions can name.
type earlyJoin struct {
	from    string
	weights []string
	keys    []string
}

var earlyJoins = []earlyJoin{
	{"cells JOIN p ON cells.a = p.a", []string{"p.w", "p.x", "p.y", "p.g", "p.big"}, []string{"p.target", "p.w", "cells.s"}},
	{"cells JOIN p ON cells.a = p.a JOIN q ON cells.b = q.b", []string{"p.w", "p.x", "p.y", "q.w", "q.x", "q.g"}, []string{"p.target", "q.target", "cells.c"}},
	{"cells JOIN q ON cells.b = q.b JOIN r ON r.c = cells.c AND r.w > 0", []string{"q.w", "q.x", "r.w", "r.y"}, []string{"q.target", "r.target"}},
	{"cells LEFT JOIN p ON cells.a = p.a AND p.w > 1 JOIN q ON cells.b = q.b", []string{"p.w", "p.x", "p.y", "q.w"}, []string{"p.target", "q.target"}},
	{"p JOIN q ON p.target = q.target JOIN cells ON cells.a = p.a AND cells.b = q.b", []string{"p.w", "q.w", "q.x"}, []string{"p.target", "p.a"}},
	{"cells JOIN p USING (a) JOIN q USING (b) JOIN r USING (c)", []string{"p.w", "q.w", "r.w", "r.y", "q.x"}, []string{"p.target", "q.target", "r.target"}},
	{"cells JOIN p ON cells.a = p.a WHERE p.target IN (2, 5)", []string{"p.w", "p.x", "p.y"}, []string{"p.target", "cells.b"}},
	{"cells JOIN p ON cells.a = p.a WHERE EXISTS (SELECT 1 FROM q WHERE q.b = cells.b AND q.w > 2)", []string{"p.w", "p.x", "p.y"}, []string{"p.target"}},
}

// earlyQuery is a random aggregation.
func earlyQuery(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	j := earlyJoins[rng.IntN(len(earlyJoins))]
	product := func() string {
		text := pick("cells.i", "cells.l", "cells.n", "cells.f", "cells.u", "cells.i * 2", "cells.i + cells.b")
		for range rng.IntN(4) {
			text += " * " + pick(j.weights...)
		}
		return text
	}
	aggregate := func() string {
		var text string
		switch rng.IntN(8) {
		case 0:
			text = "count(*)"
		case 1:
			text = "count(" + product() + ")"
		case 2:
			text = pick("count(DISTINCT cells.b)", "sum(DISTINCT "+pick(j.weights...)+")", "bool_or(cells.i > 0)", "max(cells.s)", "bit_or(cells.b)", "min("+j.keys[0]+")")
		case 3:
			text = "sum(" + pick(j.weights...) + ")"
		default:
			text = pick("sum", "sum", "sum", "avg", "min", "max", "var_samp", "stddev_pop") + "(" + product() + ")"
			if strings.HasPrefix(text, "m") { // which of equal numbers of several scales it is depends on their order
				text = strings.NewReplacer("cells.u", "cells.n", "p.y", "p.x", "r.y", "r.w").Replace(text)
			}
		}
		if rng.IntN(4) == 0 {
			text += " FILTER (WHERE " + pick("cells.i > 100", "cells.s = 's1'", j.weights[0]+" <> 1", j.weights[0]+" > cells.b", "cells.l IS NULL AND "+j.weights[0]+" > 0") + ")"
		}
		return text
	}
	var aggs []string
	for range 1 + rng.IntN(3) {
		aggs = append(aggs, aggregate())
	}
	keys := j.keys[:rng.IntN(min(3, len(j.keys)+1))]
	if len(keys) == 0 {
		return fmt.Sprintf("SELECT %s FROM %s", strings.Join(aggs, ", "), j.from)
	}
	list := strings.Join(keys, ", ")
	grouping := pick("%s", "%s", "ROLLUP (%s)", "CUBE (%s)")
	return fmt.Sprintf("SELECT %s, %s FROM %s GROUP BY %s", list, strings.Join(aggs, ", "), j.from, fmt.Sprintf(grouping, list))
}
