package sql

import (
	"strconv"
	"sync"

	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// vitess is the parser; it holds no state between statements.
var vitess = sync.OnceValues(func() (*sqlparser.Parser, error) {
	return sqlparser.New(sqlparser.Options{MySQLServerVersion: "8.0.40"})
})

// parseIntermediate has Vitess parse intermediate SQL.
func parseIntermediate(c dialect.Intermediate) sqlparser.TableStatement {
	p, err := vitess()
	if err != nil {
		panic(defect("cannot start the parser: %v", err))
	}
	if c.Check != nil {
		if err := c.Check(); err != nil {
			panic(err)
		}
	}
	stmt, err := p.ParseStrictDDL(c.Text)
	if err != nil {
		panic(defect("the parser refuses intermediate text %q: %v", c.Text, err))
	}
	t, ok := stmt.(sqlparser.TableStatement)
	if !ok {
		panic(defect("intermediate text %q is %T", c.Text, stmt))
	}
	return t
}

// defect is an error of ours, not of the user.
func defect(format string, args ...any) error {
	return sqlstate.Errorf(sqlstate.Internal, "parser: "+format, args...)
}

// converter turns Vitess's tree of intermediate SQL into ours, and panics with a defect
// where something is not as package dialect writes it.
type converter struct {
	placeholders []dialect.Placeholder
	met          []bool
	check        func() error // whether to go on; nil: always
	seen         int          // expressions so far
}

// finish checks that each placeholder was met, so that Vitess lost nothing.
func (c *converter) finish() {
	for i, met := range c.met {
		if !met {
			panic(defect("%T %d was lost", c.placeholders[i], i))
		}
	}
}

// placeholder finds what an intermediate SQL name stands for, once.
func (c *converter) placeholder(name string) dialect.Placeholder {
	if len(name) < 2 {
		panic(defect("name %q", name))
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 0 || n >= len(c.placeholders) || c.met[n] {
		panic(defect("name %q", name))
	}
	c.met[n] = true
	return c.placeholders[n]
}

// take is placeholder for a name of which one type of placeholder is expected.
func take[T any](c *converter, name string) *T {
	m, ok := any(c.placeholder(name)).(*T)
	if !ok {
		panic(defect("name %q is not a %T", name, m))
	}
	return m
}

// takeCall is take for an intermediate SQL call, and returns its arguments.
func takeCall[T any](c *converter, e sqlparser.Expr) (*T, []sqlparser.Expr) {
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok {
		panic(defect("%T for a call", e))
	}
	return take[T](c, f.Name.String()), f.Exprs
}

func ident(id dialect.Ident) Ident { return Ident{Name: id.Name, Pos: Pos(id.Pos)} }

func idents(list []dialect.Ident) []Ident {
	if list == nil {
		return nil
	}
	return lists.Map(list, ident)
}

func typeName(t dialect.TypeName) TypeName {
	return TypeName{Name: t.Name, Path: t.Path, Args: t.Args, Field: t.Field, Array: t.Array, Pos: Pos(t.Pos)}
}

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

// intermediateTree returns the tree of intermediate SQL, which must not be changed.
func intermediateTree(c dialect.Intermediate) sqlparser.TableStatement {
	if len(c.Text) > maxIntermediateLength {
		return parseIntermediate(c)
	}
	intermediates.mu.Lock()
	tree := intermediates.trees[c.Text]
	intermediates.mu.Unlock()
	if tree != nil {
		return tree
	}
	tree = parseIntermediate(c)
	intermediates.mu.Lock()
	defer intermediates.mu.Unlock()
	if intermediates.trees == nil || len(intermediates.trees) >= maxIntermediates {
		intermediates.trees = make(map[string]sqlparser.TableStatement)
	}
	intermediates.trees[c.Text] = tree
	return tree
}
