package sql

import (
	"sync"

	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// The most intermediate SQL texts whose trees are kept, and the length of the longest of
// them in bytes: a statement that is repeated, also with other names and literals,
// which are only numbers in its intermediate SQL, is not parsed by Vitess again.
const (
	maxIntermediates      = 64
	maxIntermediateLength = 4096
)

// intermediate statements are the trees of intermediate SQL texts by text. Nobody changes a tree; when
// there are too many all are forgotten.
var intermediates struct {
	mu    sync.Mutex
	trees map[string]sqlparser.TableStatement
}

// intermediateTree gives the tree of intermediate SQL, which must not be changed.
func intermediateTree(c dialect.Intermediate) (sqlparser.TableStatement, error) {
	if len(c.Text) > maxIntermediateLength {
		return parseIntermediate(c)
	}
	intermediates.mu.Lock()
	tree := intermediates.trees[c.Text]
	intermediates.mu.Unlock()
	if tree != nil {
		return tree, nil
	}
	tree, err := parseIntermediate(c)
	if err != nil {
		return nil, err
	}
	intermediates.mu.Lock()
	defer intermediates.mu.Unlock()
	if intermediates.trees == nil || len(intermediates.trees) >= maxIntermediates {
		intermediates.trees = make(map[string]sqlparser.TableStatement)
	}
	intermediates.trees[c.Text] = tree
	return tree, nil
}
