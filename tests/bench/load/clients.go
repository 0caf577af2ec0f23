package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/tests/bench/process"
)

// kind is a kind of client, with the statements that it asks in turn.
type kind struct {
	name       string
	statements []string
	share      int // of ten clients
}

// cubeKind is the name of the long queries.
const cubeKind = "cube"

// kinds are what the mixture is made of. The first is the short select.
func kinds() []kind {
	var short []string
	for key := range 50 {
		short = append(short, fmt.Sprintf("SELECT c_name, c_city, c_phone FROM customer WHERE c_custkey = %d", 1+key*7))
	}
	var ssb []string
	for _, q := range workload.SSBQueries() {
		ssb = append(ssb, q.SQL)
	}
	cubes := []string{
		`SELECT d_year, c_nation, s_nation, p_category, GROUPING(d_year, c_nation, s_nation, p_category), sum(lo_revenue), count(*)
FROM lineorder, date, customer, supplier, part
WHERE lo_orderdate = d_datekey AND lo_custkey = c_custkey AND lo_suppkey = s_suppkey AND lo_partkey = p_partkey
GROUP BY CUBE (d_year, c_nation, s_nation, p_category)`,
		`SELECT lo_shipmode, lo_orderpriority, lo_quantity, lo_discount, GROUPING(lo_shipmode, lo_orderpriority, lo_quantity, lo_discount), sum(lo_revenue), min(lo_tax), count(*)
FROM lineorder GROUP BY CUBE (lo_shipmode, lo_orderpriority, lo_quantity, lo_discount)`,
	}
	return []kind{{"short select", short, 6}, {"SSB", ssb, 3}, {cubeKind, cubes, 1}}
}

// ask runs a statement by the extended protocol, with binary results or not.
func ask(ctx context.Context, conn *pgconn.PgConn, text string, inBinary bool) (a harness.Digest, err error) {
	format := []int16{0}
	if inBinary {
		format[0] = 1
	}
	rows := conn.ExecParams(ctx, text, nil, nil, nil, format)
	var row []byte
	for rows.NextRow() {
		row = row[:0]
		for _, cell := range rows.Values() {
			row = harness.AppendCell(row, cell, cell == nil)
		}
		a.Add(row)
	}
	_, err = rows.Close()
	return a, err
}

// expected are the right answers, by format, binary or not, and text.
type expected map[bool]map[string]harness.Digest

// dial connects to the server, with a default isolation level, or its own for "".
func dial(ctx context.Context, address, level string) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig("user=postgres database=postgres sslmode=disable host=" + filepath.Dir(address))
	if err != nil {
		return nil, err
	}
	config.Fallbacks = nil
	config.DialFunc = dialer(address)
	if level != "" {
		config.RuntimeParams["default_transaction_isolation"] = level
	}
	return pgconn.ConnectConfig(ctx, config)
}

// prepare starts the server and asks it every statement once. Who calls stops it.
func prepare(ctx context.Context, o *options) (*process.Server, expected, error) {
	fmt.Fprintln(os.Stderr, "loading")
	p, err := start(o)
	if err != nil {
		return nil, nil, err
	}
	right, err := learn(ctx, p.Address)
	if err != nil {
		return nil, nil, errors.Join(err, p.Stop())
	}
	return p, right, nil
}

// learn asks every statement once, while nobody else does.
func learn(ctx context.Context, address string) (expected, error) {
	conn, err := dial(ctx, address, "")
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	right := expected{false: {}, true: {}}
	for _, k := range kinds() {
		for _, text := range k.statements {
			for _, format := range []bool{false, true} {
				if right[format][text], err = ask(ctx, conn, text, format); err != nil {
					return nil, fmt.Errorf("%s: %w", text, err)
				}
			}
		}
	}
	return right, nil
}

// client is one client at work.
type client struct {
	kind  *kind
	id    int
	times []time.Duration // of each answer
	wrong int
	first error // what was wrong first
}

// crowd is how clients work.
type crowd struct {
	address    string
	right      expected
	think      time.Duration
	level      string // default isolation level; "": the server's
	statements int    // how many each client asks, half as many of the cubes; 0: as many as there is time for
}

// share is how many statements a client asks at the most.
func (w *crowd) share(k *kind) int {
	switch {
	case w.statements == 0:
		return math.MaxInt
	case k.name == cubeKind:
		return (w.statements + 1) / 2
	}
	return w.statements
}

// work has a client ask statements until ctx ends or it has asked its share, each answer
// compared.
func (w *crowd) work(ctx context.Context, c *client) error {
	conn, err := dial(ctx, w.address, w.level)
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	for i := c.id; ctx.Err() == nil && i-c.id < w.share(c.kind); i++ {
		text, format := c.kind.statements[i%len(c.kind.statements)], i%2 == 0
		began := time.Now()
		got, err := ask(context.Background(), conn, text, format)
		c.times = append(c.times, time.Since(began))
		if want := w.right[format][text]; err != nil || got != want {
			c.wrong++
			if c.first == nil {
				c.first = fmt.Errorf("%s: %d rows, want %d (%w)", text, got.Rows, want.Rows, errors.Join(err))
			}
			if conn.IsClosed() {
				return c.first
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(rand.N(w.think + 1)):
		}
	}
	return nil
}

// run has clients work for d at the most: of each kind its share of n, or only the first
// kind with that share.
func (w *crowd) run(ctx context.Context, n int, onlyShort bool, d time.Duration) ([]*client, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	all := kinds()
	var clients []*client
	for k := range all {
		if k > 0 && onlyShort {
			break
		}
		for range n * all[k].share / 10 {
			clients = append(clients, &client{kind: &all[k], id: len(clients)})
		}
	}
	failures := make([]error, len(clients))
	var wg sync.WaitGroup
	for i, c := range clients {
		wg.Go(func() { failures[i] = w.work(ctx, c) })
	}
	wg.Wait()
	return clients, errors.Join(failures...)
}
