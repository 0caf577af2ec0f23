package server_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestConcurrentClients lets clients of all kinds come and go at once: right
// answers, and nothing left behind.
func TestConcurrentClients(t *testing.T) {
	address, _ := start(t, nil)
	setup := connect(t, address, "")
	fill(t, setup, 300)
	if _, err := simple(setup, "GRANT SELECT ON n TO PUBLIC"); err != nil {
		t.Fatal(err)
	}
	before := goroutines()
	var clients sync.WaitGroup
	for c := range 24 {
		clients.Add(1)
		go func() {
			defer clients.Done()
			for round := range 3 {
				if err := visit(address, c, round); err != nil {
					t.Errorf("client %d: %v", c, err)
				}
			}
		}()
	}
	clients.Wait()
	for deadline := time.Now().Add(time.Minute); goroutines() > before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", goroutines(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func goroutines() int { return runtime.NumGoroutine() }

// visit is one connection of a client, which ends in one of several ways.
func visit(address string, client, round int) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "postgres://u"+fmt.Sprint(client)+"@"+address+"/db?sslmode=disable")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	table := fmt.Sprintf("t%d_%d", client, round)
	if got, err := simple(conn, "CREATE TABLE "+table+" (a int); INSERT INTO "+table+" VALUES (1), (2)"); err != nil {
		return fmt.Errorf("%q, %w", got, err)
	}
	var n, sum int64
	if err := conn.QueryRow(ctx, "SELECT count(*), sum(a.i) FROM n a JOIN "+table+" b ON a.i >= b.a WHERE a.i < $1", 250).Scan(&n, &sum); err != nil {
		return err
	}
	if n != 249+248 || sum != 2*31125-1 {
		return fmt.Errorf("%d rows, sum %d", n, sum)
	}
	switch client % 4 {
	case 0: // in the middle of a transaction
		_, err = simple(conn, "BEGIN; DROP TABLE "+table)
	case 1: // in the middle of a statement
		short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		if _, err := conn.Exec(short, "SELECT count(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0"); err == nil {
			return fmt.Errorf("the statement ended")
		}
		return nil
	case 2: // after an error
		if _, err := simple(conn, "SELECT nope"); err == nil || !strings.Contains(err.Error(), "42703") {
			return fmt.Errorf("got %v", err)
		}
	}
	return err
}
