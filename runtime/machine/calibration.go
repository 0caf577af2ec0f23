package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
	Tuned   []Tuned            `json:"tuned,omitempty"`
	// Launches, Compiled and Woven were found with this version of the driver.
	Driver   string     `json:"driver,omitempty"`
	Launches []Launch   `json:"launches,omitempty"`
	Compiled []Compiled `json:"compiled,omitempty"`
	Woven    []Woven    `json:"woven,omitempty"`
}

// calibrated is what was read.
type calibrated struct {
	machine Machine
	tuned   []Tuned // of the host
	devices map[string]*Calibration
	dir     string // that was read; "": none
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
	read := &calibrated{machine: Default(), devices: make(map[string]*Calibration), dir: dir}
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
			read.machine, read.tuned = with, c.Tuned
		default:
			read.devices[c.Device] = c
		}
	}
	current.Store(read)
	return nil
}

// Read returns what the file of a device in a folder holds: nothing where there is none.
func Read(dir, device string) (*Calibration, error) {
	file := filepath.Join(dir, fileName(device))
	c, err := readCalibration(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Calibration{Device: device}, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// Update changes what the file of a device in a folder holds, which is made where there is
// none, and returns the name of the file.
func Update(dir, device string, change func(*Calibration)) (file string, err error) {
	c, err := Read(dir, device)
	if err != nil {
		return "", err
	}
	change(c)
	return c.Write(dir)
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

// With returns the machine with the figures of a calibration: what was tuned takes the place
// of what was measured. It is an error where one has the name of no figure, or is not
// positive.
func (m Machine) With(c *Calibration) (Machine, error) {
	m, err := m.WithFigures(c.Figures)
	for i := 0; err == nil && i < len(c.Tuned); i++ {
		m, err = m.WithFigures(c.Tuned[i].Figures)
	}
	return m, err
}

// WithFigures returns the machine with some figures, by their names.
func (m Machine) WithFigures(figures map[string]float64) (Machine, error) {
	for name, x := range figures {
		at, err := m.field(name)
		switch {
		case err != nil:
			return m, err
		case !(x > 0):
			return m, fmt.Errorf("figure %s is %v, not positive", name, x)
		case at.CanFloat():
			at.SetFloat(x)
		case x < 1 || x > maxWhole:
			return m, fmt.Errorf("figure %s is %v, not from 1 to %d", name, x, int64(maxWhole))
		default:
			at.SetInt(int64(x))
		}
	}
	return m, nil
}

// field finds a figure by its name.
func (m *Machine) field(name string) (reflect.Value, error) {
	at := reflect.ValueOf(m).Elem()
	for field := range strings.SplitSeq(name, ".") {
		if at.Kind() == reflect.Struct {
			at = at.FieldByName(field)
		} else {
			at = reflect.Value{}
		}
		if !at.IsValid() {
			break
		}
	}
	if !at.IsValid() || !at.CanFloat() && !at.CanInt() {
		return at, fmt.Errorf("there is no figure %q", name)
	}
	return at, nil
}

// maxWhole is the greatest figure that is a whole number: more bytes than memory has.
const maxWhole = 1 << 50

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

// Keep puts what a tuner has found in the place of what it has found of the same before.
func (c *Calibration) Keep(t Tuned) {
	c.Tuned = slices.DeleteFunc(c.Tuned, func(o Tuned) bool { return o.What == t.What })
	c.Tuned = append(c.Tuned, t)
}

// HostTuned is what was tuned of the figures of Current.
func HostTuned() []Tuned { return figures().tuned }

// Use has choices go by the host's figures of a machine from now on, such as those that a
// tuner tries, and not by those that were read.
func Use(m Machine) {
	now := figures()
	current.Store(&calibrated{machine: m, tuned: now.tuned, devices: now.devices, dir: now.dir})
}

// Figure returns a figure by its name.
func (m *Machine) Figure(name string) (float64, error) {
	at, err := m.field(name)
	switch {
	case err != nil:
		return 0, err
	case at.CanFloat():
		return at.Float(), nil
	}
	return float64(at.Int()), nil
}
