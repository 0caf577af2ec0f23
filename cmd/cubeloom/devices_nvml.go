//go:build cgo

package main

import (
	"fmt"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

// listGPUs asks NVML for the GPUs. A machine without a driver is a normal one:
// then reason says what was missing.
func listGPUs() (gpus []string, reason string) {
	if ret := nvml.Init(); ret != nvml.SUCCESS {
		return nil, "no NVIDIA driver was found (" + nvml.ErrorString(ret) + ")"
	}
	defer nvml.Shutdown()
	n, ret := nvml.DeviceGetCount()
	if ret != nvml.SUCCESS {
		return nil, nvml.ErrorString(ret)
	}
	for i := range n {
		gpus = append(gpus, describeGPU(i))
	}
	if n == 0 {
		reason = "the NVIDIA driver lists no device"
	}
	return gpus, reason
}

// describeGPU returns the name and memory of GPU i.
func describeGPU(i int) string {
	device, ret := nvml.DeviceGetHandleByIndex(i)
	if ret != nvml.SUCCESS {
		return nvml.ErrorString(ret)
	}
	name, _ := device.GetName()
	memory, ret := device.GetMemoryInfo()
	if ret != nvml.SUCCESS {
		return name
	}
	return fmt.Sprintf("%s, %s of memory, %s free", name, formatBytes(int64(memory.Total)), formatBytes(int64(memory.Free)))
}
