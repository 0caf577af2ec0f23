package define

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// partitionMethods are those that PARTITION BY names.
var partitionMethods = map[string]string{"range": algebra.ByRange, "list": algebra.ByList, "hash": algebra.ByHash}

// partitioning is what PARTITION BY says of a table; nil where it does not stand there.
func partitioning(s *session.Session, table *store.Table, stmt *sql.PartitionBy) *algebra.Partitioning {
	if stmt == nil {
		return nil
	}
	by := &algebra.Partitioning{Method: partitionMethods[stmt.Method.Name]}
	switch {
	case by.Method == "":
		panic(value.Errorf(value.CodeInvalidParameter, "unrecognized partitioning strategy %q", stmt.Method.Name))
	case by.Method == algebra.ByList && len(stmt.Keys) > 1:
		panic(value.Errorf(value.CodeInvalidObjectDefinition, "cannot use \"list\" partition strategy with more than one column"))
	}
	for i := range stmt.Keys {
		by.Keys = append(by.Keys, partitionKey(s, table, by.Method, &stmt.Keys[i]))
	}
	return by
}

// partitionKey is one key of PARTITION BY.
func partitionKey(s *session.Session, table *store.Table, by string, def *sql.PartitionKey) algebra.PartitionKey {
	key := algebra.PartitionKey{Is: def.Expr == nil}
	pos := int(def.Pos)
	if key.Is {
		i := table.Ordinal(def.Column.Name)
		if i < 0 {
			panic(value.ErrorAt(pos, value.CodeUndefinedColumn, "column %q named in partition key does not exist", def.Column.Name))
		}
		key.Columns, key.Type = []int{i}, table.Columns()[i].Type
	} else {
		rel := catalog.DescribeSource(table.Name(), table)
		key.Text = stored(s, withoutParens(def.Text))
		var err error
		key.Columns, key.Type, err = planner.PartitionedColumns(rel, def.Expr, catalog.Of(s), query.Options(s))
		sqlstate.Check(err)
	}
	if by == algebra.ByHash && !catalog.Hashes(key.Type) {
		panic(value.ErrorAt(pos, value.CodeFeatureNotSupported, "partitioning by the hash of the type %s is not supported", sqltype.Name(key.Type)))
	}
	if key.Type.Kind == algebra.Enum { // whose labels can get other positions
		panic(value.ErrorAt(pos, value.CodeFeatureNotSupported, "partitioning by an enum is not supported"))
	}
	for _, i := range key.Columns {
		if c := &table.Columns()[i]; c.Generated() != "" {
			e := value.ErrorAt(pos, value.CodeInvalidObjectDefinition, "cannot use generated column in partition key")
			e.Detail = fmt.Sprintf("Column %q is a generated column.", c.Name)
			panic(e)
		}
	}
	if key.Type.Kind == algebra.JSONText || key.Type.Kind == algebra.JSONPath {
		e := value.Errorf(value.CodeUndefinedObject, "data type %s has no default operator class for access method \"btree\"", sqltype.Name(key.Type))
		e.Hint = "You must specify a btree operator class or define a default btree operator class for the data type."
		panic(e)
	}
	return key
}

// renameInPartitioning is how a table is partitioned with another name for column i.
func renameInPartitioning(table *store.Table, i int, to string) *algebra.Partitioning {
	by := table.By().Moved(func(columns []int) []int { return columns })
	if by == nil {
		return nil
	}
	for n := range by.Keys {
		if key := &by.Keys[n]; !key.Is && slices.Contains(key.Columns, i) {
			key.Text = sqlstate.Must(sql.RenameColumnIn(key.Text, table.Columns()[i].Name, to))
		}
	}
	return by
}

// checkPartitionedKey fails where a key of a partitioned table lacks a column that it is partitioned by.
func checkPartitionedKey(table *store.Table, key *store.Key) {
	if table.By() == nil || !key.Enforced() {
		return
	}
	kind := "UNIQUE"
	if key.Primary {
		kind = "PRIMARY KEY"
	}
	for _, by := range table.By().Keys {
		if !by.Is {
			e := value.Errorf(value.CodeFeatureNotSupported, "unsupported %s constraint with partition key definition", kind)
			e.Detail = kind + " constraints cannot be used when partition keys include expressions."
			panic(e)
		}
		if !slices.Contains(key.Columns, by.Columns[0]) {
			e := value.Errorf(value.CodeFeatureNotSupported, "unique constraint on partitioned table must include all partitioning columns")
			e.Detail = fmt.Sprintf("%s constraint on table %q lacks column %q which is part of the partition key.", kind, table.Name(), table.Columns()[by.Columns[0]].Name)
			panic(e)
		}
	}
}
