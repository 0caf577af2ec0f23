package machine

// Card is what a model of a device's times needs beside the figures of its operations.
type Card struct {
	SMs     int   // multiprocessors
	Threads int   // that one of them has at the same time, at most
	Blocks  int   // likewise
	Shared  int64 // bytes of shared memory of one of them
	Busy    int   // threads of one of them with which it reads at about two thirds of its speed
	// Steady is the standard deviation of the times of blocks as a share of their mean, Unsteady the share
	// of the configurations whose first block takes longer, and Slow by what share on average.
	Steady, Unsteady, Slow float64
}

// StandIn is a made-up card: the limits of compute capability 9.0, and the variation that
// Rosenfeld 2019, section 3.6, found on GPUs of NVIDIA.
var StandIn = Card{SMs: 132, Threads: 2048, Blocks: 32, Shared: 228 << 10, Busy: 512, Steady: 0.005, Unsteady: 0.37, Slow: 0.1}
