package isolation

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// WriteSkew has two clients at a level, as often as rounds says, each take a
// doctor off call of whom it has read that another is on call, and counts how often
// both did.
func WriteSkew(ctx context.Context, connect func(context.Context) (*pgconn.PgConn, error), level Level, rounds int) (skewed int, err error) {
	var conns [2]*pgconn.PgConn
	for i := range conns {
		if conns[i], err = connect(ctx); err != nil {
			return 0, err
		}
		defer conns[i].Close(ctx)
	}
	run := func(i int, text string) (string, error) {
		results, err := conns[i].Exec(ctx, text).ReadAll()
		if err != nil || len(results) == 0 || len(results[0].Rows) == 0 {
			return "", err
		}
		return string(results[0].Rows[0][0]), nil
	}
	const setup = `DROP TABLE IF EXISTS doctor0, doctor1;
		CREATE TABLE doctor0 (call integer); CREATE TABLE doctor1 (call integer);
		INSERT INTO doctor0 VALUES (1); INSERT INTO doctor1 VALUES (1)`
	if _, err := run(0, setup); err != nil {
		return 0, err
	}
	for range rounds {
		if _, err := run(0, "UPDATE doctor0 SET call = 1; UPDATE doctor1 SET call = 1"); err != nil {
			return skewed, err
		}
		var read, end sync.WaitGroup
		var errs [2]error
		read.Add(2)
		for i := range 2 {
			end.Go(func() {
				_, err := run(i, "BEGIN ISOLATION LEVEL "+string(level))
				count := ""
				if err == nil {
					count, err = run(i, "SELECT a.call + b.call FROM doctor0 a, doctor1 b")
				}
				read.Done()
				read.Wait()
				if err == nil && count == "2" {
					_, err = run(i, fmt.Sprintf("UPDATE doctor%d SET call = 0", i))
				}
				if err == nil {
					_, err = run(i, "COMMIT")
				}
				var e *pgconn.PgError
				if errors.As(err, &e) && e.Code == "40001" {
					_, err = run(i, "ROLLBACK")
				}
				errs[i] = err
			})
		}
		end.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return skewed, err
		}
		left, err := run(0, "SELECT a.call + b.call FROM doctor0 a, doctor1 b")
		if err != nil {
			return skewed, err
		}
		if left == "0" {
			skewed++
		}
	}
	return skewed, nil
}
