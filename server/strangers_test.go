package server_test

import (
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/server"
)

// strangers are what peers who never log in have sent when they fall silent.
var strangers = []string{
	"",
	"\x00",
	"\x00\x00\x27\x0f",                       // a start-up packet of almost 10000 bytes is to come
	"\x00\x00\x27\x0f" + "\x00\x03\x00\x00u", // and has begun
	"\x00\x00\x00\x08\x04\xd2\x16\x2f",       // SSLRequest
	"\x00\x00\x00\x08\x04\xd2\x16\x2f\x16\x03\x01\x40\x00\x01",                               // with the beginning of a long hello
	"\x00\x00\x00\x12\x00\x03\x00\x00user\x00ana\x00\x00",                                    // a password is asked for
	"\x00\x00\x00\x12\x00\x03\x00\x00user\x00ana\x00\x00p\x7f\xff\xff\xff",                   // and 2 GB of one are announced
	"\x00\x00\x00\x12\x00\x03\x00\x00user\x00ana\x00\x00p\x00\x00\x0f\xff" + "SCRAM-SHA-256", // and 4 kB
}

// TestStrangersHoldLittle has as many peers as there are places connect and not
// log in: they cost a few kilobytes each, and their places are free again when
// the time for logging in is over.
func TestStrangersHoldLittle(t *testing.T) {
	const peers, each = 108, 12 << 10
	timeout := 2 * time.Second
	address, _ := start(t, func(c *server.Config) {
		c.MaxConnections, c.StartupTimeout = 100, timeout
		role(t, c.DB, "ana", "secret", nil)
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	})
	before := footprint()
	began := time.Now()
	conns := make([]net.Conn, peers)
	for i := range conns {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		io.WriteString(nc, strangers[i%len(strangers)])
		conns[i] = nc
	}
	time.Sleep(300 * time.Millisecond) // they have been read
	if held := (footprint() - before) / peers; held > each {
		t.Errorf("a peer who has not logged in holds %d bytes", held)
	} else {
		t.Logf("a peer who has not logged in holds %d bytes", held)
	}
	for i, nc := range conns {
		nc.SetReadDeadline(began.Add(timeout + 20*time.Second))
		if _, err := io.Copy(io.Discard, nc); isTimeout(err) {
			t.Fatalf("after %q: the connection was not closed", strangers[i%len(strangers)])
		}
	}
	if took := time.Since(began); took < timeout/2 {
		t.Errorf("the last connection was closed after %v", took)
	}
	connect(t, address, "&password=secret")
}

// footprint is the memory that goroutines and what they point at take.
func footprint() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}
