package machine

import (
	"slices"
	"sync"
)

// maxLaunches is of how many kernels a file keeps the parameters: the last ones.
const maxLaunches = 1 << 12

// writing is held while a file is changed.
var writing sync.Mutex

// KeepLaunch puts parameters in the file of a device, in the place of those that were found
// of the kernel before; those of another version of the driver are dropped. Where no folder
// was read, nothing is kept.
func KeepLaunch(device, driver string, l Launch) error {
	return updateFound(device, driver, func(c *Calibration) {
		c.Launches = slices.DeleteFunc(c.Launches, func(o Launch) bool { return o.Kernel == l.Kernel })
		c.Launches = append(c.Launches, l)
		c.Launches = c.Launches[max(len(c.Launches)-maxLaunches, 0):]
	})
}

// updateFound changes what the file of a device holds that was found with a version of the driver:
// what was found with another one is dropped. Where no folder was read, nothing is kept.
func updateFound(device, driver string, change func(*Calibration)) error {
	writing.Lock()
	defer writing.Unlock()
	dir := figures().dir
	if dir == "" {
		return nil
	}
	_, err := Update(dir, device, func(c *Calibration) {
		if c.Driver != driver {
			c.Driver, c.Launches, c.Compiled, c.Woven = driver, nil, nil, nil
		}
		change(c)
	})
	return err
}

// readOf returns what the file of a device held at the start, as far as it was found with this version
// of the driver; nil: nothing.
func readOf(device, driver string) *Calibration {
	if c := figures().devices[device]; c != nil && c.Driver == driver {
		return c
	}
	return nil
}

// LaunchOf returns what the file of a device held at the start about a kernel, as far as it
// was found with this version of the driver.
func LaunchOf(device, driver, kernel string) (l Launch, ok bool) {
	c := readOf(device, driver)
	if c == nil {
		return l, false
	}
	i := slices.IndexFunc(c.Launches, func(l Launch) bool { return l.Kernel == kernel })
	if i < 0 {
		return l, false
	}
	return c.Launches[i], true
}
