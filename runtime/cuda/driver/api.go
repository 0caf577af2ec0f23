package driver

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// result is a CUresult; 0 is success.
type result int32

// Handles of the driver.
type (
	contextHandle  uintptr
	streamHandle   uintptr
	eventHandle    uintptr
	moduleHandle   uintptr
	functionHandle uintptr
	linkHandle     uintptr
)

// driverFunctions are the functions of CUDA's driver.
type driverFunctions struct {
	init              func(flags uint32) result                                                                                                                           `call:"cuInit"`
	version           func(version *int32) result                                                                                                                         `call:"cuDriverGetVersion"`
	deviceCount       func(count *int32) result                                                                                                                           `call:"cuDeviceGetCount"`
	deviceGet         func(device *int32, ordinal int32) result                                                                                                           `call:"cuDeviceGet"`
	deviceName        func(name *byte, length, device int32) result                                                                                                       `call:"cuDeviceGetName"`
	deviceMemory      func(bytes *uint64, device int32) result                                                                                                            `call:"cuDeviceTotalMem_v2"`
	deviceAttribute   func(value *int32, attribute, device int32) result                                                                                                  `call:"cuDeviceGetAttribute"`
	contextRetain     func(context *contextHandle, device int32) result                                                                                                   `call:"cuDevicePrimaryCtxRetain"`
	contextRelease    func(device int32) result                                                                                                                           `call:"cuDevicePrimaryCtxRelease_v2"`
	contextCreate     func(context *contextHandle, flags uint32, device int32) result                                                                                     `call:"cuCtxCreate_v2"`
	contextDestroy    func(context contextHandle) result                                                                                                                  `call:"cuCtxDestroy_v2"`
	contextSet        func(context contextHandle) result                                                                                                                  `call:"cuCtxSetCurrent"`
	contextLimit      func(limit int32, value uint64) result                                                                                                              `call:"cuCtxSetLimit"`
	alloc             func(p *cuda.Ptr, bytes uint64) result                                                                                                              `call:"cuMemAlloc_v2"`
	free              func(p cuda.Ptr) result                                                                                                                             `call:"cuMemFree_v2"`
	hostAlloc         func(p *unsafe.Pointer, bytes uint64, flags uint32) result                                                                                          `call:"cuMemHostAlloc"`
	hostFree          func(p unsafe.Pointer) result                                                                                                                       `call:"cuMemFreeHost"`
	hostRegister      func(p unsafe.Pointer, bytes uint64, flags uint32) result                                                                                           `call:"cuMemHostRegister_v2"`
	hostUnregister    func(p unsafe.Pointer) result                                                                                                                       `call:"cuMemHostUnregister"`
	copyToDevice      func(dst cuda.Ptr, src unsafe.Pointer, bytes uint64, stream streamHandle) result                                                                    `call:"cuMemcpyHtoDAsync_v2"`
	peerAccess        func(can *int32, device, peer int32) result                                                                                                         `call:"cuDeviceCanAccessPeer"`
	enablePeer        func(peer contextHandle, flags uint32) result                                                                                                       `call:"cuCtxEnablePeerAccess"`
	copyFromPeer      func(dst cuda.Ptr, to contextHandle, src cuda.Ptr, from contextHandle, bytes uint64, stream streamHandle) result                                    `call:"cuMemcpyPeerAsync"`
	copyToHost        func(dst unsafe.Pointer, src cuda.Ptr, bytes uint64, stream streamHandle) result                                                                    `call:"cuMemcpyDtoHAsync_v2"`
	fill              func(dst cuda.Ptr, b byte, bytes uint64, stream streamHandle) result                                                                                `call:"cuMemsetD8Async"`
	streamCreate      func(stream *streamHandle, flags uint32) result                                                                                                     `call:"cuStreamCreate"`
	streamDestroy     func(stream streamHandle) result                                                                                                                    `call:"cuStreamDestroy_v2"`
	streamSynchronize func(stream streamHandle) result                                                                                                                    `call:"cuStreamSynchronize"`
	streamWait        func(stream streamHandle, event eventHandle, flags uint32) result                                                                                   `call:"cuStreamWaitEvent"`
	streamWaitValue   func(stream streamHandle, p unsafe.Pointer, value, flags uint32) result                                                                             `call:"cuStreamWaitValue32_v2"`
	eventCreate       func(event *eventHandle, flags uint32) result                                                                                                       `call:"cuEventCreate"`
	eventDestroy      func(event eventHandle) result                                                                                                                      `call:"cuEventDestroy_v2"`
	eventRecord       func(event eventHandle, stream streamHandle) result                                                                                                 `call:"cuEventRecord"`
	eventSynchronize  func(event eventHandle) result                                                                                                                      `call:"cuEventSynchronize"`
	eventElapsed      func(milliseconds *float32, start, end eventHandle) result                                                                                          `call:"cuEventElapsedTime"`
	moduleLoad        func(module *moduleHandle, image *byte) result                                                                                                      `call:"cuModuleLoadData"`
	moduleUnload      func(module moduleHandle) result                                                                                                                    `call:"cuModuleUnload"`
	moduleFunction    func(function *functionHandle, module moduleHandle, name string) result                                                                             `call:"cuModuleGetFunction"`
	functionAttribute func(value *int32, attribute int32, function functionHandle) result                                                                                 `call:"cuFuncGetAttribute"`
	setFunction       func(function functionHandle, attribute, value int32) result                                                                                        `call:"cuFuncSetAttribute"`
	occupancy         func(blocks *int32, function functionHandle, threads int32, shared uint64) result                                                                   `call:"cuOccupancyMaxActiveBlocksPerMultiprocessor"`
	launch            func(function functionHandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream streamHandle, params, extra unsafe.Pointer) result `call:"cuLaunchKernel"`
	errorName         func(r result, name **byte) result                                                                                                                  `call:"cuGetErrorName"`
	errorString       func(r result, text **byte) result                                                                                                                  `call:"cuGetErrorString"`
}

// linkerFunctions are the functions of the driver's linker.
type linkerFunctions struct {
	create   func(options uint32, names *int32, values *uintptr, state *linkHandle) result                                                  `call:"cuLinkCreate_v2"`
	addData  func(state linkHandle, kind int32, data *byte, size uint64, name string, options uint32, names *int32, values *uintptr) result `call:"cuLinkAddData_v2"`
	addFile  func(state linkHandle, kind int32, path string, options uint32, names *int32, values *uintptr) result                          `call:"cuLinkAddFile_v2"`
	complete func(state linkHandle, code **byte, size *uint64) result                                                                       `call:"cuLinkComplete"`
	destroy  func(state linkHandle) result                                                                                                  `call:"cuLinkDestroy"`
}

// Numbers of the driver's interface.
const (
	waitAtLeast                         = 0
	attributeMultiprocessors            = 16
	attributeCacheBytes                 = 38
	attributeThreadsPerProcessor        = 39
	attributeCapabilityMajor            = 75
	attributeCapabilityMinor            = 76
	attributeSharedPerBlock             = 97
	functionSharedBytes                 = 1
	functionLocalBytes                  = 3
	functionRegisters                   = 4
	functionMaxDynamicShared            = 8
	streamNonBlocking                   = 1
	limitPendingLaunches                = 4
	linkCubin                           = 0
	linkLibrary                         = 4
	linkErrorBuffer                     = 5
	linkErrorBufferSize                 = 6
	resultOutOfMemory            result = 2
	resultPeerEnabled            result = 704
)

// sticky lists the results after which a context can do nothing more.
var sticky = []result{214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999}

// Error is a call of the driver that failed.
type Error struct {
	Call string // the driver's function
	Code int
	Name string // CUDA_ERROR_…
	Text string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d): %s", e.Call, e.Name, e.Code, e.Text)
}

// Unwrap returns what kind of failure it is.
func (e *Error) Unwrap() error {
	switch {
	case result(e.Code) == resultOutOfMemory:
		return cuda.ErrOutOfMemory
	case slices.Contains(sticky, result(e.Code)):
		return cuda.ErrLost
	}
	return cuda.ErrFailed
}

// driver is the opened driver.
type driver struct {
	driverFunctions
	linker linkerFunctions
}

// check panics with the error of a call.
func (d *driver) check(call string, r result) { sqlstate.Check(d.failure(call, r)) }

// failure makes an error of a result; nil of success.
func (d *driver) failure(call string, r result) error {
	if r == 0 {
		return nil
	}
	e := &Error{Call: call, Code: int(r), Name: "unknown error", Text: "the driver has no text for it"}
	e.Name = d.text(d.errorName, r, e.Name)
	e.Text = d.text(d.errorString, r, e.Text)
	return e
}

// text asks the driver for a text about a result.
func (d *driver) text(ask func(result, **byte) result, r result, otherwise string) string {
	var text *byte
	if ask(r, &text) != 0 || text == nil {
		return otherwise
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return unsafe.String(text, n)
}

// errNoDevice says that there is a driver and no GPU.
var errNoDevice = errors.New("the NVIDIA driver lists no device")
