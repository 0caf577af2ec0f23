package server_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestNamesOfErrors has errors name the table, the column and the constraint that they are about.
func TestNamesOfErrors(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	for _, c := range []struct{ statement, schema, table, column, constraint string }{
		{"CREATE TABLE p (k int PRIMARY KEY)", "", "", "", ""},
		{"CREATE TABLE c (a int NOT NULL, b int CONSTRAINT positive CHECK (b > 0), f int REFERENCES p, UNIQUE (b))", "", "", "", ""},
		{"INSERT INTO p VALUES (1)", "", "", "", ""},
		{"INSERT INTO c VALUES (1, 1, 1)", "", "", "", ""},
		{"INSERT INTO p VALUES (1)", "public", "p", "", "p_pkey"},
		{"INSERT INTO c VALUES (NULL, 2, 1)", "public", "c", "a", ""},
		{"UPDATE c SET a = NULL", "public", "c", "a", ""},
		{"INSERT INTO c VALUES (1, 0, 1)", "public", "c", "", "positive"},
		{"INSERT INTO c VALUES (1, 1, 1)", "public", "c", "", "c_b_key"},
		{"INSERT INTO c VALUES (1, 3, 2)", "public", "c", "", "c_f_fkey"},
		{"DELETE FROM p", "public", "c", "", "c_f_fkey"},
		{"ALTER TABLE c ADD CONSTRAINT large CHECK (b > 5)", "public", "c", "", "large"},
		{"ALTER TABLE c ADD COLUMN d int NOT NULL", "public", "c", "d", ""},
		{"INSERT INTO c VALUES (1, 4, NULL), (1, 5, NULL)", "", "", "", ""},
		{"CREATE UNIQUE INDEX once ON c (a)", "public", "c", "", "once"},
		{"SELECT 1 / 0", "", "", "", ""},
	} {
		_, err := simple(conn, c.statement)
		var e pgconn.PgError
		if p := (*pgconn.PgError)(nil); errors.As(err, &p) {
			e = *p
		}
		if e.SchemaName != c.schema || e.TableName != c.table || e.ColumnName != c.column || e.ConstraintName != c.constraint {
			t.Errorf("%s: schema %q, table %q, column %q, constraint %q: %v", c.statement, e.SchemaName, e.TableName, e.ColumnName, e.ConstraintName, err)
		}
	}
}
