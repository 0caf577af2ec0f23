//go:build !cgo

package main

// listGPUs lists none: NVML is called by cgo.
func listGPUs() (gpus []string, reason string) {
	return nil, "this program was built without cgo, by which it asks NVIDIA's management library"
}
