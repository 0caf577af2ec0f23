package server_test

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// FuzzMessages sends bytes to a session after its login, and then as a start-up
// packet of their own. The server must end the connection when the client does,
// and must not log a defect; a new client must be served after that.
func FuzzMessages(f *testing.F) {
	address, _ := start(f, nil)
	encode := func(list ...pgproto3.FrontendMessage) []byte {
		var out []byte
		for _, m := range list {
			out, _ = m.Encode(out)
		}
		return out
	}
	sync := &pgproto3.Sync{}
	f.Add(encode(&pgproto3.Query{String: "SELECT 1; SELECT 'x'"}))
	f.Add(encode(&pgproto3.Parse{Name: "s", Query: "SELECT $1::int, $2", ParameterOIDs: []uint32{23}},
		&pgproto3.Describe{ObjectType: 'S', Name: "s"},
		&pgproto3.Bind{PreparedStatement: "s", ParameterFormatCodes: []int16{1, 0}, Parameters: [][]byte{{0, 0, 0, 7}, []byte("x")}, ResultFormatCodes: []int16{1}},
		&pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{MaxRows: 1}, &pgproto3.Close{ObjectType: 'P'}, sync))
	f.Add(encode(&pgproto3.Parse{Query: "SELECT $1::numeric"},
		&pgproto3.Bind{ParameterFormatCodes: []int16{1}, Parameters: [][]byte{{0, 1, 0, 0, 0, 0, 0, 0, 0, 9}}}, &pgproto3.Execute{}, sync))
	f.Add(encode(&pgproto3.Query{String: "COPY t FROM STDIN"}, &pgproto3.CopyData{Data: []byte("1\n")}, &pgproto3.CopyDone{}))
	f.Add(encode(&pgproto3.Bind{Parameters: [][]byte{nil}}, &pgproto3.Flush{}, &pgproto3.FunctionCall{}, &pgproto3.Terminate{}))
	f.Add([]byte("Q\x00\x00\x00\x03"))
	f.Add([]byte("Q\x7f\xff\xff\xffSELECT"))
	f.Add([]byte("B\x00\x00\x00\x10\x00\x00\x00\x00\x00\x01\xff\xff\xff\xf0\x00\x00"))
	f.Add([]byte("\x00\x00\x00\x08\x04\xd2\x16\x30"))
	f.Add([]byte("\x00\x00\x00\x10\x04\xd2\x16\x2e\x00\x00\x00\x01\x00\x00\x00\x01"))
	leaks := leakCheck{address: address, every: 25}
	login := encode(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "ana"}})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, text := range [][]byte{append(append([]byte{}, login...), data...), data} {
			nc, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			nc.SetDeadline(time.Now().Add(10 * time.Second))
			nc.Write(text)
			nc.(*net.TCPConn).CloseWrite()
			if _, err := io.Copy(io.Discard, nc); isTimeout(err) {
				t.Error("the server hangs")
			}
			nc.Close()
		}
		leaks.check(t)
	})
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error)
	return ok && e.Timeout()
}
