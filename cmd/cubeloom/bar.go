package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// bar shows how far long work is, on a terminal; elsewhere it is silent.
type bar struct {
	bar   *progressbar.ProgressBar
	out   io.Writer
	title string
}

// newBar makes a bar that writes to w, where w is a terminal.
func newBar(w io.Writer, title string) *bar {
	b := &bar{title: title}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.out = w
	}
	return b
}

// update shows that done of total rows are finished.
func (b *bar) update(done, total int64) {
	if b.out == nil {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.out),
			progressbar.OptionSetDescription(b.title),
			progressbar.OptionSetWidth(40),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish())
	}
	b.bar.Set64(done)
}

// finish removes the bar.
func (b *bar) finish() {
	if b.bar != nil {
		b.bar.Finish()
	}
}
