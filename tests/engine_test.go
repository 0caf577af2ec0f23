package tests

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// A configuration is a way to run every query; the answers must not depend on
// it.
type configuration struct {
	fusion, hashJoins   string
	threads, vectorRows int
}

func (c configuration) String() string {
	return fmt.Sprintf("fusion=%s,threads=%d,vector_rows=%d,enable_hashjoin=%s", c.fusion, c.threads, c.vectorRows, c.hashJoins)
}

// configurations lists fused and unfused, one thread and two, vectors of one
// row and of 1024; half of them merge wherever they can, each together with one of
// any two others.
func configurations() []configuration {
	var all []configuration
	for _, fusion := range []string{"on", "off"} {
		for _, threads := range []int{1, 2} {
			for _, rows := range []int{1024, 1} {
				hashJoins := "on"
				if (fusion == "on") != (threads == 1) != (rows == 1) {
					hashJoins = "off"
				}
				all = append(all, configuration{fusion, hashJoins, threads, rows})
			}
		}
	}
	return all
}

// An engine is an in-memory database of Cubeloom with one session, as an
// slt.Database.
type engine struct {
	db      *cubeloom.DB
	session *cubeloom.Session
}

// openDatabase opens a database until the test ends.
func openDatabase(t *testing.T, options cubeloom.Options) *cubeloom.DB {
	t.Helper()
	db, err := cubeloom.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func openEngine(t *testing.T) *engine {
	t.Helper()
	db := openDatabase(t, cubeloom.Options{})
	return &engine{db, db.Session()}
}

// configure makes the following queries run as c says.
func (e *engine) configure(t *testing.T, c configuration) {
	t.Helper()
	for _, sql := range []string{
		"SET fusion = " + c.fusion,
		"SET enable_hashjoin = " + c.hashJoins,
		fmt.Sprintf("SET threads = %d", c.threads),
		fmt.Sprintf("SET vector_rows = %d", c.vectorRows),
	} {
		if _, err := e.session.Query(context.Background(), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// Query runs one statement.
func (e *engine) Query(ctx context.Context, sql string) (*reference.Result, error) {
	res, err := e.session.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return reference.Read(res)
}

// SQLState is the SQLSTATE of an error of Cubeloom.
func (e *engine) SQLState(err error) string {
	var failure *cubeloom.Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}
