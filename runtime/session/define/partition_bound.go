package define

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bounding reads the bound of a new partition.
type bounding struct {
	s      *session.Session
	parent *store.Table
	name   string // of the partition
	stmt   *sql.PartitionBound
	others []*store.Table // the partitions that there are
}

// read is what the bound says, which no other partition may overlap.
func (b *bounding) read() algebra.PartitionBound {
	by := b.parent.By()
	if b.stmt.Default {
		return b.byDefault()
	}
	if !strings.EqualFold(b.stmt.Method, by.Method) {
		panic(value.ErrorAt(int(b.stmt.Pos), value.CodeInvalidTable, "invalid bound specification for a %s partition", strings.ToLower(by.Method)))
	}
	var bound algebra.PartitionBound
	switch by.Method {
	case algebra.ByHash:
		bound = b.hash()
	case algebra.ByList:
		bound = b.list()
	default:
		bound = b.ranged()
	}
	if p, pos := b.overlapped(&bound); p != nil {
		panic(value.ErrorAt(int(pos), value.CodeInvalidObjectDefinition, "partition %q would overlap partition %q", b.name, p.Name()))
	}
	return bound
}

// overlapped is a partition which has rows that are within a bound, too, and where the statement says so; nil
// for none. It is the first one of RANGE by its values.
func (b *bounding) overlapped(bound *algebra.PartitionBound) (found *store.Table, pos sql.Pos) {
	by := b.parent.By()
	for _, p := range b.others {
		other := &p.Of().Bound
		if other.Default || !overlap(by, bound, other) {
			continue
		}
		switch by.Method {
		case algebra.ByHash:
			return p, b.stmt.Pos
		case algebra.ByList:
			at := slices.IndexFunc(b.stmt.Values, func(e sql.Expr) bool {
				return hasValue(other.Values, &algebra.PartitionValue{Kind: algebra.PartitionConstant, Val: b.constant(e, 0)})
			})
			return p, b.stmt.Values[at].Position()
		}
		if found == nil || catalog.CompareBounds(other.From, found.Of().Bound.From) < 0 {
			if found, pos = p, b.stmt.To[0].Position(); catalog.CompareBounds(other.From, bound.From) <= 0 {
				pos = b.stmt.From[0].Position()
			}
		}
	}
	return found, pos
}

// byDefault is DEFAULT, which only one partition is.
func (b *bounding) byDefault() algebra.PartitionBound {
	if b.parent.By().Method == algebra.ByHash {
		panic(value.Errorf(value.CodeInvalidTable, "a hash-partitioned table may not have a default partition"))
	}
	for _, p := range b.others {
		if p.Of().Bound.Default {
			panic(value.ErrorAt(int(b.stmt.Pos), value.CodeInvalidObjectDefinition, "partition %q conflicts with existing default partition %q", b.name, p.Name()))
		}
	}
	return algebra.PartitionBound{Default: true}
}

// hash is WITH (MODULUS …, REMAINDER …).
func (b *bounding) hash() algebra.PartitionBound {
	switch bound := b.stmt; {
	case bound.Modulus <= 0:
		panic(value.Errorf(value.CodeInvalidTable, "modulus for hash partition must be an integer value greater than zero"))
	case bound.Remainder < 0:
		panic(value.Errorf(value.CodeInvalidTable, "remainder for hash partition must be an integer value greater than or equal to zero"))
	case bound.Remainder >= bound.Modulus:
		panic(value.Errorf(value.CodeInvalidTable, "remainder for hash partition must be less than modulus"))
	}
	for _, p := range b.others {
		less, more := p.Of().Bound.Modulus, b.stmt.Modulus
		if less > more {
			less, more = more, less
		}
		if more%less != 0 {
			e := value.Errorf(value.CodeInvalidObjectDefinition, "every hash partition modulus must be a factor of the next larger modulus")
			e.Detail = fmt.Sprintf("The new modulus %d is not %s %d, the modulus of existing partition %q.", b.stmt.Modulus,
				map[bool]string{true: "divisible by", false: "a factor of"}[p.Of().Bound.Modulus == less], p.Of().Bound.Modulus, p.Name())
			panic(e)
		}
	}
	return algebra.PartitionBound{Modulus: b.stmt.Modulus, Remainder: b.stmt.Remainder}
}

// list is IN (…), in which each value counts once.
func (b *bounding) list() (bound algebra.PartitionBound) {
	for _, e := range b.stmt.Values {
		v := algebra.PartitionValue{Kind: algebra.PartitionConstant, Val: b.constant(e, 0)}
		if !hasValue(bound.Values, &v) {
			bound.Values = append(bound.Values, v)
		}
	}
	return bound
}

// ranged is FROM (…) TO (…).
func (b *bounding) ranged() algebra.PartitionBound {
	keys := len(b.parent.By().Keys)
	switch {
	case len(b.stmt.From) != keys:
		panic(value.Errorf(value.CodeInvalidTable, "FROM must specify exactly one value per partitioning column"))
	case len(b.stmt.To) != keys:
		panic(value.Errorf(value.CodeInvalidTable, "TO must specify exactly one value per partitioning column"))
	}
	bound := algebra.PartitionBound{From: b.side(b.stmt.From), To: b.side(b.stmt.To)}
	if catalog.CompareBounds(bound.From, bound.To) >= 0 {
		e := value.ErrorAt(int(b.stmt.From[0].Position()), value.CodeInvalidObjectDefinition, "empty range bound specified for partition %q", b.name)
		e.Detail = fmt.Sprintf("Specified lower bound %s is greater than or equal to upper bound %s.", catalog.BoundValues(b.parent, bound.From), catalog.BoundValues(b.parent, bound.To))
		panic(e)
	}
	return bound
}

// side are the values of FROM or TO.
func (b *bounding) side(exprs []sql.Expr) (values []algebra.PartitionValue) {
	for i, e := range exprs {
		v := algebra.PartitionValue{Kind: boundKind(e)}
		if v.Kind == algebra.PartitionConstant {
			if v.Val = b.constant(e, i); v.Val.Kind == value.Null {
				panic(value.Errorf(value.CodeInvalidObjectDefinition, "cannot specify NULL in range bound"))
			}
		}
		if i > 0 && values[i-1].Kind != algebra.PartitionConstant && values[i-1].Kind != v.Kind {
			word := map[algebra.PartitionValueKind]string{algebra.PartitionMin: "MINVALUE", algebra.PartitionMax: "MAXVALUE"}[values[i-1].Kind]
			panic(value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch, "every bound following %s must also be %s", word, word))
		}
		values = append(values, v)
	}
	return values
}

// boundKind is the kind of what an expression in a range stands for.
func boundKind(e sql.Expr) algebra.PartitionValueKind {
	if ref, ok := e.(*sql.ColumnRef); ok && len(ref.Name) == 1 {
		switch ref.Name[0].Name {
		case "minvalue":
			return algebra.PartitionMin
		case "maxvalue":
			return algebra.PartitionMax
		}
	}
	return algebra.PartitionConstant
}

// constant is the value of an expression for a key.
func (b *bounding) constant(e sql.Expr, key int) value.Value {
	return sqlstate.Must(planner.PartitionConstant(e, b.parent.By().Keys[key].Type, catalog.ShownKeys(b.parent)[key], catalog.Of(b.s), query.Options(b.s)))
}

// hasValue reports whether a list has a value.
func hasValue(list []algebra.PartitionValue, v *algebra.PartitionValue) bool {
	for i := range list {
		if other := &list[i].Val; other.Kind == v.Val.Kind && (other.Kind == value.Null || eval.Compare(*other, v.Val) == 0) {
			return true
		}
	}
	return false
}

// overlap reports whether a row can be within two bounds.
func overlap(by *algebra.Partitioning, a, b *algebra.PartitionBound) bool {
	switch by.Method {
	case algebra.ByHash:
		less := min(a.Modulus, b.Modulus) // which divides the other
		return a.Remainder%less == b.Remainder%less
	case algebra.ByList:
		return slices.ContainsFunc(a.Values, func(v algebra.PartitionValue) bool { return hasValue(b.Values, &v) })
	}
	return catalog.CompareBounds(a.From, b.To) < 0 && catalog.CompareBounds(b.From, a.To) < 0
}
