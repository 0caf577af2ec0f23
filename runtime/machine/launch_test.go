package machine

import "testing"

func TestLaunchesAreKeptByDeviceAndDriver(t *testing.T) {
	t.Cleanup(func() { current.Store(&calibrated{machine: Default()}) })
	dir := t.TempDir()
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	for _, l := range []Launch{{Kernel: "k1", Parameters: "blocks 2", When: "today", Blocks: 30, Gain: 1.5}, {Kernel: "k2", When: "today", Blocks: 12, Gain: 1},
		{Kernel: "k1", Parameters: "blocks 4", When: "today", Blocks: 40, Gain: 1.25}} {
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

func TestStrategiesThatWereFound(t *testing.T) {
	l := Launch{Kernel: "k", Strategy: "wide", Threads: 512, Reported: true, When: "today", Blocks: 5, Gain: 2}
	if got, want := l.String(), "strategy wide, 512 threads, sizes of memory as the device reports them, tuned today in 5 runs, 2.00 times as fast"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSizedGroups has the sizes follow from what a device reports: those of the device that they were
// measured on are as they are.
func TestSizedGroups(t *testing.T) {
	shared, cache := defaultGroups.WideBytes+defaultGroups.SpareBytes, defaultGroups.CacheBytes
	if got := defaultGroups.Sized(shared, cache); got != defaultGroups {
		t.Errorf("%+v", got)
	}
	if got := defaultGroups.Sized(0, 0); got != defaultGroups {
		t.Errorf("of a device that reports nothing: %+v", got)
	}
	small := defaultGroups.Sized(shared/2, cache/4)
	if small.CacheBytes != cache/4 || small.WideBytes != shared/2-small.SpareBytes || small.BlockBytes > defaultGroups.BlockBytes/2 || small.ThreadBytes < 1<<10 {
		t.Errorf("half of the memory: %+v", small)
	}
	if small.Atomic != defaultGroups.Atomic {
		t.Error("costs have changed")
	}
}
