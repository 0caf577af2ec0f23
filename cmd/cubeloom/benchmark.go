package main

import "github.com/cubeloom/cubeloom/cmd/cubeloom/workload"

// benchmark is one run of a family of queries.
type benchmark struct {
	Family  string       `json:"family"`
	Data    string       `json:"data"`
	Threads int          `json:"threads"`
	Runs    int          `json:"runs"`
	Device  string       `json:"device"`
	Queries []benchQuery `json:"queries"`
	Cliffs  []string     `json:"cliffs,omitempty"` // of a series
	Cuboids []cuboidTime `json:"cuboids,omitempty"`

	plain  bool     // plain kernels are timed beside
	beside []string // settings under which kernels of a device are timed beside
}

// benchQuery is what one query took, woven and unwoven.
type benchQuery struct {
	Name         string  `json:"name"`
	Rows         int64   `json:"rows"`
	Woven        float64 `json:"woven_ms"`
	Unwoven      float64 `json:"unwoven_ms"`
	Ratio        float64 `json:"unwoven_over_woven"`
	WovenBytes   int64   `json:"woven_bytes_materialized"`
	UnwovenBytes int64   `json:"unwoven_bytes_materialized"`
	// Of a series of group-bys: input rows a second, in millions, woven.
	Rate float64 `json:"million_rows_per_second,omitempty"`
	// Of a run on a CUDA device.
	Device *benchDevice `json:"on_device,omitempty"`
}

// cuboidTime is what a cube takes beside its finest cuboid alone, in milliseconds.
type cuboidTime struct {
	Cube          string  `json:"cube"`
	Query         float64 `json:"query_ms"`
	Finest        float64 `json:"finest_query_ms"`
	Kernels       float64 `json:"kernels_ms,omitempty"` // of a CUDA device
	FinestKernels float64 `json:"finest_kernels_ms,omitempty"`
}

// benchDevice is what a query took on a CUDA device beside what it took on the
// CPU.
type benchDevice struct {
	CPU      float64      `json:"cpu_woven_ms"`
	Kernels  float64      `json:"kernels_ms"` // woven, the sum over all launches
	Unwoven  float64      `json:"unwoven_kernels_ms"`
	Launches int          `json:"launches"`
	Entries  []launchCost `json:"entries"` // of each launch, woven, in order
	// Bound is the time that reading the groups' inputs once takes at the device's
	// bandwidth, at the width at which they are stored there; 0: unknown.
	Bound    float64 `json:"bound_ms,omitempty"`
	Read     int64   `json:"bytes_read"`
	FellBack string  `json:"fell_back,omitempty"` // what did not run on the device, or was streamed
	// Of tables that were streamed through the device's memory.
	StreamedBytes int64   `json:"streamed_bytes,omitempty"`
	StreamedTime  float64 `json:"streamed_ms,omitempty"`
	LinkTime      float64 `json:"link_busy_ms,omitempty"`
	// Plain is what the fastest plain kernel took over the same rows, which can do nothing else.
	Plain       float64 `json:"plain_ms,omitempty"`
	PlainKernel string  `json:"plain_kernel,omitempty"`

	Beside []besideTime `json:"beside,omitempty"`

	groups int64 // of the answer
}

// besideTime is what a query and its kernels took under other settings.
type besideTime struct {
	Settings string       `json:"settings"`
	Query    float64      `json:"query_ms"`
	Kernels  float64      `json:"kernels_ms"`
	Entries  []launchCost `json:"entries"`
	Refused  string       `json:"refused,omitempty"`
}

// load is the data that a family runs over, and its questions.
type load struct {
	set     workload.Set
	queries []workload.Query
	seed    uint64
}
