package sql

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// Cluster is CLUSTER of a table by an index, or, where Index is empty, by the one that the table was clustered
// by before; without a name of all tables that were.
type Cluster struct {
	Name  Name
	Index Ident
	Pos   Pos
}

// ClusterOn is ALTER TABLE … CLUSTER ON index, or SET WITHOUT CLUSTER where Index is empty.
type ClusterOn struct{ Index Ident }

func (*Cluster) statement()     {}
func (*ClusterOn) alterAction() {}

// cluster reads CLUSTER.
func (p tableParser) cluster() Statement {
	s := &Cluster{Pos: Pos(p.Next().Pos)}
	if p.NextIs("(") {
		for _, option := range p.options(explainStyle) {
			if option.Name != "verbose" {
				panic(sqlstate.ErrorAt(int(option.Pos), sqlstate.Syntax, "unrecognized CLUSTER option %q", option.Name))
			}
		}
	} else {
		p.Accept("verbose")
	}
	if !p.Peek().IsName() {
		return s
	}
	s.Name = p.tableName()
	switch {
	case p.Accept("using"):
		s.Index = p.ident()
	case len(s.Name) == 1 && p.Accept("on"):
		s.Index = s.Name[0]
		s.Name = p.tableName()
	}
	return s
}
