// Package reference runs a private PostgreSQL server and holds its answers as
// text, so that tests can compare Cubeloom's with them.
package reference
