package disk

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	segmentExtension = ".segment"
	tableExtension   = ".table"
)

// stamp says where a file comes from. Files of format 1 have none.
type stamp struct {
	database, writer string
	number           int64
}

// newIdentity makes an identity that nothing else has.
func newIdentity() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

func (s *stamp) encode(e *encoder) {
	e.text(s.database)
	e.text(s.writer)
	e.int(s.number)
}

func decodeStamp(d *decoder) stamp {
	return stamp{database: d.text(), writer: d.text(), number: d.int()}
}

// check fails where a file is not the one of that name in a database.
func (s *stamp) check(name, database string) error {
	number, _ := numberOf(name)
	if s.database != database {
		return fmt.Errorf("it belongs to the database %s and not to %s", s.database, database)
	}
	if s.number != number {
		return fmt.Errorf("it was written as file %d", s.number)
	}
	return nil
}

// numberOf is the number of a segment or table file.
func numberOf(name string) (number int64, ours bool) {
	ext := filepath.Ext(name)
	if ext != segmentExtension && ext != tableExtension {
		return 0, false
	}
	number, err := strconv.ParseInt(strings.TrimSuffix(name, ext), 10, 64)
	return number, err == nil
}

// draftOf is the identity of the database whose program has begun to write a file;
// "" for other files.
func draftOf(name string) (database string) {
	name, isDraft := strings.CutSuffix(name, draftExtension)
	dot := strings.LastIndexByte(name, '.')
	if !isDraft || dot < 0 {
		return ""
	}
	if _, ours := numberOf(name[:dot]); !ours && name[:dot] != manifestName {
		return ""
	}
	return name[dot+1:]
}
