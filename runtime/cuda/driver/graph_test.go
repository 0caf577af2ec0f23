//go:build device

package driver

import (
	"context"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// graphFunctions are the functions of CUDA graphs.
type graphFunctions struct {
	begin       func(stream streamHandle, mode int32) result              `call:"cuStreamBeginCapture_v2"`
	end         func(stream streamHandle, graph *uintptr) result          `call:"cuStreamEndCapture"`
	instantiate func(exec *uintptr, graph uintptr, flags uint64) result   `call:"cuGraphInstantiateWithFlags"`
	nodes       func(graph uintptr, nodes *uintptr, count *uint64) result `call:"cuGraphGetNodes"`
	kind        func(node uintptr, kind *int32) result                    `call:"cuGraphNodeGetType"`
}

// kernelNode is CUDA_KERNEL_NODE_PARAMS_v2.
type kernelNode struct {
	function      functionHandle
	dims          [7]uint32 // of the grid, of a block, and the shared memory
	_             uint32
	params, extra unsafe.Pointer
	kernel        uintptr
	context       contextHandle
}

// A segment is what a query has the device do between two reads of the status.
type segment struct{ fills, launches int }

// starJoin is what SSB Q2.1 does when it is repeated, as a device that does nothing
// counts it: five launches, nine fills and five reads.
var starJoin = []segment{{2, 1}, {2, 1}, {2, 1}, {2, 1}, {1, 1}}

// stepSource is a kernel with the parameter of a middling one.
const stepSource = `struct Params { unsigned long long words[40]; };
extern "C" __global__ void step(Params p) { if (p.words[0] && threadIdx.x == 0) atomicAdd((unsigned long long*)p.words[0], p.words[1]); }
`

// replay is a device with what the steps of a query use.
type replay struct {
	*testing.B
	graphFunctions
	device *Device
	stream *stream
	step   cuda.Kernel
	memory cuda.Ptr
	host   []byte // page-locked
	params [40]uint64
	args   arguments
}

func (r *replay) must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			r.Fatal(err)
		}
	}
}

func (r *replay) call(name string, code result) { r.must(r.device.failure(name, code)) }

func (r *replay) start(s segment) {
	for range s.fills {
		r.must(r.stream.Fill(r.memory, 0, 4096, nil))
	}
	for range s.launches {
		r.must(r.stream.Launch(cuda.Launch{Kernel: r.step, Grid: 132, Threads: 256, Params: r.params[:]}))
	}
}

func (r *replay) read() {
	r.call("cuMemcpyDtoHAsync", r.device.driver.copyToHost(unsafe.Pointer(&r.host[0]), r.memory, 88, r.stream.handle))
}

// graph is a recorded segment.
type graph struct {
	exec    uintptr
	kernels []uintptr
}

// record records what is started.
func (r *replay) record(start func()) graph {
	var g graph
	var handle uintptr
	r.call("cuStreamBeginCapture", r.begin(r.stream.handle, 2))
	start()
	r.call("cuStreamEndCapture", r.end(r.stream.handle, &handle))
	r.call("cuGraphInstantiate", r.instantiate(&g.exec, handle, 0))
	var n uint64
	r.call("cuGraphGetNodes", r.nodes(handle, nil, &n))
	nodes := make([]uintptr, n)
	r.call("cuGraphGetNodes", r.nodes(handle, &nodes[0], &n))
	for _, node := range nodes {
		var kind int32
		if r.call("cuGraphNodeGetType", r.kind(node, &kind)); kind == 0 {
			g.kernels = append(g.kernels, node)
		}
	}
	return g
}

// run launches a graph, with the parameters of its kernels set anew where that is asked
// for, and waits for it.
func (r *replay) run(launch, set uintptr, g graph, again bool) {
	for _, node := range g.kernels {
		if again {
			p := kernelNode{function: r.step.(*function).handle, dims: [7]uint32{132, 1, 1, 256, 1, 1, 0}, extra: r.args.set(r.params[:])}
			code, _, _ := purego.SyscallN(set, g.exec, node, uintptr(unsafe.Pointer(&p)))
			r.call("cuGraphExecKernelNodeSetParams", result(code))
		}
	}
	code, _, _ := purego.SyscallN(launch, g.exec, uintptr(r.stream.handle))
	r.call("cuGraphLaunch", result(code))
	r.call("cuStreamSynchronize", r.device.driver.streamSynchronize(r.stream.handle))
}

// BenchmarkGraphs measures on a GPU what recording the launches of a query as CUDA graphs
// saves: launched one by one; as a graph between two reads, with and without other
// parameters; and all at once with one read at the end, which no query can.
func BenchmarkGraphs(b *testing.B) {
	d, err := Open(Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := &replay{B: b, device: d}
	lib := openLibrary("libcuda.so", "", ".1")
	lib.bind(&r.graphFunctions)
	launch, set := lib.address("cuGraphLaunch"), lib.address("cuGraphExecKernelNodeSetParams_v2")
	r.stream, err = d.newStream()
	r.must(err)
	code, err := d.Load(context.Background(), "step", stepSource)
	r.must(err)
	r.step, err = code.Kernel("step")
	r.must(err)
	r.memory, err = d.Memory().Alloc(4096)
	r.must(err)
	r.host, err = d.Link().Host().Alloc(4096)
	r.must(err)
	all := segment{}
	for _, s := range starJoin {
		all.fills, all.launches = all.fills+s.fills, all.launches+s.launches
	}
	status := make([]byte, 88)
	direct := func(b *testing.B, list []segment) {
		for b.Loop() {
			for _, s := range list {
				r.start(s)
				r.must(r.stream.Download(context.Background(), cuda.Copy{Dst: status, Src: r.memory}))
			}
		}
	}
	replayed := func(b *testing.B, list []segment, again bool) {
		var graphs []graph
		r.must(d.with(func() {
			for _, s := range list {
				graphs = append(graphs, r.record(func() { r.start(s); r.read() }))
			}
		}))
		for b.Loop() {
			r.must(d.with(func() {
				for _, g := range graphs {
					r.run(launch, set, g, again)
				}
			}))
		}
	}
	b.Run("one-by-one", func(b *testing.B) { direct(b, starJoin) })
	b.Run("graphs", func(b *testing.B) { replayed(b, starJoin, false) })
	b.Run("graphs-parameters-set", func(b *testing.B) { replayed(b, starJoin, true) })
	b.Run("one-read-one-by-one", func(b *testing.B) { direct(b, []segment{all}) })
	b.Run("one-read-graph", func(b *testing.B) { replayed(b, []segment{all}, true) })
}
