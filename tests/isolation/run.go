package isolation

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
)

// Run has clients of a server run random transactions at the same time, and returns
// their history; with it how many could not be serialized. The last transaction
// reads everything. Connect opens a connection. Errors other than those of
// transactions that stand in each other's way end it.
func Run(ctx context.Context, connect func(context.Context) (*pgconn.PgConn, error), o Options) (h History, failed int, err error) {
	setup, err := connect(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer setup.Close(ctx)
	if _, err := setup.Exec(ctx, schema(&o)).ReadAll(); err != nil {
		return nil, 0, err
	}
	r := &runner{options: &o}
	clients := make([]client, o.Clients)
	errs := make([]error, o.Clients)
	var work sync.WaitGroup
	for i := range clients {
		clients[i] = client{runner: r, plan: newPlanner(&o, i, func() int { return int(r.values.Add(1)) })}
		work.Go(func() { errs[i] = clients[i].run(ctx, connect) })
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, 0, err
	}
	for i := range clients {
		h = append(h, clients[i].done...)
		failed += clients[i].failed
	}
	last := client{runner: r, conn: setup}
	if err := last.transaction(ctx, everything(&o)); err != nil {
		return nil, 0, err
	}
	return append(h, last.done...), failed, nil
}

// schema makes the tables of a run.
func schema(o *Options) string {
	var text strings.Builder
	for t := range o.Tables {
		for _, table := range []struct{ name, columns string }{{"list", "k text, v text"}, {"register", "k text, v integer"}, {"set", "k text, v integer"}} {
			name := fmt.Sprintf("%ss%d", table.name, t)
			fmt.Fprintf(&text, "DROP TABLE IF EXISTS %s CASCADE; CREATE TABLE %s (%s); CREATE VIEW %s_view AS SELECT * FROM %s;", name, name, table.columns, name, name)
		}
	}
	for i := range o.Objects {
		fmt.Fprintf(&text, "INSERT INTO lists%d VALUES ('list%d', '');INSERT INTO registers%d VALUES ('register%d', NULL);", i%o.Tables, i, i%o.Tables, i)
	}
	return text.String()
}

// everything is a transaction that reads all objects.
func everything(o *Options) script {
	var s script
	for i := range o.Objects {
		for _, kind := range []Kind{ReadList, ReadRegister, ReadSet} {
			s.ops = append(s.ops, planned{Op: Op{Kind: kind, Key: fmt.Sprintf("%s%d", prefixes[kind], i)}})
		}
	}
	return s
}

// runner is what the clients of a run share.
type runner struct {
	options *Options
	clock   atomic.Int64
	values  atomic.Int64
}

// client runs transactions one after the other.
type client struct {
	*runner
	plan   *planner
	conn   *pgconn.PgConn
	done   History
	failed int
}

// run runs the transactions of a client.
func (c *client) run(ctx context.Context, connect func(context.Context) (*pgconn.PgConn, error)) (err error) {
	if c.conn, err = connect(ctx); err != nil {
		return err
	}
	defer c.conn.Close(ctx)
	level := "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + string(c.options.Level)
	if _, err := c.conn.Exec(ctx, level).ReadAll(); err != nil {
		return err
	}
	for range c.options.Transactions {
		if err := c.transaction(ctx, c.plan.script()); err != nil {
			return err
		}
	}
	return nil
}

// transaction runs one transaction and notes it. One that another stands in the
// way of is rolled back, and noted as such.
func (c *client) transaction(ctx context.Context, s script) error {
	t := Transaction{Begin: c.clock.Add(1)}
	err := c.attempt(ctx, s, &t)
	var e *pgconn.PgError
	if errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01") {
		c.failed++
		t.Committed, err = false, nil
		if !s.alone {
			_, err = c.conn.Exec(ctx, "ROLLBACK").ReadAll()
		}
	}
	t.End = c.clock.Add(1)
	c.done = append(c.done, t)
	return err
}

func (c *client) attempt(ctx context.Context, s script, t *Transaction) error {
	if !s.alone {
		if _, err := c.exec(ctx, "BEGIN"+s.modes); err != nil {
			return err
		}
	}
	for n, op := range s.ops {
		// A write is noted before it runs: that of a statement which fails counts as rolled back.
		if !op.Kind.reads() {
			t.Ops = append(t.Ops, op.Op)
		}
		values, err := c.exec(ctx, op.statement(n, c.options.Tables))
		if err != nil {
			return err
		}
		if op.Kind.reads() {
			op.Values = values
			t.Ops = append(t.Ops, op.Op)
		}
	}
	end := "COMMIT"
	if s.abort {
		end = "ROLLBACK"
	}
	if !s.alone {
		if _, err := c.exec(ctx, end); err != nil {
			return err
		}
	}
	t.Committed = !s.abort
	return nil
}

// statement is the SQL of an operation, the n-th of its transaction.
func (p *planned) statement(n, tables int) string {
	prefix := prefixes[p.Kind]
	number, _ := strconv.Atoi(strings.TrimPrefix(p.Key, prefix)) // the planner has made the name
	table := fmt.Sprintf("%ss%d", prefix, number%tables)
	if p.Kind.reads() {
		switch p.way {
		case 1:
			table += "_view"
		case 2:
			return fmt.Sprintf("DECLARE c%d CURSOR FOR SELECT v FROM %s WHERE k = '%s'; FETCH ALL FROM c%d", n, table, p.Key, n)
		}
		return fmt.Sprintf("SELECT v FROM %s WHERE k = '%s'", table, p.Key)
	}
	var text string
	switch v := p.Values[0]; p.Kind {
	case Append:
		text = fmt.Sprintf("UPDATE %s SET v = v || ' ' || %d WHERE k = '%s'", table, v, p.Key)
	case Write:
		text = fmt.Sprintf("UPDATE %s SET v = %d WHERE k = '%s'", table, v, p.Key)
	case Insert:
		text = fmt.Sprintf("INSERT INTO %s VALUES ('%s', %d)", table, p.Key, v)
	}
	if p.Undone {
		return "SAVEPOINT s; " + text + "; ROLLBACK TO s; RELEASE s"
	}
	return text
}

// exec runs statements and returns the numbers in the first column of their rows.
func (c *client) exec(ctx context.Context, text string) ([]int, error) {
	results, err := c.conn.Exec(ctx, text).ReadAll()
	if err != nil {
		return nil, err
	}
	values := []int{}
	for _, r := range results {
		for _, row := range r.Rows {
			for _, word := range strings.Fields(string(row[0])) {
				v, err := strconv.Atoi(word)
				if err != nil {
					return nil, err
				}
				values = append(values, v)
			}
		}
	}
	return values, nil
}
