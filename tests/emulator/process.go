package emulator

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// The commands of the machine (machine/main.cc).
const (
	commandAlloc uint64 = iota + 1
	commandFree
	commandUpload
	commandDownload
	commandFill
	commandLoad
	commandFind
	commandRun
)

// replies says what each command answers: w for a word, b for bytes behind
// their length.
var replies = map[uint64]string{
	commandAlloc: "w", commandFree: "w", commandUpload: "w", commandDownload: "b",
	commandFill: "w", commandLoad: "wb", commandFind: "ww", commandRun: "www",
}

// patience is how long one command may take.
const patience = 3 * time.Minute

// process is a running machine. Once it has ended every call gives the error
// that it ended with.
type process struct {
	cmd    *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer
	out    *bufio.Reader
	report bytes.Buffer // its standard error
	err    error
}

// startProcess starts the machine's program.
func startProcess(program string) (*process, error) {
	p := &process{cmd: exec.Command(program)}
	p.cmd.Env = append(os.Environ(),
		"ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16:detect_stack_use_after_return=0:handle_sigill=1")
	p.cmd.Stderr = &p.report
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.pipe, p.out = bufio.NewWriterSize(in, 1<<16), in, bufio.NewReaderSize(out, 1<<16)
	return p, p.cmd.Start()
}

// words are the bytes of 64-bit words.
func words(values []uint64) []byte {
	out := make([]byte, 0, 8*len(values))
	for _, v := range values {
		out = binary.NativeEndian.AppendUint64(out, v)
	}
	return out
}

// reply is what a command answered, read in order.
type reply struct {
	words []uint64
	texts [][]byte
}

func (r *reply) word() uint64 {
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

func (r *reply) bytes() []byte {
	b := r.texts[0]
	r.texts = r.texts[1:]
	return b
}

// call sends a command with its arguments, words and byte strings, and reads
// the answer into to unless that is nil. Task is what an error says was being
// done.
func (p *process) call(to *reply, task string, command uint64, args ...any) error {
	if p.err != nil {
		return p.err
	}
	var hung atomic.Bool
	timer := time.AfterFunc(patience, func() {
		hung.Store(true)
		// Of a process that has ended there is nothing to kill.
		_ = p.cmd.Process.Kill()
	})
	err := p.exchange(to, command, args)
	if timer.Stop(); err == nil {
		return nil
	}
	p.pipe.Close()
	waited := p.cmd.Wait()
	switch {
	case hung.Load():
		p.err = fmt.Errorf("emulated device: %s: no answer after %v: %w", task, patience, cuda.ErrLost)
	case p.report.Len() > 0:
		p.err = fmt.Errorf("emulated device: %w: %s: %s", cuda.ErrLost, task, shorten(p.report.String()))
	default:
		p.err = fmt.Errorf("emulated device: %w: %s: %w", cuda.ErrLost, task, errors.Join(err, waited))
	}
	return p.err
}

// exchange sends a command and reads its answer.
func (p *process) exchange(to *reply, command uint64, args []any) error {
	p.send(command)
	for _, arg := range args {
		switch arg := arg.(type) {
		case uint64:
			p.send(arg)
		case []byte:
			p.send(uint64(len(arg)))
			p.in.Write(arg) // a bufio.Writer keeps its error for Flush
		}
	}
	if err := p.in.Flush(); err != nil {
		return err
	}
	var got reply
	for _, kind := range replies[command] {
		word, err := p.receive()
		if err != nil {
			return err
		}
		if kind == 'w' {
			got.words = append(got.words, word)
			continue
		}
		text := make([]byte, word)
		if _, err := io.ReadFull(p.out, text); err != nil {
			return err
		}
		got.texts = append(got.texts, text)
	}
	if to != nil {
		*to = got
	}
	return nil
}

func (p *process) send(word uint64) {
	var b [8]byte
	binary.NativeEndian.PutUint64(b[:], word)
	p.in.Write(b[:])
}

func (p *process) receive() (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(p.out, b[:])
	return binary.NativeEndian.Uint64(b[:]), err
}

// close lets the machine end.
func (p *process) close() error {
	if p.err != nil {
		return nil
	}
	p.err = errors.New("emulated device: it is closed")
	p.pipe.Close()
	return p.cmd.Wait()
}

// shorten leaves the head of a report of the sanitizers: what was wrong, where,
// and what lies there.
func shorten(report string) string {
	const most = 24
	var kept []string
	for line := range strings.Lines(report) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "====") {
			continue
		}
		if strings.HasPrefix(line, "Shadow bytes") || len(kept) == most {
			break
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}
