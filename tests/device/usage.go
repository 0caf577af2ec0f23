package device

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Compiling is a Null whose sources are compiled by NVRTC to machine code, so that its kernels say what
// they take of a GPU.
type Compiling struct {
	Null
	Compiler *driver.Compiler
}

// Info implements cuda.Device.
func (c *Compiling) Info() cuda.Info {
	info := c.Null.Info()
	info.Name, info.Driver = "compiling", c.Compiler.Version()
	return info
}

// Load implements cuda.Device.
func (c *Compiling) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	code, err := c.Compiler.Compile(ctx, name, source, c.Info().Arch)
	if err != nil {
		return nil, err
	}
	return usagesOf(code)
}

// compiledCode is what the kernels of machine code take, by their names.
type compiledCode map[string]*compiledKernel

// Kernel implements cuda.Code.
func (c compiledCode) Kernel(name string) (cuda.Kernel, error) {
	if k := c[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("the machine code has no kernel %s", name)
}

// compiledKernel is what a kernel takes: registers and bytes of local memory of a thread, and bytes of
// static shared memory of a block.
type compiledKernel struct{ registers, local, shared int }

// Usage implements cuda.Kernel.
func (k *compiledKernel) Usage(threads, shared int) cuda.Usage {
	figures := &machine.Current().Device.Registers
	occupancy := figures.Occupancy(k.registers, max(threads, operators.BlockThreads/8))
	return cuda.Usage{
		Registers: k.registers, Spilled: k.local, Shared: k.shared + shared,
		Blocks: max(int(occupancy*float64(figures.Threads))/max(threads, 1), 1), Occupancy: occupancy,
	}
}

// The attributes of kernels in the section .nv.info, each a symbol and a number.
const (
	attributeOfSymbol  = 0x04 // the format
	attributeRegisters = 0x2f // of a thread
	attributeFrame     = 0x11 // bytes of local memory of a thread
	attributeHead      = 4    // bytes of format, attribute and size
)

// usagesOf reads what the kernels of machine code take.
func usagesOf(code []byte) (compiledCode, error) {
	file, err := openCode(code)
	if err != nil {
		return nil, err
	}
	kernels := make(compiledCode)
	of := func(name string) *compiledKernel {
		if kernels[name] == nil {
			kernels[name] = &compiledKernel{}
		}
		return kernels[name]
	}
	for _, section := range file.Sections {
		if name, ok := strings.CutPrefix(section.Name, ".nv.shared."); ok {
			of(name).shared = int(section.Size)
		}
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	info := file.Section(".nv.info")
	if info == nil {
		return kernels, nil
	}
	data, err := info.Data()
	if err != nil {
		return nil, err
	}
	for len(data) >= attributeHead {
		format, attribute, size := data[0], data[1], int(binary.LittleEndian.Uint16(data[2:]))
		data = data[attributeHead:]
		if format != attributeOfSymbol {
			continue
		}
		if attribute == attributeRegisters || attribute == attributeFrame {
			symbol, n := binary.LittleEndian.Uint32(data), int(binary.LittleEndian.Uint32(data[4:]))
			k := of(symbols[symbol-1].Name)
			if attribute == attributeRegisters {
				k.registers = n
			} else {
				k.local = n
			}
		}
		data = data[size:]
	}
	return kernels, nil
}
