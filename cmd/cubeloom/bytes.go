package main

import (
	"fmt"
	"strconv"
	"strings"
)

// byteUnits are the units of parseBytes and formatBytes, smallest first.
var byteUnits = []string{"B", "kB", "MB", "GB", "TB"}

// parseBytes reads an amount of memory such as 512MB; units are powers of 1024
// and "" is 0.
func parseBytes(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	digits := strings.TrimRight(text, "bBkKmMgGtTiI ")
	unit := strings.ToUpper(strings.TrimSpace(text[len(digits):]))
	unit = strings.Replace(unit, "I", "", 1)
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("not an amount of memory: %q (write 512MB or 4GB)", text)
	}
	factor := 1.0
	for _, u := range byteUnits {
		u = strings.ToUpper(u)
		if unit == u || unit == strings.TrimSuffix(u, "B") {
			return int64(n * factor), nil
		}
		factor *= 1024
	}
	return 0, fmt.Errorf("unknown unit %q in %q (use kB, MB, GB or TB)", unit, text)
}

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
