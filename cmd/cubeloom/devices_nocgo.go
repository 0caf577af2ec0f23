//go:build !cgo

package main

// listGPUs lists none: NVML is called by cgo.
func listGPUs() (gpus, links []string, reason string) {
	return nil, nil, "this program was built without cgo, by which it asks NVIDIA's management library"
}
