package device

import (
	"io"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/launchtext"
)

// ByText is a device on which launch plans are carried out as they are read from text:
// their own, or that which Texts has for them.
type ByText struct {
	cuda.Device
	Texts *Texts // nil: the text of each plan
}

// Texts are the texts of launch plans.
type Texts struct {
	mu   sync.Mutex
	used map[string]int // by text: how many plans were read from it
}

// NewTexts returns texts that plans are to be read from.
func NewTexts(texts []string) *Texts {
	t := &Texts{used: make(map[string]int)}
	for _, text := range texts {
		t.used[text] = 0
	}
	return t
}

// Unused are the texts that no plan was read from.
func (t *Texts) Unused() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var unused []string
	for text, n := range t.used {
		if n == 0 {
			unused = append(unused, text)
		}
	}
	return unused
}

// use notes that a plan is read from a text, and reports whether there is such a text.
func (t *Texts) use(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.used[text]
	if known {
		t.used[text]++
	}
	return known
}

// Replan implements cuda.Replanner. A plan that Texts does not have is carried out as it is.
func (d ByText) Replan(p *launch.Plan) (*launch.Plan, error) {
	text := launch.Print(p)
	if d.Texts != nil && !d.Texts.use(text) {
		return p, nil
	}
	read, err := launchtext.Parse(text)
	if err != nil {
		return nil, err
	}
	return read, launch.Verify(read)
}

// Close closes the device where it can be closed.
func (d ByText) Close() error {
	if closer, ok := d.Device.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}
