package sql

import (
	"sync"

	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// The most carrier texts whose trees are kept, and the length of the longest of
// them in bytes: a statement that is repeated, also with other names and literals,
// which are only numbers in its carrier text, is not parsed by Vitess again.
const (
	maxCarriers      = 64
	maxCarrierLength = 4096
)

// carriers are the trees of carrier texts by text. Nobody changes a tree; when
// there are too many all are forgotten.
var carriers struct {
	mu    sync.Mutex
	trees map[string]sqlparser.TableStatement
}

// carrierTree gives the tree of carrier text, which must not be changed.
func carrierTree(c dialect.Carrier) (sqlparser.TableStatement, error) {
	if len(c.Text) > maxCarrierLength {
		return parseCarrier(c)
	}
	carriers.mu.Lock()
	tree := carriers.trees[c.Text]
	carriers.mu.Unlock()
	if tree != nil {
		return tree, nil
	}
	tree, err := parseCarrier(c)
	if err != nil {
		return nil, err
	}
	carriers.mu.Lock()
	defer carriers.mu.Unlock()
	if carriers.trees == nil || len(carriers.trees) >= maxCarriers {
		carriers.trees = make(map[string]sqlparser.TableStatement)
	}
	carriers.trees[c.Text] = tree
	return tree, nil
}
