package server_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// conversationMessages are what a client of FuzzConversations says, by number.
var conversationMessages = []pgproto3.FrontendMessage{
	&pgproto3.Query{String: "SELECT 1; SELECT 'x', NULL"},
	&pgproto3.Query{String: "BEGIN"},
	&pgproto3.Query{String: "ROLLBACK"},
	&pgproto3.Query{String: "SELECT 1/0"},
	&pgproto3.Query{String: "CREATE TABLE u AS SELECT * FROM t; DROP TABLE u"},
	&pgproto3.Query{String: "COPY t FROM STDIN"},
	&pgproto3.Query{String: "COPY t FROM STDIN (FORMAT binary)"},
	&pgproto3.Query{String: "COPY t TO STDOUT"},
	&pgproto3.CopyData{Data: []byte("1\tx\n")},
	&pgproto3.CopyData{Data: []byte("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff")},
	&pgproto3.CopyDone{},
	&pgproto3.CopyFail{Message: "no"},
	&pgproto3.Parse{Name: "s", Query: "SELECT $1::int, $2::numeric, $3", ParameterOIDs: []uint32{23}},
	&pgproto3.Parse{Query: "SELECT a, b FROM t WHERE a = $1"},
	&pgproto3.Bind{PreparedStatement: "s", DestinationPortal: "p", ParameterFormatCodes: []int16{1, 1, 0},
		Parameters:        [][]byte{{0, 0, 0, 7}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 9}, nil},
		ResultFormatCodes: []int16{1}},
	&pgproto3.Bind{Parameters: [][]byte{[]byte("1")}},
	&pgproto3.Describe{ObjectType: 'S', Name: "s"},
	&pgproto3.Describe{ObjectType: 'P', Name: "p"},
	&pgproto3.Execute{Portal: "p", MaxRows: 1},
	&pgproto3.Execute{},
	&pgproto3.Close{ObjectType: 'P', Name: "p"},
	&pgproto3.Close{ObjectType: 'S', Name: "s"},
	&pgproto3.Flush{},
	&pgproto3.Sync{},
	&pgproto3.FunctionCall{},
	&pgproto3.PasswordMessage{Password: "x"},
	&pgproto3.Terminate{},
}

// conversationStarts are what it says first. None but the last logs in.
var conversationStarts = []pgproto3.FrontendMessage{
	&pgproto3.SSLRequest{},
	&pgproto3.GSSEncRequest{},
	&pgproto3.CancelRequest{ProcessID: 1, SecretKey: 1},
	&pgproto3.StartupMessage{ProtocolVersion: 3<<16 | 2, Parameters: map[string]string{"database": "db", "_pq_.x": "1"}},
	&pgproto3.StartupMessage{ProtocolVersion: 2 << 16, Parameters: map[string]string{"user": "ana"}},
	&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "ana"}},
}

// stepBytes is how many bytes of the fuzzer say one message: which one, what is
// wrong with it, and where and how.
const stepBytes = 4

// FuzzConversations has a client say messages in any order, some of them bent,
// cut, swollen, repeated or slow, and leave. The server must end the connection
// when the client does, must not log a defect, and must not keep goroutines or
// memory.
func FuzzConversations(f *testing.F) {
	login := []byte{5, 0, 0, 0}
	seed := func(rest ...byte) { f.Add(append(login[:stepBytes:stepBytes], rest...)) }
	address, _ := start(f, nil)
	for i := range conversationMessages {
		seed(byte(i), 0, 0, 0, 23, 0, 0, 0)
		seed(byte(i), byte(i%faults), 5, byte(i), 23, 0, 0, 0)
	}
	seed(12, 0, 0, 0, 14, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 20, 0, 0, 0, 23, 0, 0, 0)
	seed(5, 0, 0, 0, 8, 0, 0, 0, 8, faultSlow, 0, 0, 23, 0, 0, 0, 10, 0, 0, 0, 7, 0, 0, 0)
	for i := range conversationStarts {
		f.Add([]byte{byte(i), 0, 0, 0})
		f.Add([]byte{byte(i), byte(i % faults), 3, 7, 0, 0, 0, 0})
	}
	leaks := leakCheck{address: address, every: 25}
	f.Fuzz(func(t *testing.T, data []byte) {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		nc.SetDeadline(time.Now().Add(20 * time.Second))
		answered := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, nc)
			answered <- err
		}()
		say(nc, data)
		nc.(*net.TCPConn).CloseWrite()
		if err := <-answered; isTimeout(err) {
			t.Error("the server hangs")
		}
		leaks.check(t)
	})
}

// say sends the messages that data says, the first of them from
// conversationStarts. Errors of writing are the server's right: it ends
// connections.
func say(nc net.Conn, data []byte) {
	messages := conversationStarts
	for steps := 0; len(data) >= stepBytes && steps < 32; steps++ {
		text, _ := messages[int(data[0])%len(messages)].Encode(nil)
		if fault := data[1] % faults; fault == faultSlow {
			sendSlowly(nc, text)
		} else {
			nc.Write(spoil(text, fault, data[2], data[3]))
		}
		messages, data = conversationMessages, data[stepBytes:]
	}
	nc.Write(data)
}

// sendSlowly sends a message whose beginning comes byte by byte.
func sendSlowly(nc net.Conn, text []byte) {
	head := min(len(text), 12)
	for i := range text[:head] {
		nc.Write(text[i : i+1])
		time.Sleep(50 * time.Microsecond)
	}
	nc.Write(text[head:])
}

// What may be wrong with a message.
const (
	faultNone = iota
	faultBit
	faultCut
	faultLength
	faultTwice
	faultSwollen
	faultSlow
	faultMissing
	faults
)

// lengths are what a message may say of its length.
var lengths = []uint32{0, 3, 4, 5, 1 << 16, 1<<28 - 1, 1 << 28, 1<<31 - 1, 1 << 31, 1<<32 - 1}

// spoil makes a message wrong at a place that a says, in a way that b says.
func spoil(text []byte, fault, a, b byte) []byte {
	switch fault {
	case faultBit:
		text[int(a)%len(text)] ^= 1 << (b % 8)
	case faultCut:
		return text[:int(a)%len(text)]
	case faultLength:
		binary.BigEndian.PutUint32(text[1:], lengths[int(a)%len(lengths)])
	case faultTwice:
		return append(text, text...)
	case faultSwollen:
		text = append(text, bytes.Repeat([]byte{b}, int(a)<<8)...)
		binary.BigEndian.PutUint32(text[1:], uint32(len(text)-1))
	case faultMissing:
		return nil
	}
	return text
}

// A leakCheck compares the goroutines and the memory of the process with those
// of its second check.
type leakCheck struct {
	address    string
	every      int // one call of so many checks
	calls      int
	goroutines int
	heap       uint64
}

// check fails where there are more goroutines than before, or far more memory,
// and where a client that does all right is not served.
func (l *leakCheck) check(t *testing.T) {
	if l.calls++; l.calls%l.every != 1 {
		return
	}
	conn := connect(t, l.address, "")
	if got, err := simple(conn, "DROP TABLE IF EXISTS t; CREATE TABLE t (a int, b text)"); got != "DROP TABLE\nCREATE TABLE\n" || err != nil {
		t.Errorf("the next client got %q, %v", got, err)
	}
	conn.Close(t.Context())
	const slack = 8 // what the test's own machinery and pgx start and stop
	for deadline := time.Now().Add(10 * time.Second); l.goroutines > 0 && goroutines() > l.goroutines+slack; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", goroutines(), l.goroutines)
		}
	}
	const own = 100 << 20 // the fuzzer's buffer for its mutations, which it makes late
	heap := liveHeap()
	for deadline := time.Now().Add(10 * time.Second); l.heap > 0 && heap > l.heap+own+16<<20; heap = liveHeap() {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes on the heap, %d before", heap, l.heap)
		}
		time.Sleep(100 * time.Millisecond) // a session that has just lost its client may still let go of a result
	}
	if l.calls > 1 && l.goroutines == 0 {
		l.goroutines, l.heap = goroutines(), heap
	}
}

// liveHeap is how many bytes the heap holds that are in use.
func liveHeap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
