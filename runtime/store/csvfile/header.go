package csvfile

import (
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/value"
)

// readHeader takes the first row off the splitter and returns its fields; an
// empty file has none.
func readHeader(s *splitter, opt *Options, at Place) ([]string, error) {
	first, err := firstRow(s)
	if err != nil || first == nil {
		return nil, err
	}
	fields, err := rowFields(first, opt, at)
	if err != nil || len(fields) == 0 {
		return nil, err
	}
	return fields[0], nil
}

// firstRow takes the first row off the splitter; nil where there is none.
func firstRow(s *splitter) (*chunk, error) {
	rows := s.rows
	s.rows = 1
	first, err := s.next()
	s.rows = rows
	return first, err
}

// matchHeader takes the header off the splitter, whose fields have to be names.
func matchHeader(s *splitter, opt *Options, at Place, names []string) error {
	first, err := firstRow(s)
	if err != nil || first == nil {
		return err
	}
	p := newParser(opt, at, nil)
	p.data, p.line = first.data, first.line
	var found []string
	var null []bool
	p.collect = func(raw []byte, isNull bool) {
		found, null = append(found, string(raw)), append(null, isNull)
	}
	_, err = p.readRow(first.data, 0)
	switch {
	case err != nil || p.ended:
		return err
	case len(found) != len(names):
		return p.fail(value.Errorf(value.CodeBadCopyFormat,
			"wrong number of fields in header line: got %d, expected %d", len(found), len(names)))
	}
	for i, name := range names {
		switch {
		case null[i]:
			return p.fail(value.Errorf(value.CodeBadCopyFormat,
				"column name mismatch in header line field %d: got null value (\"%s\"), expected \"%s\"", i+1, opt.Null, name))
		case found[i] != name:
			return p.fail(value.Errorf(value.CodeBadCopyFormat,
				"column name mismatch in header line field %d: got \"%s\", expected \"%s\"", i+1, found[i], name))
		}
	}
	return nil
}

// rowFields reads a chunk as rows of texts.
func rowFields(chunk *chunk, opt *Options, at Place) ([][]string, error) {
	p := newParser(opt, at, nil)
	p.data, p.line = chunk.data, chunk.line
	if !utf8.Valid(chunk.data) {
		return nil, p.fail(value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\""))
	}
	var rows [][]string
	for i := 0; i < len(chunk.data) && !p.ended; {
		var row []string
		p.row, p.lines = i, 0
		var err error
		p.collect = func(raw []byte, _ bool) { row = append(row, string(raw)) }
		if i, err = p.readRow(chunk.data, i); err != nil {
			return rows, err
		}
		if !p.ended {
			rows = append(rows, row)
		}
		p.line += p.lines + 1
	}
	return rows, nil
}
