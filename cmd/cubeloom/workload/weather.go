package workload

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// Weather generates reports of weather stations, with the dimensions and the cardinalities
// that Zhou 2010 (section 5) takes of the synoptic cloud reports of May 1995. The values are
// drawn: few stations give many reports, clouds of a kind come with amounts and depressions
// of theirs, and some columns follow from others.
type Weather struct {
	Rows int64 // reports
	Dims int   // the first ones that queries group by
}

// WeatherRows is how many reports the month has.
const WeatherRows = 1_195_149

// weatherDims are the dimensions and how many values each has.
var weatherDims = []struct {
	name   string
	values int64
}{
	{"sky_brightness", 2}, {"longitude", 36_000}, {"total_cloud_cover", 9}, {"middle_cloud_type", 12}, {"high_cloud_type", 12},
	{"middle_cloud_amount", 800}, {"high_cloud_amount", 800}, {"wind_speed", 999}, {"dew_point_depression", 700},
}

// Validate reports a parameter out of range.
func (w Weather) Validate() error {
	switch {
	case w.Rows < 0:
		return fmt.Errorf("%d rows: must not be negative", w.Rows)
	case w.Dims < 1 || w.Dims > len(weatherDims):
		return fmt.Errorf("%d dimensions: must be from 1 to %d", w.Dims, len(weatherDims))
	}
	return nil
}

// Tables implements Set.
func (w Weather) Tables() []Table {
	columns := ""
	for _, d := range weatherDims {
		columns += d.name + " integer, "
	}
	return []Table{NewTable("weather", w.Rows, columns+"m integer")}
}

// Generate implements Set.
func (w Weather) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := w.Validate(); err != nil {
		return err
	}
	draw := newWeatherDraw(opts.Seed)
	rows := func(first int64, n int) []arrow.Array {
		cols := make([][]int32, len(weatherDims)+1)
		for i := range cols {
			cols[i] = make([]int32, n)
		}
		for i := range n {
			for k, v := range draw.report(first + int64(i)) {
				cols[k][i] = int32(v)
			}
		}
		return int32Arrays(cols...)
	}
	return generate(ctx, opts, w.Tables(), []source{rows}, emit)
}

// weatherDraw draws reports.
type weatherDraw struct {
	at       []stream // by column
	place    stream   // of stations
	stations *zipf
	type12   *zipf
	cover    *zipf
	wind     *zipf
}

// weatherStations is how many places report.
const weatherStations = 30_000

func newWeatherDraw(seed uint64) *weatherDraw {
	d := &weatherDraw{place: newStream(seed, 1199), stations: newZipf(weatherStations, 0.8), type12: newZipf(12, 1), cover: newZipf(9, 0.5), wind: newZipf(999, 0.9)}
	for i := range len(weatherDims) + 3 {
		d.at = append(d.at, newStream(seed, 1200+i))
	}
	return d
}

// report is row i. One of a hundred amounts and depressions is any that there is.
func (d *weatherDraw) report(i int64) (row [10]int64) {
	station := d.stations.rank(d.at[1].at(i))
	day := d.at[0].between(i, 0, 99) < 62
	row[0] = 0
	if day {
		row[0] = 1
	}
	row[1] = below(d.place.at(station), weatherDims[1].values)
	// A place has its climate: the cover that is the most frequent there.
	climate := int64(d.place.at(station+weatherStations) % 9)
	row[2] = (climate + d.cover.rank(d.at[2].at(i))) % 9
	if row[2] > 0 { // without clouds they have no type
		row[3] = d.type12.rank(d.at[3].at(i))
		row[4] = d.type12.rank(d.at[4].at(i))
	}
	row[5] = d.amount(5, i, row[3], row[2])
	row[6] = d.amount(6, i, row[4], row[2])
	row[7] = d.wind.rank(d.at[7].at(i))
	row[8] = (8-row[2])*60 + d.at[8].between(i, 0, 99) + row[0]*50
	if d.at[10].between(i, 0, 99) == 0 {
		row[5], row[8] = d.at[11].between(i, 0, 799), d.at[11].between(i, 0, 699)
		row[6] = 799 - row[5]
	}
	row[9] = d.at[9].between(i, 1, 1000)
	return row
}

// amount is that of clouds of a type, in hundredths of an eighth: none without clouds, else
// one of ten steps that the type has, below the total cover.
func (d *weatherDraw) amount(column int, i, kind, cover int64) int64 {
	if kind == 0 {
		return 0
	}
	return (kind*7 + d.at[column].between(i, 0, 9)*11 + cover*77) % 800
}

// Query is the cube of the first dimensions, of groups of at least so many reports.
func (w Weather) Query(least int64) Query {
	names := make([]string, w.Dims)
	for i := range names {
		names[i] = weatherDims[i].name
	}
	return icebergQuery("weather", names, least)
}

// Iceberg is the cube of all dimensions, of groups of at least so many tuples.
func (c Cube) Iceberg(least int64) Query {
	names := make([]string, c.Dims)
	for i := range names {
		names[i] = dimension(i)
	}
	return icebergQuery(c.Name, names, least)
}

// icebergQuery is a cube, without groups of fewer rows.
func icebergQuery(table string, names []string, least int64) Query {
	list := strings.Join(names, ", ")
	sql := fmt.Sprintf("SELECT %s, sum(m), count(*)\nFROM %s\nGROUP BY CUBE (%[1]s)", list, table)
	if least > 1 {
		sql += fmt.Sprintf("\nHAVING count(*) >= %d", least)
	}
	return Query{Name: fmt.Sprintf("iceberg of %d", least), SQL: sql}
}
