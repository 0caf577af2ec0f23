package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCalibrate(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(func() { current.Store(&calibrated{machine: Default()}) })
	for _, c := range []*Calibration{
		{Device: HostName(), Source: "test", Figures: map[string]float64{"Host.Hashed": 7.5, "Host.Caches.TableBytes": 4096, "Host.Join.Built": 3}},
		{Device: "NVIDIA H100 (80 GB)", Source: "test", Figures: map[string]float64{"Device.Link": 2e9, "Device.Groups.Atomic": 11}},
	} {
		if _, err := c.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	host := &Current().Host
	if host.Hashed != 7.5 || host.Caches.TableBytes != 4096 || host.Join.Built != 3 || host.Row != Default().Host.Row {
		t.Errorf("the host has %+v", host)
	}
	if d := Of("NVIDIA H100 (80 GB)", 1e12, 1e9); d.Bandwidth != 1e12 || d.Link != 2e9 || d.Groups.Atomic != 11 {
		t.Errorf("the device has %+v", d)
	}
	if d := Of("another", 0, 1e9); d.Link != 1e9 || d.Groups.Atomic != Default().Device.Groups.Atomic {
		t.Errorf("another device has %+v", d)
	}
	if err := Calibrate(filepath.Join(dir, "none")); err != nil || Current().Host.Hashed != Default().Host.Hashed {
		t.Errorf("a folder that is not there: %v, %v", err, Current().Host.Hashed)
	}
}

func TestCalibrationsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"device": "x", "figures": {"Host.Speed": 1}}`:       `no figure "Host.Speed"`,
		`{"device": "x", "figures": {"Host.Caches": 1}}`:      `no figure "Host.Caches"`,
		`{"device": "x", "figures": {"Host.Hashed.x": 1}}`:    `no figure "Host.Hashed.x"`,
		`{"device": "x", "figures": {"Host.Hashed": -1}}`:     "is -1, not positive",
		`{"figures": {"Host.Hashed": 1}}`:                     "names no device",
		`{"device": "x", "figures": {"Host.Hashed": "fast"}}`: "cannot unmarshal",
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "x.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Calibrate(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}
