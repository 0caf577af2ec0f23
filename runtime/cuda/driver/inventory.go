package driver

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// find sets device to the driver's handle of a GPU.
func (d *driver) find(ordinal int, device *int32) error {
	var count int32
	if err := d.check("cuDeviceGetCount", d.deviceCount(&count)); err != nil {
		return err
	}
	switch {
	case count == 0:
		return errNoDevice
	case ordinal < 0 || ordinal >= int(count):
		return fmt.Errorf("%w: %d of %d that the driver lists", cuda.ErrNoDevice, ordinal, count)
	}
	return d.check("cuDeviceGet", d.deviceGet(device, int32(ordinal)))
}

// describe asks for what cuda.Info says, the bandwidth excepted, and for how
// many threads a multiprocessor holds.
func (d *driver) describe(device int32) (cuda.Info, int, error) {
	var name [256]byte
	if err := d.check("cuDeviceGetName", d.deviceName(&name[0], int32(len(name)), device)); err != nil {
		return cuda.Info{}, 0, err
	}
	var memory uint64
	if err := d.check("cuDeviceTotalMem", d.deviceMemory(&memory, device)); err != nil {
		return cuda.Info{}, 0, err
	}
	var version int32 // 1000 times the major version, and 10 times the minor one
	if err := d.check("cuDriverGetVersion", d.version(&version)); err != nil {
		return cuda.Info{}, 0, err
	}
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
		if err := d.check("cuDeviceGetAttribute", d.deviceAttribute(a.value, a.which, device)); err != nil {
			return cuda.Info{}, 0, err
		}
	}
	return cuda.Info{
		Name: text(name[:]), Arch: fmt.Sprintf("sm_%d%d", major, minor), SMs: int(sms), Driver: fmt.Sprintf("%d.%d", version/1000, version%1000/10),
		SharedMemory: int(shared), TotalMemory: int64(memory), Cache: int64(cache),
	}, int(threads), nil
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
