package tpch

import (
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// The tables as the specification has them (clause 1.4). Fixed text is varchar:
// the specification leaves padding open.
var ddl = [...]string{
	`CREATE TABLE nation (
  n_nationkey integer NOT NULL,
  n_name varchar(25) NOT NULL,
  n_regionkey integer NOT NULL,
  n_comment varchar(152) NOT NULL
)`,
	`CREATE TABLE region (
  r_regionkey integer NOT NULL,
  r_name varchar(25) NOT NULL,
  r_comment varchar(152) NOT NULL
)`,
	`CREATE TABLE supplier (
  s_suppkey integer NOT NULL,
  s_name varchar(25) NOT NULL,
  s_address varchar(40) NOT NULL,
  s_nationkey integer NOT NULL,
  s_phone varchar(15) NOT NULL,
  s_acctbal numeric(15,2) NOT NULL,
  s_comment varchar(101) NOT NULL
)`,
	`CREATE TABLE customer (
  c_custkey integer NOT NULL,
  c_name varchar(25) NOT NULL,
  c_address varchar(40) NOT NULL,
  c_nationkey integer NOT NULL,
  c_phone varchar(15) NOT NULL,
  c_acctbal numeric(15,2) NOT NULL,
  c_mktsegment varchar(10) NOT NULL,
  c_comment varchar(117) NOT NULL
)`,
	`CREATE TABLE part (
  p_partkey integer NOT NULL,
  p_name varchar(55) NOT NULL,
  p_mfgr varchar(25) NOT NULL,
  p_brand varchar(10) NOT NULL,
  p_type varchar(25) NOT NULL,
  p_size integer NOT NULL,
  p_container varchar(10) NOT NULL,
  p_retailprice numeric(15,2) NOT NULL,
  p_comment varchar(23) NOT NULL
)`,
	`CREATE TABLE partsupp (
  ps_partkey integer NOT NULL,
  ps_suppkey integer NOT NULL,
  ps_availqty integer NOT NULL,
  ps_supplycost numeric(15,2) NOT NULL,
  ps_comment varchar(199) NOT NULL
)`,
	`CREATE TABLE orders (
  o_orderkey bigint NOT NULL,
  o_custkey integer NOT NULL,
  o_orderstatus varchar(1) NOT NULL,
  o_totalprice numeric(15,2) NOT NULL,
  o_orderdate date NOT NULL,
  o_orderpriority varchar(15) NOT NULL,
  o_clerk varchar(15) NOT NULL,
  o_shippriority integer NOT NULL,
  o_comment varchar(79) NOT NULL
)`,
	`CREATE TABLE lineitem (
  l_orderkey bigint NOT NULL,
  l_partkey integer NOT NULL,
  l_suppkey integer NOT NULL,
  l_linenumber integer NOT NULL,
  l_quantity numeric(15,2) NOT NULL,
  l_extendedprice numeric(15,2) NOT NULL,
  l_discount numeric(15,2) NOT NULL,
  l_tax numeric(15,2) NOT NULL,
  l_returnflag varchar(1) NOT NULL,
  l_linestatus varchar(1) NOT NULL,
  l_shipdate date NOT NULL,
  l_commitdate date NOT NULL,
  l_receiptdate date NOT NULL,
  l_shipinstruct varchar(25) NOT NULL,
  l_shipmode varchar(10) NOT NULL,
  l_comment varchar(44) NOT NULL
)`,
}

// The order of the tables in ddl.
const (
	nation = iota
	region
	supplier
	customer
	part
	partsupp
	orders
	lineitem
)

// schemaOf reads the Arrow schema off one of the statements above: a line per
// column, name and type separated by a space.
func schemaOf(statement string) (name string, schema *arrow.Schema) {
	lines := strings.Split(statement, "\n")
	name = strings.Fields(lines[0])[2]
	var fields []arrow.Field
	for _, line := range lines[1 : len(lines)-1] {
		words := strings.Fields(line)
		fields = append(fields, arrow.Field{Name: words[0], Type: arrowType(words[1])})
	}
	return name, arrow.NewSchema(fields, nil)
}

func arrowType(sql string) arrow.DataType {
	switch {
	case sql == "integer":
		return arrow.PrimitiveTypes.Int32
	case sql == "bigint":
		return arrow.PrimitiveTypes.Int64
	case sql == "date":
		return arrow.FixedWidthTypes.Date32
	case strings.HasPrefix(sql, "numeric"):
		return &arrow.Decimal128Type{Precision: 15, Scale: 2}
	default:
		return arrow.BinaryTypes.String
	}
}
