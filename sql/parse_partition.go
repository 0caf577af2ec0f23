package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// partitionOf reads what follows PARTITION in CREATE TABLE t PARTITION OF parent [(columns)] bound.
func (p tableParser) partitionOf(t *CreateTable) {
	p.Expect("of")
	t.Of = p.tableName()
	if p.Accept("(") {
		p.elements(&definition{table: t}, p.typedColumn)
	}
	t.Bound = p.partitionBound()
}

// typedColumn reads name [WITH OPTIONS] constraints: a column that has its type from elsewhere.
func (p tableParser) typedColumn(d *definition) {
	col := ColumnDef{Name: p.ident()}
	if p.Accept("with") {
		p.Expect("options")
	}
	p.columnConstraints(d, col)
}

// partitionBy reads PARTITION BY, if it comes next.
func (p tableParser) partitionBy() *PartitionBy {
	by := &PartitionBy{Pos: Pos(p.Peek().Pos)}
	if !p.Accept("partition") {
		return nil
	}
	p.Expect("by")
	by.Method = p.ident()
	p.Expect("(")
	by.Keys = dialect.CommaListTo(p.Cursor, ")", p.partitionKey)
	return by
}

// partitionKey reads a column, a function's call or an expression in parentheses.
func (p tableParser) partitionKey() PartitionKey {
	t := p.Peek()
	k := PartitionKey{Pos: Pos(t.Pos)}
	switch {
	case t.Is("("):
		k.Expr, k.Text = p.inParens()
	case t.IsName() && !p.PeekAt(1).IsOneOf("(", "."):
		k.Column = p.ident()
	default:
		k.Expr = selectPart(p.Call()).Items[0].Expr
		k.Text = p.Text(t.Pos, p.LastEnd())
	}
	if p.Accept("collate") {
		k.Collation = p.tableName()
	}
	if p.Peek().IsName() {
		k.OpClass = p.tableName()
	}
	return k
}

// partitionBound reads DEFAULT, or FOR VALUES and what a partition has.
func (p tableParser) partitionBound() *PartitionBound {
	b := &PartitionBound{Pos: Pos(p.Peek().Pos)}
	if b.Default = p.Accept("default"); b.Default {
		return b
	}
	p.Expect("for", "values")
	b.Pos = Pos(p.Peek().Pos)
	switch {
	case p.Accept("in"):
		b.Method, b.Values = "list", p.exprsInParens()
	case p.Accept("from"):
		b.Method, b.From = "range", p.exprsInParens()
		p.Expect("to")
		b.To = p.exprsInParens()
	case p.Accept("with"):
		b.Method = "hash"
		p.hashBound(b)
	default:
		panic(p.Unexpected())
	}
	return b
}

func (p tableParser) exprsInParens() []Expr {
	p.Expect("(")
	return dialect.CommaListTo(p.Cursor, ")", p.expr)
}

// hashBound reads (MODULUS n, REMAINDER n), in any order.
func (p tableParser) hashBound(b *PartitionBound) {
	p.Expect("(")
	options := dialect.CommaListTo(p.Cursor, ")", p.hashOption)
	given := map[string]*int64{}
	for _, o := range options {
		switch name := o.name.Text; {
		case name != "modulus" && name != "remainder":
			panic(sqlstate.ErrorAt(o.name.Pos, sqlstate.Syntax, "unrecognized hash partition bound specification \"%s\"", name))
		case given[name] != nil:
			panic(sqlstate.ErrorAt(o.name.Pos, sqlstate.DuplicateObject, "%s for hash partition provided more than once", name))
		default:
			given[name] = &o.value
		}
	}
	for _, name := range []string{"modulus", "remainder"} {
		if given[name] == nil {
			panic(sqlstate.ErrorAt(sqlstate.NoPos, sqlstate.Syntax, "%s for hash partition must be specified", name))
		}
	}
	b.Modulus, b.Remainder = *given["modulus"], *given["remainder"]
}

// hashOption is MODULUS or REMAINDER with its number.
type hashOption struct {
	name  dialect.Token
	value int64
}

func (p tableParser) hashOption() hashOption {
	if !p.Peek().IsWord() {
		panic(p.Unexpected())
	}
	name := p.Next()
	return hashOption{name: name, value: p.Int()}
}

// partitionAction reads ATTACH PARTITION or DETACH PARTITION.
func (p tableParser) partitionAction() AlterAction {
	attach := p.Next().Is("attach")
	p.Expect("partition")
	part := p.tableName()
	if attach {
		return &AttachPartition{Part: part, Bound: p.partitionBound()}
	}
	a := &DetachPartition{Part: part}
	if a.Concurrently = p.Accept("concurrently"); !a.Concurrently {
		a.Finalize = p.Accept("finalize")
	}
	return a
}
