package workload

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// Visits generates a table of views of web pages, as logs of web sites have them: texts of many values, most
// of which are rare and some empty, ids over 64 bits, and columns of few values that are mostly zero.
type Visits struct{ Rows int64 }

// Validate reports a parameter out of range.
func (v Visits) Validate() error {
	if v.Rows < 0 || v.Rows > 10*maxValues {
		return fmt.Errorf("%d rows: must be from 0 to %d", v.Rows, int64(10*maxValues))
	}
	return nil
}

const visitColumns = "view bigint, visitor bigint, address integer, site integer, region integer, engine integer, phone integer, width integer, " +
	"refreshed integer, seconds integer, day date, second integer, model text, phrase text, url text, title text, referrer text"

// Tables implements Set.
func (v Visits) Tables() []Table { return []Table{NewTable("visits", v.Rows, visitColumns)} }

// The first day, and how many there are.
const (
	visitsFirstDay = 19_539 // 2023-07-01, days from 1970
	visitsDays     = 31
)

// visitSource computes rows. Ranks of a skewed number of values are drawn first, and texts made of them.
type visitSource struct {
	rows                                                    int64
	draws                                                   []stream
	visitors, sites, regions, widths, models, phrases, urls *zipf
}

func (v Visits) source(seed uint64) *visitSource {
	s := &visitSource{rows: v.Rows, draws: make([]stream, 20)}
	for i := range s.draws {
		s.draws[i] = newStream(seed, 5000+i)
	}
	some := func(share, skew float64) *zipf { return newZipf(max(int64(share*float64(v.Rows)), 10), skew) }
	s.visitors, s.phrases, s.urls = some(0.2, 0.6), some(0.05, 0.8), some(0.15, 0.8)
	s.sites, s.regions, s.widths, s.models = newZipf(5000, 1.1), newZipf(3000, 1.2), newZipf(100, 1), newZipf(300, 1)
	return s
}

// Generate implements Set.
func (v Visits) Generate(ctx context.Context, opts Options, emit Emit) error {
	if err := v.Validate(); err != nil {
		return err
	}
	return generate(ctx, opts, v.Tables(), []source{v.source(opts.Seed).arrays}, emit)
}

// arrays are the columns of some rows.
func (s *visitSource) arrays(first int64, n int) []arrow.Array {
	integers := make([][]int32, 10)
	for i := range integers {
		integers[i] = make([]int32, n)
	}
	views, visitors := make([]int64, n), make([]int64, n)
	all := [5]*texts{newTexts(n, 2), newTexts(n, 4), newTexts(n, 70), newTexts(n, 60), newTexts(n, 50)}
	for i := range n {
		at := first + int64(i)
		visitor := s.visitors.rank(s.draws[0].at(at))
		views[i], visitors[i] = scattered(at), scattered(visitor+1<<40)
		for c, value := range s.numbers(at, visitor) {
			integers[c][i] = value
		}
		s.texts(at, &all)
	}
	arrays := []arrow.Array{int64Array(views), int64Array(visitors)}
	for c, values := range integers {
		if c == 8 {
			arrays = append(arrays, fixedArray(arrow.FixedWidthTypes.Date32, n, arrow.Int32Traits.CastToBytes(values)))
			continue
		}
		arrays = append(arrays, int32Array(values))
	}
	for _, t := range all {
		arrays = append(arrays, t.array())
	}
	return arrays
}

// scattered is a number of 63 bits for each different one.
func scattered(i int64) int64 { return int64(mix64(uint64(i)) >> 1) }

// numbers are the integers of a row, in the order of the columns.
func (s *visitSource) numbers(at, visitor int64) [10]int32 {
	rare := func(column int, share, most int64) int32 {
		if s.draws[column].between(at, 0, 99) >= share {
			return 0
		}
		return int32(s.draws[column+1].between(at, 1, most))
	}
	second := at * visitsDays * 86_400 / max(s.rows, 1)
	return [10]int32{
		int32(mix64(uint64(visitor)) >> 33), int32(s.sites.rank(s.draws[2].at(at))), int32(s.regions.rank(s.draws[3].at(at))),
		rare(4, 5, 40), rare(6, 12, 80), int32(600 + 8*s.widths.rank(s.draws[8].at(at))), int32(s.draws[9].between(at, 0, 9) / 9),
		int32(s.draws[10].between(at, 0, 1800) * s.draws[11].between(at, 0, 1)),
		int32(visitsFirstDay + second/86_400), int32(second % 86_400),
	}
}

// texts adds the texts of a row.
func (s *visitSource) texts(at int64, all *[5]*texts) {
	if s.draws[12].between(at, 0, 99) < 12 {
		all[0].bytes = fmt.Appendf(all[0].bytes, "model %d", s.models.rank(s.draws[13].at(at)))
	}
	if s.draws[14].between(at, 0, 99) < 12 {
		all[1].words(uint64(s.phrases.rank(s.draws[15].at(at))), 3)
	}
	page := uint64(s.urls.rank(s.draws[16].at(at)))
	all[2].url(page)
	all[3].words(page, 8)
	if s.draws[17].between(at, 0, 99) < 70 {
		all[4].url(uint64(s.urls.rank(s.draws[18].at(at))))
	}
	for _, t := range all {
		t.end()
	}
}

// visitWords are the words of phrases and titles, and hosts.
var visitWords = strings.Fields("weather garden kitchen travel football recipe music cinema history river mountain bicycle camera market ticket museum library forest winter summer")

// words appends so many words that a number chooses, and the number.
func (t *texts) words(of uint64, n int) {
	for x := mix64(of); n > 0; n, x = n-1, x/uint64(len(visitWords)) {
		t.bytes = append(append(t.bytes, visitWords[x%uint64(len(visitWords))]...), ' ')
	}
	t.bytes = fmt.Appendf(t.bytes, "%d", of)
}

// url appends the address of a page.
func (t *texts) url(page uint64) {
	x := mix64(page + 1<<50)
	host := visitWords[x%uint64(len(visitWords))]
	prefix := [4]string{"https://www.", "http://", "https://", "http://www."}[x>>60&3]
	t.bytes = fmt.Appendf(t.bytes, "%s%s%d.example/%s/", prefix, host, x>>32%400, visitWords[x>>20%uint64(len(visitWords))])
	t.words(page, 2)
	t.bytes = append(t.bytes, ".html"...)
}
