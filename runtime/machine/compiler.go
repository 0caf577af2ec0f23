package machine

import (
	"slices"
	"sync"
)

// maxCompiled is of how many kernels a Compiler knows what they were given, and of how many operators what
// their kernels took: the last ones.
const maxCompiled = 1 << 10

// Compiler is what is known of the kernels that a device's compiler makes: what it has given them, what
// follows for others, and what they took. Safe for concurrent use.
type Compiler struct {
	device, driver string

	mu     sync.RWMutex
	prior  Registers // as of the device's figures
	fitted Registers // corrected by what was compiled
	known  []Compiled
	at     map[string]int // in known, by kernel
	woven  []Woven
}

// NewCompiler returns what is known of the compiler of a device with some figures: what the folder
// that was read last holds of it, as far as that was found with this version of the driver.
func NewCompiler(device, driver string, figures *Registers) *Compiler {
	c := &Compiler{device: device, driver: driver, prior: *figures}
	var kept []Compiled
	if read := readOf(device, driver); read != nil {
		kept, c.woven = read.Compiled, read.Woven
	}
	c.know(kept)
	return c
}

// know replaces what is known. The slice is not changed any more.
func (c *Compiler) know(kernels []Compiled) {
	c.known, c.at, c.fitted = kernels, make(map[string]int, len(kernels)), c.prior
	for i := range kernels {
		c.at[kernels[i].Kernel] = i
	}
	c.fitted.Each = Fit(&c.prior.Each, kernels)
}

// Figures returns the figures as what was compiled corrects them.
func (c *Compiler) Figures() Registers {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.fitted
}

// Find returns what a kernel was given; ok is false where that is not known.
func (c *Compiler) Find(kernel string) (k Compiled, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	i, ok := c.at[kernel]
	if ok {
		k = c.known[i]
	}
	return k, ok
}

// Learn notes what kernels were given, and keeps it in the device's file of the folder that was read.
// Estimates follow from then on.
func (c *Compiler) Learn(kernels []Compiled) error {
	known, isNew := c.learn(kernels)
	if !isNew {
		return nil
	}
	return updateFound(c.device, c.driver, func(f *Calibration) { f.Compiled = known })
}

// learn returns what is known then; isNew is false where it was known before.
func (c *Compiler) learn(kernels []Compiled) (known []Compiled, isNew bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known = slices.Clone(c.known)
	for _, k := range kernels {
		if slices.Contains(known, k) {
			continue
		}
		isNew = true
		known = append(slices.DeleteFunc(known, func(o Compiled) bool { return o.Kernel == k.Kernel }), k)
	}
	if isNew {
		c.know(known[max(len(known)-maxCompiled, 0):])
	}
	return c.known, isNew
}
