package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// benchDevice is what a query took on a CUDA device beside what it took on the
// CPU.
type benchDevice struct {
	CPU      float64 `json:"cpu_woven_ms"`
	Kernels  float64 `json:"kernels_ms"` // woven, the sum over all launches
	Launches int     `json:"launches"`
	FellBack string  `json:"fell_back,omitempty"` // what did not run on the device, and why
}

// measureDevice checks the device's answer against the CPU's, times the CPU and
// asks for the time of the kernels alone.
func (b *benchmark) measureDevice(ctx context.Context, db *cubeloom.DB, q workload.Query, woven timing) (*benchDevice, error) {
	host, err := timeQuery(ctx, db, "on", "cpu", q.SQL, b.Runs)
	if err != nil {
		return nil, err
	}
	if err := sameRows(woven.res, host.res); err != nil {
		return nil, fmt.Errorf("the answers of the device and the CPU differ: %w", err)
	}
	d := &benchDevice{CPU: milliseconds(host.time)}
	for _, n := range woven.res.Notices {
		d.FellBack = n.Message
	}
	return d, d.kernels(ctx, db, q.SQL)
}

// kernels runs the query once more and adds up the times of its launches.
func (d *benchDevice) kernels(ctx context.Context, db *cubeloom.DB, text string) error {
	session := db.Session()
	if _, err := session.Query(ctx, "SET device = cuda"); err != nil {
		return err
	}
	res, err := session.Query(ctx, "EXPLAIN (ANALYZE, FORMAT json) "+text)
	if err != nil {
		return err
	}
	var lines strings.Builder
	cursor := res.Cursor()
	for cursor.Next() {
		lines.WriteString(cursor.Text(0) + "\n")
	}
	if err := cursor.Err(); err != nil {
		return err
	}
	var plan struct {
		Program struct {
			Groups []struct {
				Measured struct {
					Launches []struct {
						Nanoseconds time.Duration `json:"nanoseconds"`
					} `json:"launches"`
				} `json:"measured"`
			} `json:"groups"`
		} `json:"program"`
	}
	if err := json.Unmarshal([]byte(lines.String()), &plan); err != nil {
		return err
	}
	for _, g := range plan.Program.Groups {
		for _, l := range g.Measured.Launches {
			d.Kernels += milliseconds(l.Nanoseconds)
			d.Launches++
		}
	}
	return nil
}

// deviceHeader are the columns of a run on a device.
func deviceHeader(device string) string {
	if device != "cuda" {
		return ""
	}
	return "kernels ms\tlaunches\tcpu ms\tcpu/device\t"
}

// cells are the columns of a query beside its time on the device; nothing
// without a device.
func (d *benchDevice) cells(woven float64) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("%.3f\t%d\t%.2f\t%.2f\t", d.Kernels, d.Launches, d.CPU, d.CPU/woven)
}
