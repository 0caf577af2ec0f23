package device

import (
	"context"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Clocked is a Null device with a clock: a launch takes what a function says of it. Its code is
// there at once.
type Clocked struct {
	Null
	// Cost is the nanoseconds of a launch of an entry over so many rows of the source, 0 where it goes
	// over none.
	Cost func(entry string, rows int64, l *cuda.Launch) int64

	mu    sync.Mutex // guards what follows
	spent int64
}

// Spent returns the nanoseconds of all launches since the last call.
func (c *Clocked) Spent() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	spent := c.spent
	c.spent = 0
	return spent
}

// Load implements cuda.Device.
func (c *Clocked) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if _, err := c.Null.Load(ctx, name, source); err != nil {
		return nil, err
	}
	return &clockedCode{rowsWord(source)}, nil
}

// NewStream implements cuda.Device.
func (c *Clocked) NewStream() (cuda.Stream, error) {
	s, err := c.Null.NewStream()
	return clockedStream{s, c}, err
}

// rowsWord is the word of the parameter of a kernel with the rows of its source; −1: there is none.
func rowsWord(source string) int {
	_, fields, _ := strings.Cut(source, "struct Params {\n")
	fields, _, _ = strings.Cut(fields, "};")
	word := 0
	for line := range strings.Lines(fields) {
		if strings.Contains(line, " rows_") {
			return word
		}
		word++
	}
	return -1
}

type clockedCode struct{ rows int }

func (c *clockedCode) Kernel(name string) (cuda.Kernel, error) { return clockedKernel{c, name}, nil }

type clockedKernel struct {
	*clockedCode
	entry string
}

func (clockedKernel) Usage(int, int) cuda.Usage { return cuda.Usage{Blocks: 2} }

type clockedStream struct {
	cuda.Stream
	of *Clocked
}

func (s clockedStream) Launch(l cuda.Launch) error {
	k, rows := l.Kernel.(clockedKernel), int64(0)
	if k.rows >= 0 && k.rows < len(l.Params) {
		rows = int64(l.Params[k.rows])
	}
	took := s.of.Cost(k.entry, rows, &l)
	s.of.mu.Lock()
	s.of.spent += took
	s.of.mu.Unlock()
	if l.Timer != nil {
		l.Timer.Nanoseconds = took
	}
	return s.Stream.Launch(l)
}
