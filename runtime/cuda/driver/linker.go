package driver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"sync"
	"unsafe"
)

// deviceRuntimeName is the part of CUDA's runtime that runs on devices. Kernels that
// launch kernels are linked with it.
const deviceRuntimeName = "libcudadevrt.a"

// findDeviceRuntime finds libcudadevrt.a: in dir, in the folder of PathVariable, beside
// NVRTC, and where toolkits are installed. It is read when something is linked with it.
func findDeviceRuntime(dir, nvrtc string) (deviceRuntime, error) {
	dirs := []string{dir, os.Getenv(PathVariable)}
	if filepath.IsAbs(nvrtc) {
		dirs = append(dirs, filepath.Dir(nvrtc))
	}
	var tried []error
	for _, path := range filesIn(deviceRuntimeName, append(dirs, toolkits()...)...) {
		f, err := os.Open(path)
		if err == nil {
			return deviceRuntime{path, sync.OnceValues(func() (string, error) { return fileDigest(path) })}, f.Close()
		}
		tried = append(tried, err)
	}
	return deviceRuntime{}, errors.Join(append(tried, errors.New(deviceRuntimeName+" was not found beside NVRTC or in a CUDA toolkit"))...)
}

// fileDigest is the SHA-256 of what a file holds.
func fileDigest(path string) (string, error) {
	content, err := os.ReadFile(path)
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:]), err
}

// machineCode returns what can be loaded of a source: linked where its kernels launch
// kernels. Linked code is kept on disk too.
func (d *Device) machineCode(ctx context.Context, name, source string) ([]byte, error) {
	if !launches(source) {
		return d.compiler.Compile(ctx, name, source, d.info.Arch)
	}
	if d.info.NoLaunches != "" {
		return nil, fmt.Errorf("kernels of %s launch kernels: %s", name, d.info.NoLaunches)
	}
	digest, err := d.runtime.digest()
	if err != nil {
		return nil, err
	}
	key := d.compiler.key(source, d.info.Arch, digest)
	if linked := d.compiler.cache.get(key); linked != nil {
		return linked, nil
	}
	object, err := d.compiler.Compile(ctx, name, source, d.info.Arch)
	if err != nil {
		return nil, err
	}
	var linked []byte
	if err := d.with(func() { linked = d.linkObject(name, object) }); err != nil {
		return nil, err
	}
	d.compiler.cache.put(key, linked)
	return linked, nil
}

// Keeps implements cuda.Keeper.
func (d *Device) Keeps(source string) bool {
	d.mu.Lock()
	loaded := d.code[source] != nil
	d.mu.Unlock()
	if loaded {
		return true
	}
	if !launches(source) {
		return d.compiler.Keeps(source, d.info.Arch)
	}
	digest, err := d.runtime.digest()
	return err == nil && d.compiler.cache.has(d.compiler.key(source, d.info.Arch, digest))
}

// linkObject links relocatable machine code with the device's part of CUDA's runtime. An
// error carries the linker's log.
func (d *Device) linkObject(name string, object []byte) []byte {
	log := make([]byte, 8<<10)
	options := []int32{linkErrorBuffer, linkErrorBufferSize}
	values := []uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
	var pinned goruntime.Pinner // the linker keeps the addresses until it is destroyed
	defer pinned.Unpin()
	for _, p := range []any{&log[0], &options[0], &values[0], &object[0]} {
		pinned.Pin(p)
	}
	linker, state := &d.driver.linker, linkHandle(0)
	check := func(call string, r result) {
		if err := d.failure(fmt.Sprintf("%s for %s", call, name), r); err != nil {
			panic(fmt.Errorf("%w\n%s", err, text(log)))
		}
	}
	check("cuLinkCreate", linker.create(uint32(len(options)), &options[0], &values[0], &state))
	defer linker.destroy(state)
	check("cuLinkAddData", linker.addData(state, linkCubin, &object[0], uint64(len(object)), name, 0, nil, nil))
	check("cuLinkAddFile of "+d.runtime.path, linker.addFile(state, linkLibrary, d.runtime.path, 0, nil, nil))
	var linked *byte
	var size uint64
	check("cuLinkComplete", linker.complete(state, &linked, &size))
	return slices.Clone(unsafe.Slice(linked, size)) // it is the linker's own
}

// find asks the driver for a kernel of the module.
func (c *code) find(handle *functionHandle, name string) {
	r := c.device.driver.moduleFunction(handle, c.module, name)
	c.device.checkf(r, "cuModuleGetFunction for %s of %s", name, c.name)
}

// findChildren finds the kernels of the module that others launch.
func (c *code) findChildren() {
	for _, name := range launchedBy(c.source) {
		var handle functionHandle
		c.find(&handle, name)
		c.children = append(c.children, handle)
	}
}

// sizePool sets how many launches by kernels may be pending; 0: as many as the driver
// has room for unless told.
func (d *Device) sizePool(launches int) {
	if launches != 0 {
		d.check("cuCtxSetLimit", d.driver.contextLimit(limitPendingLaunches, uint64(launches)))
	}
}
