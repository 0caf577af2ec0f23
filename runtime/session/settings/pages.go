package settings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// noPages is the value of expand_pages without any.
const noPages = "none"

// The bounds of the rows of a page, which begin at a multiple of four.
const (
	minPageRows = 64
	maxPageRows = 1 << 20
	pageQuantum = 4
)

func pagesText(g kernel.Pages) string {
	if g.Rows == 0 {
		return noPages
	}
	text := strconv.Itoa(g.Rows)
	if g.Blocks > 0 {
		text += fmt.Sprintf(" blocks %d", g.Blocks)
	}
	if g.Segment > 0 {
		text += fmt.Sprintf(" segment %d", g.Segment)
	}
	return text
}

// setPages reads the rows of a page, and the blocks and the segment where they are said.
func setPages(name string, to *kernel.Pages, v string) error {
	if v == noPages {
		*to = kernel.Pages{}
		return nil
	}
	words := strings.Fields(v)
	if len(words) == 0 || len(words)%2 == 0 {
		return invalidPages(name, v)
	}
	var g kernel.Pages
	if err := setInt(name, &g.Rows, words[0], minPageRows, maxPageRows); err != nil {
		return err
	}
	if g.Rows%pageQuantum != 0 {
		return invalidPages(name, v)
	}
	parts := map[string]*int64{"blocks": &g.Blocks, "segment": &g.Segment}
	for i := 1; i < len(words); i += 2 {
		part := parts[words[i]]
		n, err := strconv.ParseInt(words[i+1], 10, 32)
		if part == nil || *part > 0 || err != nil || n < 1 {
			return invalidPages(name, v)
		}
		*part = n
	}
	*to = g
	return nil
}

func invalidPages(name, v string) error {
	err := value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", name, v)
	err.Hint = "Available values: none, or the rows of a page (a multiple of 4), then blocks N, segment N."
	return err
}
