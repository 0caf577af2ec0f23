package driver

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// find sets device to the driver's handle of a GPU.
func (d *driver) find(ordinal int, device *int32) {
	var count int32
	d.check("cuDeviceGetCount", d.deviceCount(&count))
	switch {
	case count == 0:
		panic(errNoDevice)
	case ordinal < 0 || ordinal >= int(count):
		panic(fmt.Errorf("%w: %d of %d that the driver lists", cuda.ErrNoDevice, ordinal, count))
	}
	d.check("cuDeviceGet", d.deviceGet(device, int32(ordinal)))
}

// describe asks for what cuda.Info says, the bandwidth excepted, and for how
// many threads a multiprocessor holds.
func (d *driver) describe(device int32) (cuda.Info, int) {
	var name [256]byte
	d.check("cuDeviceGetName", d.deviceName(&name[0], int32(len(name)), device))
	var memory uint64
	d.check("cuDeviceTotalMem", d.deviceMemory(&memory, device))
	var version int32 // 1000 times the major version, and 10 times the minor one
	d.check("cuDriverGetVersion", d.version(&version))
	var sms, cache, threads, major, minor, shared int32
	for _, a := range []struct {
		which int32
		value *int32
	}{
		{attributeMultiprocessors, &sms},
		{attributeCacheBytes, &cache},
		{attributeThreadsPerProcessor, &threads},
		{attributeCapabilityMajor, &major},
		{attributeCapabilityMinor, &minor},
		{attributeSharedPerBlock, &shared},
	} {
		d.check("cuDeviceGetAttribute", d.deviceAttribute(a.value, a.which, device))
	}
	return cuda.Info{
		Name: text(name[:]), Arch: fmt.Sprintf("sm_%d%d", major, minor), SMs: int(sms), Driver: fmt.Sprintf("%d.%d", version/1000, version%1000/10),
		SharedMemory: int(shared), TotalMemory: int64(memory), Cache: int64(cache),
	}, int(threads)
}

// text is C's string at the start of b.
func text(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
