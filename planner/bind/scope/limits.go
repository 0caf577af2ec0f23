package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Limits on what one statement may ask for. They keep a hostile statement from
// growing without bound: views and common table expressions are copied where
// they are used, so that a short text can stand for a huge plan.
const (
	maxRelations = 4096
	MaxColumns   = 1664 // of a select list, as in PostgreSQL
	maxDepth     = 5000 // of nested expressions and queries
	MaxViewDepth = 64
)

// ExprWork is what binding an expression costs at least, in bytes looked at.
const ExprWork = 1 << 10

// exprBytes is about what an expression takes while it is planned and made a kernel of,
// in bytes.
const exprBytes = 512

// NewColumn makes a column with a fresh ID.
func (b *Binder) NewColumn(name string, typ algebra.Type, nullable bool) algebra.Column {
	b.LastID++
	return algebra.Column{ID: b.LastID, Name: name, Type: typ, Nullable: nullable}
}

// Enter counts a level of nesting; leave takes it back.
func (b *Binder) Enter(pos sql.Pos) {
	b.depth++
	if err := b.Opts.Meter.Check(ExprWork); err != nil {
		panic(err)
	}
	if err := b.Opts.Meter.Grow(exprBytes); err != nil {
		panic(err)
	}
	if b.depth > maxDepth {
		panic(value.ErrorAt(int(pos), value.CodeTooComplex, "the statement is nested more than %d levels deep", maxDepth))
	}
}

func (b *Binder) Leave() { b.depth-- }

// CountRelation refuses statements that read too many relations.
func (b *Binder) CountRelation(pos int) {
	b.relations++
	if b.relations > maxRelations {
		panic(value.ErrorAt(pos, value.CodeTooComplex, "the statement reads more than %d relations", maxRelations))
	}
}
