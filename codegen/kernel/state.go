package kernel

import (
	"errors"
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"math"
	"strconv"
)

// Part is a number that a State has for each group, and how a device adds it up. A
// device goes over the rows once for the parts that are sums over rows, and once more
// for those that depend on what such sums are of the whole group. The texts are
// expressions of CUDA C++: Row of the arguments x and y (the first of two is y), what
// the part is of a single row; Whole of the parts of a row, or of a finer group, by
// their names, and of Differences. What has Whole is 0 of a single row, and NaN where what it is made of is
// not finite.
type Part struct {
	Name   string // in expressions
	Column string // of the result
	Row    string
	Whole  string // "" for the part itself
}

// Difference is a number that expressions refer to: how far the mean of a row, or of a finer
// group, is from that of the group. Sum and Count are names of parts.
type Difference struct{ Name, Sum, Count string }

// Statistic is an aggregate that is made of the parts of an accumulator. Its texts are
// expressions of the names of the parts, which mean the same in Go and in CUDA C++: with
// operators, parentheses, sqrt(x), pow(x, y) and choose(condition, x, y). Value is the
// result where Defined is true; elsewhere it is NULL.
type Statistic struct{ Name, Defined, Value string }

// Of compiles the statistic to a function of the numbers of a state.
func (s Statistic) Of(parts []Part) (func(state []float64) (result float64, ok bool), error) {
	c := formula{parts: parts}
	defined, value := c.parse(s.Defined), c.parse(s.Value)
	if c.err != nil {
		return nil, fmt.Errorf("statistic %s: %w", s.Name, c.err)
	}
	return func(state []float64) (float64, bool) {
		if defined(state) == 0 {
			return 0, false
		}
		return value(state), true
	}, nil
}

// evaluation computes an expression of the numbers of a state. A condition is 1 or 0.
type evaluation func(state []float64) float64

// formula compiles expressions of the parts of a state.
type formula struct {
	parts []Part
	err   error
}

func (c *formula) parse(text string) evaluation {
	e, err := goparser.ParseExpr(text)
	if err != nil {
		return c.failf("%q: %w", text, err)
	}
	return c.compile(e)
}

func (c *formula) failf(format string, args ...any) evaluation {
	c.err = errors.Join(c.err, fmt.Errorf(format, args...))
	return nil
}

func (c *formula) compile(e ast.Expr) evaluation {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.compile(e.X)
	case *ast.BasicLit:
		x, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			return c.failf("%q is no number", e.Value)
		}
		return func([]float64) float64 { return x }
	case *ast.Ident:
		for i := range c.parts {
			if c.parts[i].Name == e.Name {
				return func(state []float64) float64 { return state[i] }
			}
		}
		return c.failf("there is no part %q", e.Name)
	case *ast.BinaryExpr:
		if op := binaries[e.Op]; op != nil {
			x, y := c.compile(e.X), c.compile(e.Y)
			return func(state []float64) float64 { return op(x(state), y(state)) }
		}
		return c.failf("there is no operator %q", e.Op.String())
	case *ast.CallExpr:
		return c.call(e)
	}
	return c.failf("%T is no part of a statistic", e)
}

func (c *formula) call(e *ast.CallExpr) evaluation {
	name, _ := e.Fun.(*ast.Ident)
	args := make([]evaluation, len(e.Args))
	for i := range e.Args {
		args[i] = c.compile(e.Args[i])
	}
	switch {
	case name == nil:
	case name.Name == "sqrt" && len(args) == 1:
		return func(state []float64) float64 { return math.Sqrt(args[0](state)) }
	case name.Name == "pow" && len(args) == 2:
		return func(state []float64) float64 { return math.Pow(args[0](state), args[1](state)) }
	case name.Name == "choose" && len(args) == 3:
		return func(state []float64) float64 {
			if args[0](state) != 0 {
				return args[1](state)
			}
			return args[2](state)
		}
	}
	return c.failf("there is no such function of %d arguments", len(args))
}

// binaries are the operators.
var binaries = map[token.Token]func(x, y float64) float64{
	token.ADD: func(x, y float64) float64 { return x + y }, token.SUB: func(x, y float64) float64 { return x - y },
	token.MUL: func(x, y float64) float64 { return x * y }, token.QUO: func(x, y float64) float64 { return x / y },
	token.GTR: func(x, y float64) float64 { return truth(x > y) }, token.LSS: func(x, y float64) float64 { return truth(x < y) },
	token.EQL: func(x, y float64) float64 { return truth(x == y) }, token.NEQ: func(x, y float64) float64 { return truth(x != y) },
	token.LAND: func(x, y float64) float64 { return truth(x != 0 && y != 0) },
	token.LOR:  func(x, y float64) float64 { return truth(x != 0 || y != 0) },
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
