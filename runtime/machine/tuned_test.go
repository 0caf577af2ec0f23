package machine

import (
	"strings"
	"testing"
)

func TestTunedFiguresTakeThePlaceOfMeasuredOnes(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(func() { current.Store(&calibrated{machine: Default()}) })
	measured := map[string]float64{"Host.Caches.TableBytes": 1 << 20, "Host.Row": 3}
	for _, rows := range []float64{512, 2048} { // the second in the place of the first
		_, err := Update(dir, HostName(), func(c *Calibration) {
			c.Source, c.Figures = "measured", measured
			c.Keep(Tuned{What: "vectors", Figures: map[string]float64{"Host.Caches.VectorRows": rows}, When: "today", Blocks: 12, Gain: 1.25})
			c.Keep(Tuned{What: "tables", Figures: map[string]float64{"Host.Caches.TableBytes": 2 << 20}, When: "today", Blocks: 9, Gain: 1.1})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	host := Current().Host
	if host.Caches.VectorRows != 2048 || host.Caches.TableBytes != 2<<20 || host.Row != 3 {
		t.Errorf("the host has %+v", host)
	}
	list := HostTuned()
	if len(list) != 2 {
		t.Fatalf("tuned: %+v", list)
	}
	if got, want := list[0].String(), "vectors: VectorRows 2048, tuned today in 12 blocks, 1.25 times as fast"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m := *Current()
	before := Current()
	m.Host.Caches.VectorRows = 64
	Use(m)
	if Current() == before || Current().Host.Caches.VectorRows != 64 || len(HostTuned()) != 2 {
		t.Error("the figures that are tried do not hold")
	}
}

func TestFiguresOutOfRange(t *testing.T) {
	m := Default()
	for name, x := range map[string]float64{"Host.Caches.VectorRows": 0.5, "Host.Caches.TableBytes": 1e300, "Host.Caches": 1, "Host.Nothing": 1} {
		if _, err := m.WithFigures(map[string]float64{name: x}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s = %v: %v", name, x, err)
		}
	}
	if x, err := m.Figure("Host.Caches.VectorRows"); x != 1024 || err != nil {
		t.Errorf("a vector has %v rows, %v", x, err)
	}
}
