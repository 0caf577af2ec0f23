// Package slt reads, runs and rewrites files of SQL statements with their
// expected results, in the manner of SQLite's sqllogictest.
//
// A file is a sequence of records separated by blank lines. Lines that start
// with # are comments. A record is one of
//
//	statement ok
//	CREATE TABLE t (a integer)
//
//	statement error 22012
//	SELECT 1 / 0
//
//	query int4 text
//	SELECT a, b FROM t ORDER BY a
//	----
//	1|x
//	2|NULL
//
// The words after query are PostgreSQL's names of the column types. A query with
// the word rowsort behind them gives its rows in any order; the file has them
// sorted. Cells are written as reference.Line does. A line "onlyif cubeloom"
// before a record says that PostgreSQL does not know the construct: its expected
// result was written by hand.
package slt
