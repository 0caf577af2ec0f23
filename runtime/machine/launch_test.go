package machine

import "testing"

func TestLaunchesAreKeptByDeviceAndDriver(t *testing.T) {
	t.Cleanup(func() { current.Store(&calibrated{machine: Default()}) })
	dir := t.TempDir()
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	for _, l := range []Launch{{"k1", "blocks 2", "today", 30, 1.5}, {"k2", "", "today", 12, 1}, {"k1", "blocks 4", "today", 40, 1.25}} {
		if err := KeepLaunch("card", "12.8", l); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := LaunchOf("card", "12.8", "k1"); ok {
		t.Error("what is found holds before the next start, which the run knows itself")
	}
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	l, ok := LaunchOf("card", "12.8", "k1")
	if want := "launch parameters blocks 4, tuned today in 40 blocks, 1.25 times as fast"; !ok || l.String() != want {
		t.Errorf("kept %q, want %q", l.String(), want)
	}
	if l, ok := LaunchOf("card", "12.8", "k2"); !ok || l.Parameters != "" {
		t.Errorf("kept %+v, %v", l, ok)
	}
	for _, other := range [][3]string{{"card", "13.0", "k1"}, {"another", "12.8", "k1"}, {"card", "12.8", "k3"}} {
		if l, ok := LaunchOf(other[0], other[1], other[2]); ok {
			t.Errorf("%v has %+v", other, l)
		}
	}
	if err := KeepLaunch("card", "13.0", Launch{Kernel: "k3"}); err != nil {
		t.Fatal(err)
	}
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	if _, ok := LaunchOf("card", "12.8", "k1"); ok {
		t.Error("what was found with the old driver is kept with the new one")
	}
}
