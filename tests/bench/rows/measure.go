package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// createTable makes the table of 16 columns of mixed types; %d is its rows.
const createTable = `CREATE TABLE wide AS SELECT
	i AS id, (i %% 1000)::smallint AS small, (i * 7919 %% 1000000)::int AS quantity, i %% 3 = 0 AS flag,
	(i * 31 %% 10000000 * 0.01)::numeric(12,2) AS price, (i %% 10000 * 0.0001)::numeric(6,4) AS rate,
	(i * 1000003 * 0.000001)::numeric(18,6) AS amount,
	sqrt(i::float8) AS root, (i %% 1000) / 4::float8 AS quarter,
	date '1992-01-01' + (i %% 2500)::int AS day, timestamp '2020-01-01 00:00:00' + i * interval '1.234567 seconds' AS at,
	CASE i %% 5 WHEN 0 THEN 'AFRICA' WHEN 1 THEN 'AMERICA' WHEN 2 THEN 'ASIA' WHEN 3 THEN 'EUROPE' ELSE 'MIDDLE EAST' END AS region,
	CASE WHEN i %% 10 > 0 THEN (i %% 100000)::int END AS rarely_null, 'Customer#' || lpad(i::text, 9, '0') AS name,
	'the quick brown fox number ' || i || ' jumps over the lazy dog' AS note, CASE WHEN i %% 2 = 0 THEN 'even' END AS parity
FROM generate_series(1::bigint, %d) AS g(i)`

// way is one way of reading the table.
type way struct {
	name string
	read func(w *wire, digest bool) (received, error)
}

// ways are what is measured.
var ways = []way{
	{"simple query, text", func(w *wire, d bool) (received, error) { return w.query("SELECT * FROM wide", d) }},
	{"extended query, text", func(w *wire, d bool) (received, error) { return w.execute("SELECT * FROM wide", 0, d) }},
	{"extended query, binary", func(w *wire, d bool) (received, error) { return w.execute("SELECT * FROM wide", 1, d) }},
	{"COPY, text", func(w *wire, d bool) (received, error) { return w.query("COPY wide TO STDOUT", d) }},
	{"COPY, csv", func(w *wire, d bool) (received, error) { return w.query("COPY wide TO STDOUT (FORMAT csv)", d) }},
	{"COPY, binary", func(w *wire, d bool) (received, error) { return w.query("COPY wide TO STDOUT (FORMAT binary)", d) }},
	{"cursor, 10000 rows a FETCH", func(w *wire, d bool) (received, error) { return w.fetchAll(10_000, d) }},
	{"cursor, 100 rows a FETCH", func(w *wire, d bool) (received, error) { return w.fetchAll(100, d) }},
}

// fetchAll reads the table through a cursor.
func (w *wire) fetchAll(size int64, digest bool) (all received, err error) {
	if _, err := w.query("BEGIN; DECLARE c CURSOR FOR SELECT * FROM wide", false); err != nil {
		return all, err
	}
	fetch := fmt.Sprintf("FETCH %d FROM c", size)
	for {
		part, err := w.query(fetch, digest)
		if err != nil {
			return all, err
		}
		all.Append(part.Digest)
		all.bytes += part.bytes
		if part.Rows < size {
			break
		}
	}
	_, err = w.query("CLOSE c; COMMIT", false)
	return all, err
}

// measure starts both servers, compares what they send and times it.
func measure(ctx context.Context, o *options) (err error) {
	ours, err := startCubeloom()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ours.close()) }()
	theirs, err := startPostgres(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, theirs.close()) }()
	for _, c := range []*contender{ours, theirs} {
		fmt.Fprintf(os.Stderr, "making the table in %s\n", c.name)
		if _, err := c.wire.query(fmt.Sprintf(createTable, o.rows), false); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	out := harness.Table(os.Stdout)
	fmt.Fprintf(out, "%d rows, 16 columns, median of %d runs\n", o.rows, o.runs)
	fmt.Fprintln(out, "way\tMB\tcubeloom rows/s\tpostgresql rows/s\tratio\tcubeloom CPU µs/row\tpostgresql CPU µs/row\tratio\t")
	for _, way := range ways {
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, way.name)
		bytes, err := compare(way, ours.wire, theirs.wire)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		var times [2]harness.Cost
		for i, c := range []*contender{ours, theirs} {
			if times[i], err = clock(way, c, o.runs); err != nil {
				return fmt.Errorf("%s from %s: %w", way.name, c.name, err)
			}
		}
		a, b := per(times[0], o.rows), per(times[1], o.rows)
		fmt.Fprintf(out, "%s\t%.1f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", way.name, float64(bytes)/1e6,
			1e6/a.elapsed, 1e6/b.elapsed, b.elapsed/a.elapsed, a.cpu, b.cpu, b.cpu/a.cpu)
	}
	return out.Flush()
}

// compare checks that both servers send the same rows, in any order, and returns
// the number of bytes.
func compare(way way, ours, theirs *wire) (int64, error) {
	got, err := way.read(ours, true)
	if err != nil {
		return 0, err
	}
	want, err := way.read(theirs, true)
	if err != nil {
		return 0, err
	}
	if got.Digest != want.Digest {
		return 0, fmt.Errorf("cubeloom sent %v, postgresql %v", got.Digest, want.Digest)
	}
	return got.bytes, nil
}

// microseconds are those of one row.
type microseconds struct{ elapsed, cpu float64 }

// per is the cost of one of so many rows.
func per(c harness.Cost, rows int64) microseconds {
	return microseconds{c.Elapsed.Seconds() * 1e6 / float64(rows), c.CPU.Seconds() * 1e6 / float64(rows)}
}

// clock is the median cost of reading. What the server computed is the mean of
// all runs, since the system counts it coarsely.
func clock(way way, c *contender, runs int) (harness.Cost, error) {
	costs, err := harness.Repeat(runs, c.cpu, func() error {
		_, err := way.read(c.wire, false)
		return err
	}, nil)
	if err != nil {
		return harness.Cost{}, err
	}
	return harness.Cost{Elapsed: costs.Median().Elapsed, CPU: costs.MeanCPU()}, nil
}
