//go:build !linux

package driver

import "errors"

// mapHuge says that the system is not known to have huge pages.
func mapHuge(int64) ([]byte, hostMapping, error) { return nil, nil, errors.ErrUnsupported }

// unmapHuge has nothing to unmap.
func unmapHuge(hostMapping) {}
