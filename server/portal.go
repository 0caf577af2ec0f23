package server

import (
	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
)

// portal is a prepared statement with its parameters, and how far it has run.
type portal struct {
	name     string
	prepared *cubeloom.Prepared
	params   []cubeloom.Param
	bytes    int64 // that the session is charged with for them
	formats  []int16
	result   *cubeloom.Result // nil before it runs
	cursor   *cubeloom.Cursor
	rows     bool // the result has rows, if they have not been given back
	done     bool // a statement without rows has run
}

// close frees the memory of a portal's rows. A nil portal has none.
func (p *portal) close() {
	if p != nil && p.result != nil {
		p.result.Close()
		p.cursor = nil
	}
}

// take notes the result of a portal. The client was told of its columns when the
// statement was described, unless it is told now.
func (p *portal) take(res *cubeloom.Result, told bool) error {
	if d := p.prepared.Description; !told && d != nil && d.HasRows {
		same := len(d.Columns) == len(res.Columns)
		for i := 0; same && i < len(d.Columns); i++ {
			same = wireTypeOf(d.Columns[i].Type).oid == wireTypeOf(res.Columns[i].Type).oid
		}
		if !same {
			res.Close()
			return value.Errorf(value.CodeFeatureNotSupported, "cached plan must not change result type")
		}
	}
	p.result = res
	if p.rows = res.HasRows(); p.rows {
		p.cursor = res.Cursor()
	}
	return nil
}
