package driver

import (
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Kernel finds an entry by name.
func (c *code) Kernel(name string) (cuda.Kernel, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.kernels[name]; f != nil {
		return f, nil
	}
	f := &function{device: c.device, name: c.name + "." + name, source: c.source, children: c.children, usage: make(map[[2]int]cuda.Usage)}
	if err := c.device.with(func() { c.find(&f.handle, name) }); err != nil {
		return nil, err
	}
	c.kernels[name] = f
	return f, nil
}

// sharedUnasked is the dynamic shared memory that every kernel may have: without being
// asked the driver gives 48 KiB, of which merges and scratch memory take most at worst.
const sharedUnasked = 4 << 10

// prepare lets the kernel, and those that it launches, have more dynamic shared memory
// than every kernel may.
func (f *function) prepare(shared int) {
	if shared <= sharedUnasked {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if shared <= f.shared {
		return
	}
	f.shared = shared
	for _, handle := range append(f.children[:len(f.children):len(f.children)], f.handle) {
		r := f.device.driver.setFunction(handle, functionMaxDynamicShared, int32(shared))
		f.device.check("cuFuncSetAttribute for "+f.name, r)
	}
}

// Usage returns what the kernel takes; zeros where the driver does not say.
func (f *function) Usage(threads, shared int) cuda.Usage {
	f.mu.Lock()
	u, known := f.usage[[2]int{threads, shared}]
	f.mu.Unlock()
	if known {
		return u
	}
	if err := f.device.with(func() { u = f.ask(threads, shared) }); err != nil {
		return cuda.Usage{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.usage[[2]int{threads, shared}] = u
	return u
}

// ask asks the driver what the kernel takes.
func (f *function) ask(threads, shared int) cuda.Usage {
	f.prepare(shared)
	var registers, local, static, blocks int32
	for which, value := range map[int32]*int32{functionRegisters: &registers, functionLocalBytes: &local, functionSharedBytes: &static} {
		f.device.check("cuFuncGetAttribute", f.device.driver.functionAttribute(value, which, f.handle))
	}
	r := f.device.driver.occupancy(&blocks, f.handle, int32(threads), uint64(shared))
	f.device.check("cuOccupancyMaxActiveBlocksPerMultiprocessor", r)
	return cuda.Usage{
		Registers: int(registers), Shared: int(static) + shared, Spilled: int(local), Blocks: int(blocks),
		Occupancy: float64(int(blocks)*threads) / float64(f.device.threads),
	}
}
