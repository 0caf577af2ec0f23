package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// OwnRows keeps those rows of a scan that are the relation's: all but where it is a partition, and none
// where only is set and all of its rows are those of partitions.
func OwnRows(b *scope.Binder, r *scope.Relation, n *algebra.Scan, only bool) algebra.Node {
	switch {
	case only && r.Partitioned:
		return &algebra.Filter{Input: n, Conds: []algebra.Expr{&algebra.Const{Typ: algebra.TBool, Val: value.Value{Kind: value.Bool}}}}
	case r.Where == "":
		return n
	}
	x := &scope.Exprs{Binder: b, Scope: scope.New(r.Ref.Name, n.Cols[:len(r.Columns)]), Clause: "partition constraint"}
	cond := convert.Condition(x, sqlstate.Must(sql.ParseExpr(r.Where)), "WHERE")
	return &algebra.Filter{Input: n, Conds: algebra.Conjuncts(cond)}
}
