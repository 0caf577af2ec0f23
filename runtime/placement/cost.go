package placement

import (
	"cmp"
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// hostCosts returns what the steps take on the host, by the first step of their group.
func (p *Plan) hostCosts() map[int]*cost {
	costs := make(map[int]*cost)
	threads, figures := float64(max(p.query.Threads, 1)), p.device.costs()
	for i := range p.query.Program.Steps {
		c := costs[p.group[i]]
		if c == nil {
			c = &cost{machine: figures}
			costs[p.group[i]] = c
		}
		c.steps++
		decoding := p.decodedValues(i) * p.device.machine.Host.Decoded / threads
		c.decoding += decoding
		c.host += decoding + p.sourceRows(i)*p.hostRowCost(i)/threads
	}
	p.recallTimes(costs)
	for _, c := range costs {
		c.host = cmp.Or(c.onHost, c.host)
	}
	return costs
}

// sourceRows is the number of rows of a step's source, as far as it is known.
func (p *Plan) sourceRows(i int) float64 {
	step := &p.query.Program.Steps[i]
	if scan, ok := step.Func.Source.(*kernel.Scan); ok {
		return p.bindingRows(&step.Inputs[scan.Input])
	}
	return 0
}

// decodedValues is how many values of columns of files a step reads.
func (p *Plan) decodedValues(i int) float64 {
	step, n := &p.query.Program.Steps[i], 0.0
	for k := range step.Inputs {
		if table := step.Inputs[k].Table; table != nil {
			if rel, ok := table.Handle.(runtime.Decoded); ok {
				n += float64(rel.Rows()) * float64(len(step.Func.ColumnsRead(k)))
			}
		}
	}
	return n
}

// hostRowCost is what a core takes for a row of a step's source.
func (p *Plan) hostRowCost(i int) float64 {
	host, f := &p.device.machine.Host, p.query.Program.Steps[i].Func
	body, rows := blockCost(host, f.Body)
	return host.Row + body + rows*p.hostSinkCost(f.Sink, rows*p.sourceRows(i))
}

// hostSinkCost is what a core takes for one of the rows that come to a sink.
func (p *Plan) hostSinkCost(s kernel.Sink, rows float64) float64 {
	host := &p.device.machine.Host
	switch s := s.(type) {
	case *kernel.Aggregate:
		n := host.Instruction * float64(len(s.Accs))
		switch s.Strategy {
		case kernel.Dense:
			n += host.DenseGroup
		case kernel.Hash:
			n += host.Hashed
		case kernel.Ordered:
			n += host.Run
		}
		return n
	case *kernel.Build:
		return host.Hashed
	case *kernel.Sort, *kernel.Window:
		return host.Compared * math.Log2(max(rows, 2))
	}
	return 0
}

// blockCost is what a core takes for the instructions of a block and one row, and how many rows
// go on with the matches of that row, where they are more.
func blockCost(host *machine.Host, b kernel.Block) (n, rows float64) {
	rows = 1
	for _, in := range b {
		n += rows * host.Instruction
		switch in := in.(type) {
		case *kernel.If:
			then, _ := blockCost(host, in.Then)
			otherwise, _ := blockCost(host, in.Else)
			n += rows * (then + otherwise)
		case *kernel.Probe:
			matches := max(in.Matches, 1)
			residual, _ := blockCost(host, in.Residual)
			n += rows * (host.Probe + matches*residual)
			rows *= matches
		}
	}
	return n, rows
}

// isWorthAsking reports whether a device may be quicker than the host: its steps start in less time, or have
// taken less.
func (c *cost) isWorthAsking() bool {
	return c.host > c.startCost() || c.onDevice > 0 && c.onDevice < c.host
}

// startCost is what starting the steps takes on a device.
func (c *cost) startCost() float64 { return c.machine.Step * float64(c.steps) }

// deviceCosts adds what the steps take on the device.
func (p *Plan) deviceCosts() {
	figures, threads := p.device.costs(), float64(max(p.query.Threads, 1))
	for _, c := range p.costs {
		c.machine, c.tables, c.streams = figures, nil, false
		c.read, c.missing, c.result, c.encoded, c.matches = 0, 0, 0, 0, 0
	}
	for i := range p.query.Program.Steps {
		c := p.costs[p.group[i]]
		p.addInputs(i, c)
		_, rows := blockCost(&p.device.machine.Host, p.query.Program.Steps[i].Func.Body)
		c.matches += p.sourceRows(i) * (rows - 1)
	}
	for _, part := range p.query.Program.Result.Parts {
		p.costs[p.group[part.Step]].result += int64(p.query.Rows(part.Step)) * rowBytes(p.query.Program.Steps[part.Step].Func)
	}
	for _, c := range p.costs {
		m := &c.machine
		c.copying = 1e9*float64(c.missing)/m.Link + c.encoded*p.device.machine.Host.Encoded/threads
		if c.onDevice > 0 {
			c.device = c.onDevice + c.copying
			continue
		}
		c.device = c.startCost() + m.Bytes(float64(c.read)+c.matches*(m.Expand.Dealt+m.Expand.SlotAdd)) + 1e9*float64(c.result)/m.Link + c.decoding + c.copying
	}
}

// addInputs adds what a step reads: the columns of its source, and of the tables that
// it is merged with.
func (p *Plan) addInputs(i int, c *cost) {
	step := &p.query.Program.Steps[i]
	for k := range step.Inputs {
		if cols := step.Func.ColumnsRead(k); len(cols) > 0 {
			p.addColumns(&step.Inputs[k], cols, c)
		}
	}
}

// addColumns adds columns of a relation.
func (p *Plan) addColumns(in *codegen.Binding, cols []int, c *cost) {
	if in.Table == nil {
		c.read += int64(p.bindingRows(in)) * valueBytes * int64(len(cols))
		return
	}
	rel, ok := in.Table.Handle.(runtime.Relation)
	if !ok {
		return
	}
	var needs cuda.Needs
	if p.backend != nil {
		needs = p.backend.Needs(rel, cols)
	} else {
		needs = cuda.NeedsOf(rel, cols)
	}
	c.read += needs.Bytes
	c.missing += needs.Missing
	c.encoded += float64(rel.Rows()) * float64(len(cols)) * float64(needs.Missing) / float64(max(needs.Bytes, 1))
	c.streams = c.streams || needs.Stream()
	if v, ok := rel.(runtime.Versioned); ok && needs.Missing > 0 && !needs.Stream() {
		c.tables = append(c.tables, missingColumns{v, cols})
	}
}

// bindingRows is the number of rows of an input, estimated where it is the result of
// other steps.
func (p *Plan) bindingRows(b *codegen.Binding) float64 {
	switch {
	case b.Table != nil:
		if rel, ok := b.Table.Handle.(runtime.Relation); ok {
			return float64(rel.Rows())
		}
		return 0
	case b.Rows != nil:
		return float64(len(b.Rows.Rows))
	case b.Loop != nil:
		return 0 // not known before it has run
	}
	rows := 0.0
	for _, part := range b.Parts {
		rows += p.query.Rows(part.Step)
	}
	return rows
}

// valueBytes is what a value of a result is taken to need.
const valueBytes = 8

// rowBytes is what a row of the result of a kernel is taken to need.
func rowBytes(f *kernel.Func) int64 {
	switch s := f.Sink.(type) {
	case *kernel.Materialize:
		return valueBytes * int64(len(s.Cols))
	case *kernel.Sort:
		return valueBytes * int64(len(s.Cols))
	case *kernel.Aggregate:
		return valueBytes * int64(len(s.Keys)+len(s.Accs))
	case *kernel.Window:
		return valueBytes * int64(len(s.Cols)+len(s.Calls))
	}
	return 0
}

// textOnce is text of the side that was chosen, which all steps of a group share.
func (c *cost) textOnce(texts map[*cost]string) string {
	if texts[c] == "" {
		texts[c] = c.text(c.chosen)
	}
	return texts[c]
}

// text puts the two sides into words, the one that was chosen first.
func (c *cost) text(onDevice bool) string {
	here, other, there, took := c.host, c.device, "on the device", c.onHost
	if onDevice {
		here, other, there, took = c.device, c.host, "on the CPU", c.onDevice
	}
	known := "estimated"
	if took > 0 {
		known = "measured"
	}
	text := fmt.Sprintf("%.2f ms %s, %.2f ms %s: %s", here/1e6, known, other/1e6, there, c.detail())
	if c.behind != "" && !onDevice {
		return c.behind + "; " + text
	}
	return text
}

// detail says what the device's cost consists of.
func (c *cost) detail() string {
	m := &c.machine
	s := fmt.Sprintf("%d kernels, %.1f MB read at %.0f GB/s, %.1f MB brought and %.1f MB given back at %.1f GB/s",
		c.steps, float64(c.read)/1e6, m.Bandwidth*m.Reached/1e9, float64(c.missing)/1e6, float64(c.result)/1e6, m.Link/1e9)
	if c.matches >= 1 {
		s += fmt.Sprintf(", %.3g matches of joins more than rows", c.matches)
	}
	if c.streams {
		s += ", streamed since it does not fit"
	}
	if c.decoding > 0 {
		s += fmt.Sprintf(", %.2f ms to decode files", c.decoding/1e6)
	}
	if c.compiling > 0 {
		s += fmt.Sprintf(", %.0f ms to compile kernels", c.compiling/1e6)
	}
	return s
}
