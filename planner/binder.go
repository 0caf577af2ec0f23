package planner

import (
	"strconv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Limits on what one statement may ask for. They keep a hostile statement from
// growing without bound: views and common table expressions are copied where
// they are used, so that a short text can stand for a huge plan.
const (
	maxRelations = 4096
	maxColumns   = 1664 // of a select list, as in PostgreSQL
	maxDepth     = 5000 // of nested expressions and queries
	maxViewDepth = 64
)

// exprWork is what binding an expression costs at least, in bytes looked at.
const exprWork = 1 << 10

// exprBytes is about what an expression takes while it is planned and made a kernel of,
// in bytes.
const exprBytes = 512

// binder resolves the names and types of one statement. It is used once.
type binder struct {
	cat       Catalog
	opts      *Options
	lastID    algebra.ColumnID
	relations int
	depth     int
	viewDepth int
	open      []*environment // recursive expressions that are being bound, innermost last
	params    []algebra.Type // types of the parameters as far as they are known
	// keysOf holds, by column of a table that is read, the keys of that table.
	keysOf map[algebra.ColumnID][]algebra.ColSet
	// refPos holds where the text refers to a column, for the messages about
	// columns that are not grouped.
	refPos map[*algebra.ColumnRef]int
	// paramOf tells which parameter an untyped constant stands for.
	paramOf map[*algebra.Const]int
	// tooWide holds the numbers that no numeric holds, and the error that they are: they
	// are untyped constants that can become floating numbers only.
	tooWide map[*algebra.Const]error
	// declared holds the constants that a cast gave a precision.
	declared map[*algebra.Const]bool
	// ofObject binds a function of the embedder. It is a field since the tables of
	// functions refer to what converts their arguments.
	ofObject func(x *exprBinder, name string, args []algebra.Expr, pos sql.Pos) (algebra.Expr, error)
	randoms  int // calls of random() so far
	// momentary is Plan.Momentary of what has been bound so far.
	momentary bool
	access    accesses
}

func newBinder(cat Catalog, opts *Options) *binder {
	b := &binder{
		cat: cat, opts: opts,
		refPos:  make(map[*algebra.ColumnRef]int),
		paramOf: make(map[*algebra.Const]int),
		tooWide: make(map[*algebra.Const]error),
		params:  make([]algebra.Type, len(opts.Params)),

		declared: make(map[*algebra.Const]bool),
		ofObject: (*exprBinder).sqlFunction,
	}
	for i, p := range opts.Params {
		b.params[i] = p.Type
	}
	return b
}

// newColumn makes a column with a fresh ID.
func (b *binder) newColumn(name string, typ algebra.Type, nullable bool) algebra.Column {
	b.lastID++
	return algebra.Column{ID: b.lastID, Name: name, Type: typ, Nullable: nullable}
}

// enter counts a level of nesting; leave takes it back.
func (b *binder) enter(pos sql.Pos) error {
	b.depth++
	if err := b.opts.Meter.Check(exprWork); err != nil {
		return err
	}
	if err := b.opts.Meter.Grow(exprBytes); err != nil {
		return err
	}
	if b.depth > maxDepth {
		return value.ErrorAt(int(pos), value.CodeTooComplex, "the statement is nested more than %d levels deep", maxDepth)
	}
	return nil
}

func (b *binder) leave() { b.depth-- }

// countRelation refuses statements that read too many relations.
func (b *binder) countRelation(pos int) error {
	b.relations++
	if b.relations > maxRelations {
		return value.ErrorAt(pos, value.CodeTooComplex, "the statement reads more than %d relations", maxRelations)
	}
	return nil
}

// relation is a bound query. Its columns are those of the node, in order; their
// names are the query's output names and need not be unique.
type relation struct {
	node algebra.Node
}

func (r *relation) columns() []algebra.Column { return r.node.Columns() }

// notSupported is the refusal of a construct.
func notSupported(pos sql.Pos, construct string) error {
	return value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "%s not supported", construct)
}

// plural says "1 column" and "2 columns".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
