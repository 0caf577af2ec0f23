package main

import (
	"context"
	"flag"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

var strangerCount = flag.Int("strangers", 3000, "connections of TestStrangersKeepNobodyOut that never log in")

// greetings are what strangers have sent when they fall silent: nothing, a part of a
// packet, and as much of a login as needs no password, of which one asks for TLS.
var greetings = []string{
	"",
	"\x00\x00\x27\x0f\x00\x03\x00\x00u",
	"\x00\x00\x00\x08\x04\xd2\x16\x2f\x16\x03\x01\x40\x00\x01",
	"\x00\x00\x00\x12\x00\x03\x00\x00user\x00ana\x00\x00",
	"\x00\x00\x00\x12\x00\x03\x00\x00user\x00ana\x00\x00p\x00\x00\x00\x29SCRAM-SHA-256\x00\x00\x00\x00\x13n,,n=,r=abcdefghijk",
}

// TestStrangersKeepNobodyOut has thousands of connections from the address of a client
// with a password come and never log in: the client gets in within two seconds all the
// time.
func TestStrangersKeepNobodyOut(t *testing.T) {
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("a password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, address := serveProcess(t, "--superuser", "ana", "--superuser-password-file", password)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for left := *strangerCount; left > 0; left -= waveSize {
			wave(t, address, min(left, waveSize))
		}
	}()
	logins, longest := 0, time.Duration(0)
	for coming := true; coming; logins++ {
		select {
		case <-ended:
			coming = false // and once more, while the last ones are there
		default:
		}
		began := time.Now()
		conn, err := connectAs(t, address, "ana:a%20password")
		if err != nil {
			t.Fatalf("after %d logins: %v", logins, err)
		}
		longest = max(longest, time.Since(began))
		conn.Close(context.Background())
	}
	t.Logf("%d logins beside %d strangers, the longest took %v", logins, *strangerCount, longest)
	if longest > 2*time.Second {
		t.Errorf("a login took %v", longest)
	}
}

// waveSize is how many strangers there are at a time, at most: more than the server has
// places for, and fewer than a process may open files.
const waveSize = 1200

// wave opens a number of connections, as fast as it can, which stay for a while.
func wave(t *testing.T, address string, n int) {
	var all sync.WaitGroup
	numbers := make(chan int)
	for range 16 {
		all.Go(func() {
			for i := range numbers {
				nc, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					continue
				}
				t.Cleanup(func() { nc.Close() })
				time.AfterFunc(2*time.Second, func() { nc.Close() })
				nc.Write([]byte(greetings[i%len(greetings)]))
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	all.Wait()
	time.Sleep(500 * time.Millisecond)
}
