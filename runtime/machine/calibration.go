package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
)

// Calibration is the figures of one device, or of the host's processor, as far as they
// were measured there. A folder keeps one file for each device.
type Calibration struct {
	Device  string             `json:"device"`  // its name, such as the model of the processor
	Source  string             `json:"source"`  // how and when the figures were measured
	Figures map[string]float64 `json:"figures"` // by the path of a field of Machine, such as Host.Hashed
}

// calibrated is what was read.
type calibrated struct {
	machine Machine
	devices map[string]*Calibration
}

var current atomic.Pointer[calibrated]

// uncalibrated is what there is before anything was read.
var uncalibrated = sync.OnceValue(func() *calibrated { return &calibrated{machine: Default()} })

func figures() *calibrated {
	if read := current.Load(); read != nil {
		return read
	}
	return uncalibrated()
}

// Current returns the figures that decisions go by: the calibrated ones, and those of
// Default where nothing was measured. It must not be changed.
func Current() *Machine { return &figures().machine }

// Of returns the figures of the device with a name, whose bandwidth and link, in bytes
// a second, were measured when it was opened; 0 is not measured.
func Of(name string, bandwidth, link float64) Device {
	now := figures()
	m := now.machine
	m.Device = m.Device.Measured(bandwidth, link)
	if c := now.devices[name]; c != nil {
		m, _ = m.With(c) // Calibrate has done so before
	}
	return m.Device
}

// Calibrate reads the files of a folder. From then on Current goes by that of the host's
// processor, and Of by those of the devices. A folder that is not there has no files.
func Calibrate(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	read := &calibrated{machine: Default(), devices: make(map[string]*Calibration)}
	for _, file := range files {
		c, err := readCalibration(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		with, err := read.machine.With(c)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", file, err)
		case c.Device == HostName():
			read.machine = with
		default:
			read.devices[c.Device] = c
		}
	}
	current.Store(read)
	return nil
}

func readCalibration(file string) (*Calibration, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &Calibration{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, err
	}
	if c.Device == "" {
		return nil, errors.New("it names no device")
	}
	return c, nil
}

// Write writes the calibration to its file of a folder, in the place of the one before,
// and returns the name of the file.
func (c *Calibration) Write(dir string) (file string, err error) {
	if _, err := new(Machine).With(c); err != nil {
		return "", err
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file = filepath.Join(dir, fileName(c.Device))
	return file, os.WriteFile(file, append(data, '\n'), fs.FileMode(0o644))
}

// fileName is the name of the file of a device.
func fileName(device string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, device) + ".json"
}

// With returns the machine with the figures of a calibration. It is an error where one
// has the name of no figure, or is not positive.
func (m Machine) With(c *Calibration) (Machine, error) {
	for name, x := range c.Figures {
		at := reflect.ValueOf(&m).Elem()
		for field := range strings.SplitSeq(name, ".") {
			if at.Kind() == reflect.Struct {
				at = at.FieldByName(field)
			} else {
				at = reflect.Value{}
			}
			if !at.IsValid() {
				return m, fmt.Errorf("there is no figure %q", name)
			}
		}
		switch {
		case !(x > 0):
			return m, fmt.Errorf("figure %s is %v, not positive", name, x)
		case at.CanFloat():
			at.SetFloat(x)
		case at.CanInt():
			at.SetInt(int64(x))
		default:
			return m, fmt.Errorf("there is no figure %q", name)
		}
	}
	return m, nil
}

// HostName returns the model of the host's processor, "host" where it is not known.
func HostName() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if key, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return "host"
}
