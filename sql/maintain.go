package sql

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// Maintain is VACUUM, ANALYZE or CHECKPOINT.
type Maintain struct {
	Command string // "vacuum", "analyze" or "checkpoint"
	Tables  []MaintainedTable
	Pos     Pos
}

// MaintainedTable is a table of VACUUM or ANALYZE, with columns of which statistics are
// wanted.
type MaintainedTable struct {
	Name    Name
	Columns []Ident
}

func (*Maintain) statement() {}

// maintainOptions are the options of VACUUM and ANALYZE, which change nothing here.
var maintainOptions = words(`full freeze verbose analyze analyse disable_page_skipping skip_locked index_cleanup process_toast truncate parallel`)

// maintain reads VACUUM, ANALYZE and CHECKPOINT.
func (p tableParser) maintain() Statement {
	t := p.Next()
	s := &Maintain{Command: t.Text, Pos: Pos(t.Pos)}
	switch s.Command {
	case "checkpoint":
		return s
	case "analyse":
		s.Command = "analyze"
	}
	if p.NextIs("(") {
		p.maintainList()
	} else {
		for _, word := range []string{"full", "freeze", "verbose", "analyze", "analyse"} {
			if s.Command == "vacuum" || word == "verbose" {
				p.Accept(word)
			}
		}
	}
	for first := true; p.Peek().IsName() || !first; first = false {
		name := p.tableName()
		columns := p.columnList()
		if s.Tables = append(s.Tables, MaintainedTable{Name: name, Columns: columns}); !p.Accept(",") {
			break
		}
	}
	return s
}

// maintainList reads the options in parentheses.
func (p tableParser) maintainList() {
	p.Next()
	for {
		option := p.label()
		if !maintainOptions[option.Name] {
			panic(sqlstate.ErrorAt(int(option.Pos), sqlstate.Syntax, "unrecognized VACUUM option %q", option.Name))
		}
		if !p.NextIs(",") && !p.NextIs(")") {
			p.Next()
		}
		if !p.Accept(",") {
			p.Expect(")")
			return
		}
	}
}
