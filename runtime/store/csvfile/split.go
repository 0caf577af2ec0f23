package csvfile

import (
	"bytes"
	"github.com/cubeloom/cubeloom/sql/value/long"
	"io"
	"sync"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

const (
	readBytes  = 1 << 20  // how much is read at a time
	chunkBytes = 64 << 20 // how large a chunk may grow before it ends with its row
	rowBytes   = 1 << 30  // how long a row may be
)

// chunk is whole rows of a file.
type chunk struct {
	data   []byte
	offset int64 // of data in the file
	line   int   // the line that data starts with, from 1
	rows   int
}

// splitter cuts a file into chunks of runtime.BlockRows rows. It looks at
// nothing but line ends, quotes and escapes.
type splitter struct {
	r      io.Reader
	opt    *Options
	rows   int    // rows of a chunk
	buf    []byte // what was read and not handed out: the next chunk starts at 0
	offset int64  // of buf
	line   int    // of buf's start
	eof    bool
	free   sync.Pool // *[]byte
	// account is what buffers are charged to, those of chunks too until they are
	// recycled.
	account *runtime.Account
}

func newSplitter(r io.Reader, opt *Options, account *runtime.Account) *splitter {
	return &splitter{r: r, opt: opt, rows: runtime.BlockRows, line: 1, account: account}
}

// scan is how far the search for a chunk's end has come within buf.
type scan struct {
	pos    int  // what is before pos has been looked at
	end    int  // after the last whole row before pos
	rows   int  // rows before end
	lines  int  // line ends before end
	quoted int  // line ends within the row after end
	open   bool // pos is within quotes
}

// next returns the next chunk, which the caller owns, or nil at the end. The last
// row may lack its line end.
func (s *splitter) next() (*chunk, error) {
	var at scan
	for {
		s.scan(&at)
		if at.rows >= s.rows || at.end >= chunkBytes {
			return s.cut(&at)
		}
		if s.eof {
			break
		}
		if len(s.buf)-at.end > rowBytes {
			return nil, value.Errorf(value.CodeProgramLimit, "line %d is longer than %d bytes", s.line+at.lines, rowBytes)
		}
		if err := s.read(); err != nil {
			return nil, err
		}
	}
	if len(s.buf) == 0 {
		return nil, nil
	}
	if at.end < len(s.buf) {
		at.end = len(s.buf)
		at.rows++
	}
	return s.cut(&at)
}

// read appends to buf what the reader returns.
func (s *splitter) read() error {
	n := len(s.buf)
	if cap(s.buf)-n < readBytes {
		size := max(cap(s.buf)+min(cap(s.buf), chunkBytes), 4*readBytes)
		if err := s.account.Grow(int64(size)); err != nil {
			return err
		}
		grown := make([]byte, n, size)
		long.Copy(grown, s.buf)
		s.account.Shrink(int64(cap(s.buf)))
		s.buf = grown
	}
	n, err := io.ReadFull(s.r, s.buf[n:n+readBytes])
	s.buf = s.buf[:len(s.buf)+n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		s.eof = true
		return nil
	}
	return err
}

// cut hands out the rows before at.end.
func (s *splitter) cut(at *scan) (*chunk, error) {
	p := &chunk{data: s.buf[:at.end], offset: s.offset, line: s.line, rows: at.rows}
	next, err := s.buffer(len(s.buf) - at.end)
	if err != nil {
		return nil, err
	}
	s.buf = long.Append(next, s.buf[at.end:]...)
	s.offset += int64(at.end)
	s.line += at.lines
	return p, nil
}

// buffer returns an empty buffer for so many bytes and some more.
func (s *splitter) buffer(size int) ([]byte, error) {
	if b, ok := s.free.Get().(*[]byte); ok && cap(*b) >= size {
		return (*b)[:0], s.account.Grow(int64(cap(*b)))
	}
	size += 4 * readBytes
	if err := s.account.Grow(int64(size)); err != nil {
		return nil, err
	}
	return make([]byte, 0, size), nil
}

// recycle takes the memory of a chunk back that nobody uses any more.
func (s *splitter) recycle(p *chunk) {
	s.account.Shrink(int64(cap(p.data)))
	s.free.Put(&p.data)
	p.data = nil
}

// scan looks at what was read and not looked at yet, until the chunk has its
// rows.
func (s *splitter) scan(at *scan) {
	if s.opt.Text {
		s.scanText(at)
		return
	}
	for at.pos < len(s.buf) && at.rows < s.rows {
		if at.open {
			if !s.scanQuoted(at) {
				return
			}
			continue
		}
		limit := len(s.buf)
		if q := bytes.IndexByte(s.buf[at.pos:], s.opt.Quote); q >= 0 {
			limit = at.pos + q
		}
		s.countRows(at, limit)
		if at.rows >= s.rows {
			return
		}
		if limit < len(s.buf) {
			at.open = true
			limit++
		}
		at.pos = limit
	}
}

// countRows counts the line ends before limit, none of which is quoted, until
// the chunk has its rows.
func (s *splitter) countRows(at *scan, limit int) {
	const stride = 16 << 10
	for at.pos < limit && at.rows < s.rows {
		part := s.buf[at.pos:min(at.pos+stride, limit)]
		n := bytes.Count(part, newline)
		if at.rows+n <= s.rows {
			if n > 0 {
				s.endRows(at, n, at.pos+bytes.LastIndexByte(part, '\n')+1)
			}
			at.pos += len(part)
			continue
		}
		for at.rows < s.rows {
			at.pos += bytes.IndexByte(s.buf[at.pos:], '\n') + 1
			s.endRows(at, 1, at.pos)
		}
	}
}

var newline = []byte{'\n'}

// endRows counts n rows that end before end.
func (s *splitter) endRows(at *scan, n, end int) {
	at.rows += n
	at.lines += n + at.quoted
	at.quoted = 0
	at.end = end
}

// scanQuoted goes on after the closing quote; it returns false when more has to
// be read first.
func (s *splitter) scanQuoted(at *scan) bool {
	rest := s.buf[at.pos:]
	n := bytes.IndexByte(rest, s.opt.Quote)
	if s.opt.Escape != s.opt.Quote {
		n = closingQuote(rest, s.opt)
	}
	if n == needMore {
		return false
	}
	if n < 0 {
		at.quoted += bytes.Count(rest, newline)
		at.pos = len(s.buf)
		return false
	}
	at.quoted += bytes.Count(rest[:n], newline)
	at.pos += n + 1
	at.open = false
	return true
}

// needMore says that what follows an escape has not been read yet.
const needMore = -2

// closingQuote finds a quote that is not escaped, or returns -1 or needMore.
func closingQuote(b []byte, opt *Options) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case opt.Escape:
			if i+1 == len(b) {
				return needMore
			}
			if b[i+1] == opt.Quote || b[i+1] == opt.Escape {
				i++
			}
		case opt.Quote:
			return i
		}
	}
	return -1
}

// scanText finds the line ends that no backslash stands before.
func (s *splitter) scanText(at *scan) {
	for at.rows < s.rows {
		n := bytes.IndexByte(s.buf[at.pos:], '\n')
		if n < 0 {
			at.pos = len(s.buf)
			return
		}
		at.pos += n + 1
		if escaped(s.buf[at.end : at.pos-1]) {
			at.quoted++
			continue
		}
		s.endRows(at, 1, at.pos)
	}
}

// escaped reports whether an odd number of backslashes ends b.
func escaped(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n&1 == 1
}
