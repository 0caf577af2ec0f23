// Package machine holds the figures that decisions rest on: what an operation costs
// and how fast memory is. Nothing else of the engine holds a number that was measured
// on some machine. Each figure names its unit, where it was measured and how.
package machine

// Machine is a host with the device that it may have.
type Machine struct {
	Host     Host
	Device   Device
	Planning Planning
}

// Host is what an operation costs one core, in nanoseconds a row.
type Host struct {
	Row          float64 // of a kernel's source
	Instruction  float64 // of a kernel, for each that the row passes
	Probe        float64 // of a hash table, beside its instruction
	Run          float64 // of a run of rows that are a group
	Missed       float64 // of a row whose group is not in the cache, beside the look-up
	Partitioned  float64 // that is divided by its keys before it is grouped
	Compared     float64 // that is sorted, for each doubling of the rows
	Materialized float64 // a byte that one kernel writes and another reads
	Decoded      float64 // a value of a column of a file that is made of the file's bytes
	Encoded      float64 // a value of a column that is encoded for a device and put into memory from which it is sent
	Cuboid       float64 // for each set of keys with more cells than the cache holds, to make its table
	Outgrown     float64 // for each set of keys with more groups than one table is made for, to go on with partitions
	Tables
	Join   Join
	Refine Refine
	Caches Caches
}

// Tables is what tables by keys cost, in nanoseconds.
type Tables struct {
	DenseGroup float64 // a row that is looked up in an array by its key
	DenseCell  float64 // a cell of such an array, to clear it and keep it in the cache
	Hashed     float64 // a row that is looked up in a hash table, or put into it
	HashStart  float64 // a hash table, to make it
}

// Refine is what finding groups by refinement costs, in nanoseconds.
type Refine struct {
	Start     float64 // of a device, for all refinements together
	Step      float64 // for each refinement of all groups by one key
	Coded     float64 // a key of a row, to find its code and to keep it
	Counted   float64 // a row of a partition that is refined by a key
	Moved     float64 // such a row, where finer groups follow
	Partition float64 // that is found
	Added     float64 // a row, to one accumulator of its group in one set
	Group     float64 // of a result
}

// Join is what a join costs, in nanoseconds a row, as far as the choice between a hash
// table and a merge takes it.
type Join struct {
	Scanned float64 // of the table that a hash table is made of
	Built   float64 // that is put into it
	Probed  float64 // that is looked up in it
	Sought  float64 // whose key is sought in a table in order
	Paired  float64 // of that table which has the key
	Visited float64 // key of that table that is passed on the way to the next one sought
}

// Device is what an operation costs a device.
type Device struct {
	Open      float64 // nanoseconds to open it
	Compile   float64 // nanoseconds to compile a kernel whose machine code is not kept
	Step      float64 // nanoseconds for the launches, fills and waits of a step
	Launch    float64 // nanoseconds for one launch among others
	Sharing   float64 // nanoseconds that a kernel takes longer when several devices share its rows
	Bandwidth float64 // of its memory, bytes a second
	Reached   float64 // share of the bandwidth that a kernel reaches
	Link      float64 // bytes a second from and to the host
	Peer      float64 // bytes a second from another device
	Join      Join    // as Host's, in nanoseconds of a core
	Tables    Tables  // of groups; likewise
	Groups    Groups
	Expand    Expand
	Filters   Filters
	Refine    Refine
	Rollup    Rollup
	Registers Registers
}

// Rollup is what making coarser groups of finer ones costs a device, in nanoseconds.
type Rollup struct {
	Step     float64 // for each set of keys, the host's part included
	Row      float64 // or finer group, that is grouped
	Filter   float64 // for each set of keys whose groups conditions are tried for
	Filtered float64 // group that a condition is tried for
}

// Bytes returns the nanoseconds in which a kernel reads n bytes of the device's memory.
func (d *Device) Bytes(n float64) float64 { return n * 1e9 / (d.Bandwidth * d.Reached) }

// Waits returns the nanoseconds that warps wait for so many things that they load behind a probe, one after
// the other, however few of their rows are left.
func (d *Device) Waits(rows, loads float64) float64 { return d.Bytes(rows * loads * d.Filters.Idle) }

// Packing returns the nanoseconds that it takes to pack those of the rows that are left.
func (d *Device) Packing(rows, left float64) float64 {
	return d.Filters.Start + d.Bytes(left*d.Filters.Packed+rows*d.Filters.Vote)
}

// Measured returns the device with its own bandwidth and link, in bytes a second, as
// far as they were measured; 0 keeps what is there.
func (d Device) Measured(bandwidth, link float64) Device {
	if bandwidth > 0 {
		d.Bandwidth = bandwidth
	}
	if link > 0 {
		d.Link = link
	}
	return d
}

// defaultRefine are figures of one core of a server of 2026, from processor times of cubes of
// three to six dimensions (docs/measurements/2026-11-23-cubing.md).
var defaultRefine = Refine{Step: 1e3, Coded: 3, Counted: 2, Moved: 2.5, Partition: 18, Added: 4, Group: 100}

// deviceRefine and defaultRollup are of one NVIDIA H200, the host's part included: they fit what
// queries take less the copy of their answers, of 30 cubes and icebergs of a million rows
// (docs/measurements/2026-11-23-cubing.md).
var (
	deviceRefine  = Refine{Start: 800e3, Step: 110e3, Coded: 0.01, Counted: 0.01, Moved: 0.01, Partition: 0.03, Added: 0.01, Group: 0.2}
	defaultRollup = Rollup{Step: 140e3, Row: 0.1, Filter: 50e3, Filtered: 0.02}
)

// Default returns the figures that hold where Calibrate has read no others. Those of the
// host are of one core of a server of 2026, from SSB, TPC-H and `bench groupby`
// (docs/measurements/2026-11-21-tpch.md); `bench machine` measured most of them anew
// (docs/measurements/2026-11-22-machine.md), Missed and Partitioned are from
// BenchmarkSumDense and BenchmarkSumScattered of runtime/cpu. Those of the device are of one NVIDIA H200
// (docs/measurements/2026-11-21-h200.md); Compile is of the first queries there, whose kernels are compiled at the
// same time.
func Default() Machine {
	join := Join{Scanned: 0.5, Built: 5, Probed: 2, Sought: 6, Paired: 2, Visited: 0.5}
	onDevice := join
	onDevice.Paired = 8 // the block goes over its rows once for each match
	tables := Tables{DenseGroup: 1, DenseCell: 1, Hashed: 5, HashStart: 1 << 16}
	return Machine{
		Planning: defaultPlanning,
		Host: Host{
			Row: 1, Instruction: 0.3, Probe: 1, Run: 1, Missed: 16, Partitioned: 6.5, Compared: 3, Materialized: 1,
			Decoded: 14, Encoded: 1, Cuboid: 1e6, Outgrown: 5e6, Tables: tables, Join: join, Refine: defaultRefine, Caches: defaultCaches,
		},
		Device: Device{Open: 400e6, Compile: 300e6, Step: 60e3, Launch: 3.7e3, Sharing: 1.2e6, Bandwidth: 3e12, Reached: 0.6, Link: 40e9, Peer: 350e9, Join: onDevice, Tables: tables, Groups: defaultGroups, Expand: defaultExpand, Filters: defaultFilters, Refine: deviceRefine, Rollup: defaultRollup, Registers: defaultRegisters},
	}
}
