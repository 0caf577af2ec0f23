//go:build cgo

package main

import (
	"fmt"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

// listGPUs asks NVML for the GPUs, and for the links between each two of them. A machine without a
// driver is a normal one: then reason says what was missing.
func listGPUs() (gpus, links []string, reason string) {
	if ret := nvml.Init(); ret != nvml.SUCCESS {
		return nil, nil, "no NVIDIA driver was found (" + nvml.ErrorString(ret) + ")"
	}
	defer nvml.Shutdown()
	n, ret := nvml.DeviceGetCount()
	if ret != nvml.SUCCESS {
		return nil, nil, nvml.ErrorString(ret)
	}
	devices := make([]nvml.Device, n)
	for i := range devices {
		if devices[i], ret = nvml.DeviceGetHandleByIndex(i); ret != nvml.SUCCESS {
			return nil, nil, fmt.Sprintf("GPU %d: %s", i, nvml.ErrorString(ret))
		}
		gpus = append(gpus, describeGPU(devices[i]))
	}
	if n == 0 {
		reason = "the NVIDIA driver lists no device"
	}
	return gpus, describeLinks(devices), reason
}

// describeGPU returns the name and memory of a GPU.
func describeGPU(device nvml.Device) string {
	name, _ := device.GetName()
	memory, ret := device.GetMemoryInfo()
	if ret != nvml.SUCCESS {
		return name
	}
	return fmt.Sprintf("%s, %s of memory, %s free", name, formatBytes(int64(memory.Total)), formatBytes(int64(memory.Free)))
}

// describeLinks says how each two GPUs reach each other.
func describeLinks(devices []nvml.Device) (links []string) {
	for i, a := range devices {
		for k := i + 1; k < len(devices); k++ {
			links = append(links, fmt.Sprintf("%d to %d  %s", i, k, describeLink(a, devices[k])))
		}
	}
	return links
}

// describeLink says how two GPUs reach each other: by NVLink, from GPU to GPU or through switches, or by
// the nearest that they have in common on the way to the host.
func describeLink(a, b nvml.Device) string {
	if status, ret := a.GetP2PStatus(b, nvml.P2P_CAPS_INDEX_NVLINK); ret == nvml.SUCCESS && status == nvml.P2P_STATUS_OK {
		return fmt.Sprintf("NVLink, %d links of the first are up", activeLinks(a))
	}
	level, ret := a.GetTopologyCommonAncestor(b)
	if ret != nvml.SUCCESS {
		return "unknown: " + nvml.ErrorString(ret)
	}
	text := map[nvml.GpuTopologyLevel]string{
		nvml.TOPOLOGY_INTERNAL:   "on one board",
		nvml.TOPOLOGY_SINGLE:     "PCIe, through one switch",
		nvml.TOPOLOGY_MULTIPLE:   "PCIe, through several switches",
		nvml.TOPOLOGY_HOSTBRIDGE: "PCIe, through a host bridge",
		nvml.TOPOLOGY_NODE:       "PCIe, through host bridges of one NUMA node",
		nvml.TOPOLOGY_SYSTEM:     "PCIe, and what connects the processors",
	}[level]
	if status, ret := a.GetP2PStatus(b, nvml.P2P_CAPS_INDEX_READ); ret != nvml.SUCCESS || status != nvml.P2P_STATUS_OK {
		text += "; neither reads the other's memory"
	}
	return text
}

// activeLinks is how many NVLinks of a GPU are up.
func activeLinks(device nvml.Device) (n int) {
	for link := range nvml.NVLINK_MAX_LINKS {
		if state, ret := device.GetNvLinkState(link); ret == nvml.SUCCESS && state == nvml.FEATURE_ENABLED {
			n++
		}
	}
	return n
}
