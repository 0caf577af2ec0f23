package workload

import "fmt"

// CubingPoint is a cube, or an iceberg of groups of Least rows, of the series of GPU-Cubing (Zhou
// 2010, figures 6 to 9), which vary one parameter at a time.
type CubingPoint struct {
	Series string
	Data   string // the parameters of the table
	Dims   int
	Least  int64
	Set    Set
	Query  Query
}

// CubingSeries are the names of the series: tuples, dimensions, values of each, skew, least rows of
// a group, and dimensions of weather reports.
func CubingSeries() []string { return []string{"T", "D", "C", "S", "M", "weather"} }

// CubingPoints are the points of a series whose base has so many tuples, six dimensions and a hundred
// values of each.
func CubingPoints(series string, rows int64) (all []CubingPoint) {
	add := func(c Cube, least int64) {
		c.Name = "cube"
		all = append(all, CubingPoint{
			Series: series, Data: fmt.Sprintf("T=%d D=%d C=%d S=%g", c.Rows, c.Dims, c.Card, c.Skew),
			Dims: c.Dims, Least: least, Set: c, Query: c.Iceberg(least),
		})
	}
	base := Cube{Rows: rows, Dims: 6, Card: 100}
	for _, least := range []int64{1, 10} {
		switch series {
		case "T":
			for n := range 5 {
				c := base
				c.Rows <<= n
				add(c, least)
			}
		case "D":
			for dims := 3; dims <= 10; dims++ {
				c := base
				c.Dims = dims
				add(c, least)
			}
		case "C":
			for card := int64(10); card <= 10_000; card *= 10 {
				c := base
				c.Card = card
				add(c, least)
			}
		case "S":
			for skew := 0.0; skew <= 3; skew += 0.5 {
				c := base
				c.Skew = skew
				add(c, least)
			}
		case "weather":
			for dims := 3; dims <= 9; dims++ {
				w := Weather{Rows: WeatherRows * rows / 1_000_000, Dims: dims}
				all = append(all, CubingPoint{
					Series: series, Data: fmt.Sprintf("weather T=%d D=%d", w.Rows, dims),
					Dims: dims, Least: least, Set: w, Query: w.Query(least),
				})
			}
		}
	}
	if series == "M" {
		for least := int64(1); least <= 100_000; least *= 10 {
			add(base, least)
		}
	}
	return all
}
