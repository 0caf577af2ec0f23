package main

import (
	"context"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// timing is what running a query several times, hot, gave.
type timing struct {
	time  time.Duration // median
	bytes int64         // of intermediates written
	rows  int64
	res   *cubeloom.Result
}

// configured is a session with fusion on or off, on the given device, with other settings as change takes them.
func configured(ctx context.Context, db *cubeloom.DB, fusion, device string, settings ...string) (*cubeloom.Session, error) {
	session := db.Session()
	if err := change(ctx, session, "fusion = "+fusion, "device = "+device); err != nil {
		return nil, err
	}
	return session, change(ctx, session, settings...)
}

// change changes settings of a session, such as "tuning = off".
func change(ctx context.Context, session *cubeloom.Session, settings ...string) error {
	for _, s := range settings {
		if _, err := session.Query(ctx, "SET "+s); err != nil {
			return err
		}
	}
	return nil
}

// assignments are settings as change takes them.
func assignments(settings map[string]string) (all []string) {
	for name, value := range settings {
		all = append(all, name+" = '"+value+"'")
	}
	return all
}

// timeQuery runs a query once and then runs times, with fusion on or off, on the
// given device, and returns the median of the later times.
func timeQuery(ctx context.Context, db *cubeloom.DB, fusion, device, text string, runs int) timing {
	session := sqlstate.Must(configured(ctx, db, fusion, device))
	return sqlstate.Must(timeIn(ctx, session, text, runs))
}

// timeAnswer is timeQuery, and reads the rows of the last run, which are not kept.
func timeAnswer(ctx context.Context, db *cubeloom.DB, fusion, device, text string, runs int) (timing, answer) {
	t := timeQuery(ctx, db, fusion, device, text, runs)
	defer t.res.Close()
	a := sqlstate.Must(readAnswer(t.res))
	return t, a
}

// settling is how long a query runs before it is timed, while it seeks quicker kernels.
const settling = 20 * time.Second

// timeIn is timeQuery in a session that is configured.
func timeIn(ctx context.Context, session *cubeloom.Session, text string, runs int) (_ timing, err error) {
	defer sqlstate.Catch(&err)
	res := sqlstate.Must(session.Query(ctx, text))
	for start := time.Now(); res.Stats.Seeks && time.Since(start) < settling; {
		res.Close()
		res = sqlstate.Must(session.Query(ctx, text))
	}
	costs := sqlstate.Must(harness.Repeat(runs, nil, func() (err error) {
		res.Close()
		res, err = session.Query(ctx, text)
		return err
	}, nil))
	return timing{time: costs.Median().Elapsed, bytes: res.Stats.BytesWritten(), rows: res.Rows(), res: res}, nil
}
