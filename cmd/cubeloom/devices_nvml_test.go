//go:build cgo

package main

import (
	"slices"
	"testing"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
)

// fakeGPU stands in for a GPU: its place among the others, and how many of its NVLinks are up.
func fakeGPU(links int, level nvml.GpuTopologyLevel, reads bool) *mock.Device {
	return &mock.Device{
		GetP2PStatusFunc: func(_ nvml.Device, of nvml.GpuP2PCapsIndex) (nvml.GpuP2PStatus, nvml.Return) {
			if of == nvml.P2P_CAPS_INDEX_NVLINK && links > 0 || of == nvml.P2P_CAPS_INDEX_READ && reads {
				return nvml.P2P_STATUS_OK, nvml.SUCCESS
			}
			return nvml.P2P_STATUS_NOT_SUPPORTED, nvml.SUCCESS
		},
		GetNvLinkStateFunc: func(link int) (nvml.EnableState, nvml.Return) {
			if link < links {
				return nvml.FEATURE_ENABLED, nvml.SUCCESS
			}
			return nvml.FEATURE_DISABLED, nvml.ERROR_INVALID_ARGUMENT
		},
		GetTopologyCommonAncestorFunc: func(nvml.Device) (nvml.GpuTopologyLevel, nvml.Return) {
			if level < 0 {
				return 0, nvml.ERROR_NOT_SUPPORTED
			}
			return level, nvml.SUCCESS
		},
	}
}

// TestDescribeLinks names the links between GPUs, each two once.
func TestDescribeLinks(t *testing.T) {
	got := describeLinks([]nvml.Device{
		fakeGPU(12, nvml.TOPOLOGY_SYSTEM, true), fakeGPU(0, nvml.TOPOLOGY_SINGLE, true), fakeGPU(0, nvml.TOPOLOGY_SYSTEM, false), fakeGPU(0, 0, true),
	})
	want := []string{
		"0 to 1  NVLink, 12 links of the first are up",
		"0 to 2  NVLink, 12 links of the first are up",
		"0 to 3  NVLink, 12 links of the first are up",
		"1 to 2  PCIe, through one switch",
		"1 to 3  PCIe, through one switch",
		"2 to 3  PCIe, and what connects the processors; neither reads the other's memory",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := describeLink(fakeGPU(0, -1, true), nil); got != "unknown: "+nvml.ErrorString(nvml.ERROR_NOT_SUPPORTED) {
		t.Errorf("got %q", got)
	}
	if links := describeLinks([]nvml.Device{fakeGPU(1, 0, true)}); links != nil {
		t.Errorf("one GPU has links: %q", links)
	}
}
