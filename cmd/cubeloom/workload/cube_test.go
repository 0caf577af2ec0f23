package workload

import (
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
)

func TestZipfFollowsItsDistribution(t *testing.T) {
	const n, draws = 50, 400_000
	for _, skew := range []float64{0, 0.5, 1, 2} {
		z, s := newZipf(n, skew), newStream(3, 0)
		var counts [n]float64
		for i := range int64(draws) {
			counts[z.rank(s.at(i))]++
		}
		sum := 0.0
		for k := range n {
			sum += math.Pow(float64(k+1), -skew)
		}
		for k, got := range counts {
			want := draws * math.Pow(float64(k+1), -skew) / sum
			if math.Abs(got-want) > 5*math.Sqrt(want) {
				t.Errorf("skew %v: rank %d drawn %v times, expected %.0f", skew, k, got, want)
			}
		}
	}
}

func TestCube(t *testing.T) {
	set := Cube{Name: "c", Rows: 100_000, Dims: 3, Card: 20, Skew: 1}
	rec := collect(t, set, Options{Seed: 1})["c"]
	for _, d := range []string{"d1", "d2", "d3"} {
		var counts [21]int
		for _, v := range ints(t, rec, d) {
			counts[v]++
		}
		if counts[0] != 0 || counts[20] == 0 || counts[1] < 2*counts[3] {
			t.Errorf("%s is not Zipf over 1 … 20: %v", d, counts)
		}
	}
	if array.Equal(rec.Column(0), rec.Column(1)) {
		t.Error("d1 and d2 are equal")
	}
}

func TestCubeQueriesNameOnlyDimensionsOfTheTable(t *testing.T) {
	for dims, want := range map[int]string{
		2: "", 3: "cube3 cube3-aggregates iceberg3", 4: "cube3 cube4 cube3-aggregates nested iceberg3 finest of cube4",
	} {
		c := Cube{Name: "c", Dims: dims}
		var names []string
		for _, q := range append(c.Queries(), c.FinestCuboids()...) {
			names = append(names, q.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%d dimensions: %s, expected %s", dims, got, want)
		}
	}
}

func TestGroups(t *testing.T) {
	dense := Groups{Name: "r", Rows: 100_000, Groups: 1000}
	scattered := dense
	scattered.Scattered = true
	d, s := collect(t, dense, Options{})["r"], collect(t, scattered, Options{})["r"]
	keys, wide := ints(t, d, "g"), s.Column(0).(*array.Int64).Int64Values()
	forward, backward := map[int32]int64{}, map[int64]int32{}
	for i, k := range keys {
		if k < 0 || k >= 1000 {
			t.Fatalf("key %d", k)
		}
		forward[k], backward[wide[i]] = wide[i], k
	}
	if len(forward) != 1000 || len(backward) != 1000 {
		t.Errorf("%d dense and %d scattered keys", len(forward), len(backward))
	}
}

func TestValidate(t *testing.T) {
	for _, set := range []interface{ Validate() error }{
		Cube{Rows: -1, Dims: 1, Card: 1}, Cube{Dims: 0, Card: 1}, Cube{Dims: 65, Card: 1}, Cube{Dims: 1},
		Cube{Dims: 1, Card: 1, Skew: math.NaN()}, Groups{Groups: 0}, Groups{Rows: -1, Groups: 1},
		Groups{Groups: 1, Skew: -1},
	} {
		if set.Validate() == nil {
			t.Errorf("%+v accepted", set)
		}
	}
}

func TestWeather(t *testing.T) {
	rec := collect(t, Weather{Rows: 300_000, Dims: 9}, Options{Seed: 1})["weather"]
	for _, d := range weatherDims {
		counts := map[int32]int{}
		most := 0
		for _, v := range ints(t, rec, d.name) {
			if v < 0 || int64(v) >= d.values {
				t.Fatalf("%s has the value %d of %d", d.name, v, d.values)
			}
			counts[v]++
			most = max(most, counts[v])
		}
		if len(counts) < int(d.values)/3 || most < 300_000/int(d.values) {
			t.Errorf("%s has %d values of %d, the most frequent %d times", d.name, len(counts), d.values, most)
		}
	}
}
