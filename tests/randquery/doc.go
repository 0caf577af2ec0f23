// Package randquery makes random tables and random queries over them, for
// comparing two engines, and makes a query on which they differ smaller. For one
// engine alone it has laws: how the answers to several queries that are made of one
// follow from each other.
//
// Queries are total: they give one answer whatever order an engine evaluates
// them in. Divisors are never zero, LIMIT stands on an order of all columns, and
// values that depend on the order of floating-point additions, or on the last
// bit of a logarithm, go nowhere but into the result. A few queries, marked
// Unsafe, may fail, but then fail on some row of a plain scan whatever the
// order.
package randquery
