package csvfile

import (
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/planner/value"
)

// readHeader takes the first row off the splitter and gives its fields; an
// empty file has none.
func readHeader(s *splitter, opt *Options, at place) ([]string, error) {
	rows := s.rows
	s.rows = 1
	first, err := s.next()
	s.rows = rows
	if err != nil || first == nil {
		return nil, err
	}
	fields, err := rowFields(first, opt, at)
	if err != nil || len(fields) == 0 {
		return nil, err
	}
	return fields[0], nil
}

// rowFields reads a piece as rows of texts.
func rowFields(piece *piece, opt *Options, at place) ([][]string, error) {
	p := newParser(opt, at, nil)
	p.data, p.line = piece.data, piece.line
	if !utf8.Valid(piece.data) {
		return nil, p.fail(value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\""))
	}
	var rows [][]string
	for i := 0; i < len(piece.data) && !p.ended; {
		var row []string
		p.row, p.lines = i, 0
		var err error
		p.collect = func(raw []byte) { row = append(row, string(raw)) }
		if opt.Text {
			i, err = p.textRow(piece.data, i)
		} else {
			i, err = p.csvRow(piece.data, i)
		}
		if err != nil {
			return rows, err
		}
		if !p.ended {
			rows = append(rows, row)
		}
		p.line += p.lines + 1
	}
	return rows, nil
}
