package main

// fusionBench measures the patterns of the Kernel Weaver paper's figure 14, woven
// beside unwoven.
type fusionBench struct {
	Device   string       `json:"device"`
	Threads  int          `json:"threads"`
	Runs     int          `json:"runs"`
	Results  []fusionRow  `json:"results"`
	Kernels  []fusionCost `json:"kernels,omitempty"`
	Speedups []fusionMean `json:"speedups"`
}

// fusionRow is one pattern over one size of data.
type fusionRow struct {
	Pattern     string     `json:"pattern"`
	Bytes       int64      `json:"input_bytes"`
	Selectivity int        `json:"selectivity_percent,omitempty"`
	Rows        int64      `json:"rows"`
	Woven       fusionTime `json:"woven"`
	Unwoven     fusionTime `json:"unwoven"`
	Speedup     float64    `json:"speedup"`
	FellBack    string     `json:"fell_back,omitempty"` // what did not run on the device, and why
}

// fusionTime is what a pattern took one of the two ways.
type fusionTime struct {
	Query   float64 `json:"query_ms"`
	Kernels float64 `json:"kernels_ms,omitempty"` // of a CUDA device, the sum over all launches
	Written int64   `json:"bytes_materialized"`   // intermediates, hash tables and the result
	// Peak is the most of a CUDA device's memory that was held at one time, the input
	// included.
	Peak int64 `json:"device_peak_bytes,omitempty"`
}

// of is the time that speed-ups are about: that of the kernels where there is a
// device, as in the paper, and of the query otherwise.
func (t *fusionTime) of() float64 {
	if t.Kernels > 0 {
		return t.Kernels
	}
	return t.Query
}

// fusionCost is what a kernel of a pattern takes of a multiprocessor.
type fusionCost struct {
	Pattern string `json:"pattern"`
	Woven   bool   `json:"woven"`
	launchCost
}

// fusionMean is the geometric mean of a pattern's speed-ups.
type fusionMean struct {
	Pattern string  `json:"pattern"`
	Speedup float64 `json:"speedup"`
	Written float64 `json:"bytes_unwoven_over_woven"`
	Peak    float64 `json:"device_peak_unwoven_over_woven,omitempty"`
}
