package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
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
	cond := convert.Condition(ofRow(b, r, n.Cols), sqlstate.Must(sql.ParseExpr(r.Where)), "WHERE")
	return &algebra.Filter{Input: n, Conds: algebra.Conjuncts(cond)}
}

// ofRow binds what the catalog says of the rows of a relation, whose columns are the first ones of some.
func ofRow(b *scope.Binder, r *scope.Relation, cols []algebra.Column) *scope.Exprs {
	return &scope.Exprs{Binder: b, Scope: scope.New(r.Ref.Name, cols[:len(r.Columns)]), Clause: "partition constraint"}
}

// HasTableOID reports whether a relation has the column tableoid, and the statement names such a column.
func HasTableOID(b *scope.Binder, r *scope.Relation) bool { return r.TableOID != nil && b.TableOIDs() }

// AddTableOID adds the column tableoid to rows of a relation, whose columns are the first ones of the scope, and
// to the scope; neither where HasTableOID is false.
func AddTableOID(b *scope.Binder, r *scope.Relation, n algebra.Node, sc *scope.Scope) algebra.Node {
	if !HasTableOID(b, r) {
		return n
	}
	row := make([]algebra.Column, len(r.Columns))
	for i := range row {
		row[i] = sc.Cols[i].Col
		row[i].Name = r.Columns[i].Name
	}
	oid := b.NewColumn(scope.TableOID, algebra.TOID, false)
	if len(row) > 0 && b.KeysOf[row[0].ID] != nil {
		b.KeysOf[oid.ID] = b.KeysOf[row[0].ID]
	}
	b.Located.Add(oid.ID)
	sc.Cols = append(sc.Cols, scope.Column{Col: oid, Rel: sc.Rels[0], System: true})
	return WithTableOID(b, r, n, row, oid)
}

// WithTableOID computes the column tableoid of rows of a relation.
func WithTableOID(b *scope.Binder, r *scope.Relation, n algebra.Node, row []algebra.Column, oid algebra.Column) algebra.Node {
	e := ofRow(b, r, row).Expr(sqlstate.Must(sql.ParseExpr(r.TableOID())))
	return &algebra.Project{Input: n, Items: append(term.PassOn(n.Columns()), algebra.Item{Column: oid, Expr: e})}
}
