package machine

import "slices"

// WayOf returns what is known of a way to make kernels of operators.
func (c *Compiler) WayOf(operators string, ends []int) Way {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, w := range c.woven {
		if w.Operators != operators {
			continue
		}
		if i := slices.IndexFunc(w.Ways, func(w Way) bool { return slices.Equal(w.Ends, ends) }); i >= 0 {
			return w.Ways[i]
		}
	}
	return Way{Ends: ends}
}

// Took notes what a way took in a run, or that it fails, and keeps it in the device's file of the folder that was
// read.
func (c *Compiler) Took(operators string, run Way) error {
	way := c.WayOf(operators, run.Ends)
	if run.Runs = way.Runs + 1; !run.Fails && way.Runs > 0 && way.All() < run.All() {
		run.Nanoseconds, run.Readers = way.Nanoseconds, way.Readers
	}
	known := c.put(operators, run)
	return updateFound(c.device, c.driver, func(f *Calibration) { f.Woven = known })
}

// put replaces what is known of a way. The operators that it is of become the last ones.
func (c *Compiler) put(operators string, way Way) []Woven {
	c.mu.Lock()
	defer c.mu.Unlock()
	with := Woven{Operators: operators}
	known := slices.DeleteFunc(slices.Clone(c.woven), func(w Woven) bool {
		if w.Operators != operators {
			return false
		}
		with.Ways = slices.DeleteFunc(slices.Clone(w.Ways), func(o Way) bool { return slices.Equal(o.Ends, way.Ends) })
		return true
	})
	with.Ways = append(with.Ways, way)
	known = append(known, with)
	c.woven = known[max(len(known)-maxCompiled, 0):]
	return c.woven
}
