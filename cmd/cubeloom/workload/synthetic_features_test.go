package workload

import "testing"

// TestFeatures counts what a sample of all cells finds in two ways.
func TestFeatures(t *testing.T) {
	for i := range 20 {
		s := DrawSynthetic(1, i, 50_000)
		f := s.Features(1)
		rows, matches, turns, blocks, heaviest, longest, apart := f.Sample[0], f.Sample[1], f.Sample[2], f.Sample[3], f.Sample[4], f.Sample[5], f.Sample[6]
		switch {
		case f.Spread.Rows != s.rows(), f.Spread.Keys > s.Elements, f.Spread.Longest < f.Spread.Rows/f.Spread.Keys, longest > f.Spread.Longest:
			t.Errorf("%v: %+v", s, f)
		case rows > s.Cells, matches < rows, matches > turns*warpCells, turns < blocks, heaviest < longest, apart > matches:
			t.Errorf("%v: %+v", s, f)
		case s.First && s.Cells > 1000*s.Elements && apart > matches/10:
			t.Errorf("%v is in order, and %d of %d targets lie apart", s, apart, matches)
		}
	}
}
