package driver

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// callDirectly has the functions that are called for every kernel called by their
// addresses: those that bind makes go through reflection, which takes several times
// as long as most of these calls do. lib is what they are bound to.
func (d *driverFunctions) callDirectly(lib library) {
	d.contextSet = directHandle[contextHandle](lib.address("cuCtxSetCurrent"))
	d.copyToDevice = directCopyToDevice(lib.address("cuMemcpyHtoDAsync_v2"))
	d.copyToHost = directCopyToHost(lib.address("cuMemcpyDtoHAsync_v2"))
	d.fill = directFill(lib.address("cuMemsetD8Async"))
	d.eventRecord = directRecord(lib.address("cuEventRecord"))
	d.eventSynchronize = directHandle[eventHandle](lib.address("cuEventSynchronize"))
	d.launch = directLaunch(lib.address("cuLaunchKernel"))
}

func directHandle[H ~uintptr](address uintptr) func(H) result {
	return func(h H) result {
		r, _, _ := purego.SyscallN(address, uintptr(h))
		return result(r)
	}
}

func directCopyToDevice(address uintptr) func(cuda.Ptr, unsafe.Pointer, uint64, streamHandle) result {
	return func(dst cuda.Ptr, src unsafe.Pointer, bytes uint64, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(stream))
		return result(r)
	}
}

func directCopyToHost(address uintptr) func(unsafe.Pointer, cuda.Ptr, uint64, streamHandle) result {
	return func(dst unsafe.Pointer, src cuda.Ptr, bytes uint64, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(dst), uintptr(src), uintptr(bytes), uintptr(stream))
		return result(r)
	}
}

func directFill(address uintptr) func(cuda.Ptr, byte, uint64, streamHandle) result {
	return func(dst cuda.Ptr, b byte, bytes uint64, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(dst), uintptr(b), uintptr(bytes), uintptr(stream))
		return result(r)
	}
}

func directRecord(address uintptr) func(eventHandle, streamHandle) result {
	return func(event eventHandle, stream streamHandle) result {
		r, _, _ := purego.SyscallN(address, uintptr(event), uintptr(stream))
		return result(r)
	}
}

func directLaunch(address uintptr) func(f functionHandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream streamHandle, params, extra unsafe.Pointer) result {
	return func(f functionHandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream streamHandle, params, extra unsafe.Pointer) result {
		r, _, _ := purego.SyscallN(address, uintptr(f), uintptr(gridX), uintptr(gridY), uintptr(gridZ),
			uintptr(blockX), uintptr(blockY), uintptr(blockZ), uintptr(shared), uintptr(stream), uintptr(params), uintptr(extra))
		return result(r)
	}
}
