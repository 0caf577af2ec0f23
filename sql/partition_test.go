package sql

import (
	"errors"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// wrongPartitions are statements that PostgreSQL's grammar refuses.
const wrongPartitions = `
create table t (a integer) partition range (a)
create table t (a integer) partition by (a)
create table t (a integer) partition by range
create table t (a integer) partition by range ()
create table t (a integer) partition by range (a,)
create table t (a integer) partition by range (a + 1)
create table t (a integer) partition by range (1)
create table t (a integer) partition by range ('a')
create table t (a integer) partition by range (t.a)
create table t (a integer) partition by range (lower(a) || 'x')
create table t (a integer) partition by range (lower(a) over ())
create table t (a integer) partition by range (a desc)
create table t (a integer) partition by range (a) partition by range (a)
create table t (a integer) partition by range (left)
create table t (a integer) partition by range (select)
create table t (a integer) partition by range (row(a))
create table t (a integer) partition by 'range' (a)
create table t (a integer) partition by select (a)
create table t (a integer) using heap partition by range (a)
create table t (a integer) with (fillfactor = 70) partition by range (a)
create table t partition by range (a)
create table t partition by range (a) as select 1
create table t (a, b) partition by range (a) as select 1
create table t (a) partition by range (a)
create table t (a integer) partition of u default
create table t (a integer) for values in (1)
create table p partition of t
create table p partition of
create table p partition of t ()  default
create table p partition of t (a integer) default
create table p partition of t (a with) default
create table p partition of t (a options) default
create table p partition of t (like u) default
create table p partition of t (a,) default
create table p partition of t for values
create table p partition of t for values default
create table p partition of t for (1)
create table p partition of t for values in 1
create table p partition of t for values in ()
create table p partition of t for values from (1)
create table p partition of t for values from (1) to ()
create table p partition of t for values from (1) to 2
create table p partition of t for values to (1) from (2)
create table p partition of t for values with ()
create table p partition of t for values with modulus 1
create table p partition of t for values with (modulus = 1, remainder = 0)
create table p partition of t for values with (modulus 1.5, remainder 0)
create table p partition of t for values with (modulus -1, remainder 0)
create table p partition of t for values with (modulus 2147483648, remainder 0)
create table p partition of t for values with (modulus '1', remainder 0)
create table p partition of t for values with (modulus 1, remainder 0, select 1)
create table p partition of t for values with (foo 1, modulus 1, remainder)
create table p partition of t for values with (modulus 4, foo 1)
create table p partition of t for values with ("MODULUS" 4)
create table p partition of t for values with (modulus 4, modulus 5, foo 1)
create table p partition of t for values with (remainder 4, modulus 4, remainder 4)
create table p partition of t default as select 1
create table p partition of t default inherits (u)
create table p partition of only t default
alter table t attach partition
alter table t attach p for values in (1)
alter table t attach partition p
alter table t attach partition p default, add column a integer
alter table t attach partition p default partition by range (a)
alter table t add column a integer, attach partition p default
alter table t add column a integer, detach partition p
alter table t attach partition only p default
alter table t detach partition p, drop column a
alter table t detach partition p finalize concurrently
alter table t detach partition p for values in (1)
alter table t detach p
alter view t attach partition p default
alter materialized view t detach partition p
alter view only t rename to u
alter index i attach j
alter index i attach partition j default
alter index only i attach partition j
alter index if exists i attach partition j
select * from only t *
select * from only (t) *
select * from only (t as x)
select * from only (select 1)
select * from only ((t))
select * from only f(1)
update only t * set a = 1
delete from only (t
truncate only t *
truncate only
create index on only t * (a)
create index on only (a)
insert into only t values (1)
alter table only t * rename to u
lock only t *`

func TestWrongPartitions(t *testing.T) {
	for _, text := range strings.Split(strings.TrimSpace(wrongPartitions), "\n") {
		_, err := Parse(text)
		want := askPostgres(t, text)
		var e *sqlstate.Error
		switch {
		case !errors.As(err, &e):
			t.Errorf("%s is taken", text)
		case e.Message != want.err || e.Pos != want.pos:
			t.Errorf("%s\n got %s\nwant error at %d: %s", text, describe(err), want.pos, want.err)
		}
	}
}

func TestPartitionOutcomes(t *testing.T) {
	for text, want := range map[string]string{
		"create unlogged table p partition of t default":                                     "create table p partition of t default",
		"create table t (a integer) partition by Any_Method (a)":                             "create table t (a integer) partition by any_method (a)",
		"create table p partition of t for values with (modulus 4)":                          "error 42601 at -1: remainder for hash partition must be specified",
		"create table p partition of t for values with (remainder 4)":                        "error 42601 at -1: modulus for hash partition must be specified",
		"create table p partition of t for values with (modulus 4, modulus 5)":               "error 42710 at 58: modulus for hash partition provided more than once",
		"create table p partition of t for values with (modulus 4, odd 5)":                   `error 42601 at 58: unrecognized hash partition bound specification "odd"`,
		"create table p partition of t (a primary key, primary key (b)) default":             `error 42P16 at 46: multiple primary keys for table "p" are not allowed`,
		"create table p partition of t (a generated always as (1) stored default 1) default": `error 42601 at 64: both default and generation expression specified for column "a" of table "p"`,
		"create table p partition of t (exclude (a with =)) default":                         "error 0A000 at 31: an EXCLUDE constraint is not supported",
		"create table t (a integer) inherits (u) partition by range (a)":                     "error 0A000 at 27: INHERITS is not supported",
		"create table t (a integer, primary key (b)) partition by range (a)":                 `error 42703 at 27: column "b" named in key does not exist`,
		"merge into only t * using only u on true when matched then delete":                  `error 42601 at 18: syntax error at or near "*"`,
	} {
		if got := outcome(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestPartitionTree(t *testing.T) {
	stmt, err := Parse(`create table p partition of s.t (a check (a > 0)) for values from (minvalue) to (1) partition by list (lower( a ) "C", ( a  || b ))`)
	if err != nil {
		t.Fatal(err)
	}
	if got := Tree(stmt); got != partitionTree {
		t.Errorf("got\n%s", got)
	}
}

const partitionTree = `CreateTable @0
  Name 1: p @13
  Columns 1: ColumnDef
    Name: a @33
  Checks 1: CheckDef @35
    Expr: Binary @44
      Op: ">"
      L: ColumnRef
        Name 1: a @42
      R: Literal @46
        Kind: 2
        Text: "0"
    Text: "a > 0"
  Of 1: s @28
  Of 2: t @30
  Bound: PartitionBound @61
    Method: "range"
    From 1: ColumnRef
      Name 1: minvalue @67
    To 1: Literal @81
      Kind: 2
      Text: "1"
  By: PartitionBy @84
    Method: list @97
    Keys 1: PartitionKey @103
      Expr: FuncCall @103
        Name 1: lower @103
        Args 1: ColumnRef
          Name 1: a @110
      Text: "lower( a )"
      OpClass 1: C @114
    Keys 2: PartitionKey @119
      Expr: Binary @124
        Op: "||"
        L: ColumnRef
          Name 1: a @121
        R: ColumnRef
          Name 1: b @127
      Text: "a  || b"
`

func TestMergeOnly(t *testing.T) {
	for text, only := range map[string]bool{
		"merge into only (t) as x using u on true when matched then delete": true,
		"merge into t * using u on true when matched then delete":           false,
	} {
		stmt, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if m := stmt.(*Merge); m.Only != only {
			t.Errorf("%s: %v", text, m.Only)
		}
	}
}
