package driver

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// quicken has the functions that are called for every kernel called by their
// addresses: those that bind makes go through reflection, which takes several times
// as long as most of these calls do. lib is what they are bound to.
func (d *driverFunctions) quicken(lib library) error {
	addresses := make(map[string]uintptr)
	for _, name := range []string{
		"cuCtxSetCurrent", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemsetD8Async",
		"cuEventRecord", "cuEventSynchronize", "cuLaunchKernel",
	} {
		var err error
		if addresses[name], err = lib.address(name); err != nil {
			return err
		}
	}
	d.contextSet = quickHandle[contextHandle](addresses["cuCtxSetCurrent"])
	d.copyToDevice = quickCopyToDevice(addresses["cuMemcpyHtoDAsync_v2"])
	d.copyToHost = quickCopyToHost(addresses["cuMemcpyDtoHAsync_v2"])
	d.fill = quickFill(addresses["cuMemsetD8Async"])
	d.eventRecord = quickRecord(addresses["cuEventRecord"])
	d.eventSynchronize = quickHandle[eventHandle](addresses["cuEventSynchronize"])
	d.launch = quickLaunch(addresses["cuLaunchKernel"])
	return nil
}

func quickHandle[H ~uintptr](address uintptr) func(H) result {
	return func(h H) result {
		r, _, _ := purego.SyscallN(address, uintptr(h))
		return result(r)
	}
}

func quickCopyToDevice(address uintptr) func(cuda.Ptr, unsafe.Pointer, uint64, streamHandle) result {
	return func(dst cuda.Ptr, src unsafe.Pointer, bytes uint64, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(stream))
		return result(r)
	}
}

func quickCopyToHost(address uintptr) func(unsafe.Pointer, cuda.Ptr, uint64, streamHandle) result {
	return func(dst unsafe.Pointer, src cuda.Ptr, bytes uint64, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(stream))
		return result(r)
	}
}

func quickFill(address uintptr) func(cuda.Ptr, byte, uint64, streamHandle) result {
	return func(dst cuda.Ptr, b byte, bytes uint64, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(dst), uintptr(b), uintptr(bytes), uintptr(stream))
		return result(r)
	}
}

func quickRecord(address uintptr) func(eventHandle, streamHandle) result {
	return func(event eventHandle, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(event), uintptr(stream))
		return result(r)
	}
}

func quickLaunch(address uintptr) func(f functionHandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream streamHandle, params, extra unsafe.Pointer) result {
	return func(f functionHandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream streamHandle, params, extra unsafe.Pointer) result {
		r, _, _ := purego.SyscallN(address, uintptr(f), uintptr(gridX), uintptr(gridY), uintptr(gridZ),
			uintptr(blockX), uintptr(blockY), uintptr(blockZ), uintptr(shared), uintptr(stream), uintptr(params), uintptr(extra))
		return result(r)
	}
}
