package main

import "fmt"

// byteUnits are the units of formatBytes, smallest first.
var byteUnits = []string{"B", "kB", "MB", "GB", "TB"}

// formatBytes writes an amount of memory for people.
func formatBytes(n int64) string {
	v, unit := float64(n), 0
	for v >= 1024 && unit < len(byteUnits)-1 {
		v /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", v, byteUnits[unit])
}
