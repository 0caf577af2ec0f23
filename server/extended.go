package server

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
	"github.com/jackc/pgproto3/v2"
)

// parameterBytes is what a parameter takes beside its text, in bytes.
const parameterBytes = 128

// extended acts on a message of the extended protocol. After an error all
// messages up to Sync are passed over.
func (s *session) extended(msg pgproto3.FrontendMessage) {
	s.db.BeginBlock()
	var err error
	text := ""
	switch msg := msg.(type) {
	case *pgproto3.Parse:
		text, err = msg.Query, s.parse(msg)
	case *pgproto3.Bind:
		text, err = s.bind(msg)
	case *pgproto3.Describe:
		err = s.describe(msg)
	case *pgproto3.Execute:
		text, err = s.execute(msg)
	case *pgproto3.Close:
		s.closeObject(msg)
	}
	if err != nil {
		s.db.Fail()
		s.conn.sendError(err, text)
		s.skipping = true
	}
}

// checkTransaction fails in a transaction that has failed, unless the statement
// ends it.
func (s *session) checkTransaction(st *cubeloom.Statement) error {
	if st == nil || st.EndsTransaction() || s.db.TransactionStatus() != cubeloom.FailedTransaction {
		return nil
	}
	return value.Errorf(value.CodeFailedTransaction, "current transaction is aborted, commands ignored until end of transaction block")
}

// parse makes a prepared statement.
func (s *session) parse(msg *pgproto3.Parse) error {
	if msg.Name == "" {
		s.db.Deallocate("")
	}
	if err := validText(msg.Query); err != nil {
		return err
	}
	given := make([]cubeloom.ColumnType, len(msg.ParameterOIDs))
	for i, oid := range msg.ParameterOIDs {
		var err error
		if given[i], err = s.paramType(oid); err != nil {
			return err
		}
	}
	msg.Query = recognize(msg.Query)
	ctx, stop := s.start(msg.Query)
	defer stop()
	p, err := s.db.Prepare(ctx, msg.Name, msg.Query, given)
	if err != nil {
		return err
	}
	p.Client = msg.ParameterOIDs
	if p.Statement != nil {
		s.conn.sendNotices(p.Statement.Notices())
	}
	s.conn.send(&pgproto3.ParseComplete{})
	return nil
}

// paramOIDs are what the client knows the parameters of a statement by: the OIDs
// that it gave, or those of the types that were inferred. A parameter
// without a type is a text.
func paramOIDs(p *cubeloom.Prepared) []uint32 {
	given, _ := p.Client.([]uint32)
	oids := make([]uint32, len(p.Description.Params))
	for i, t := range p.Description.Params {
		oids[i] = wireTypeOf(t).oid
		if i < len(given) && given[i] != 0 && given[i] != oidUnknown {
			oids[i] = given[i]
		}
	}
	return oids
}

// bind makes a portal of a statement and the values of its parameters.
func (s *session) bind(msg *pgproto3.Bind) (text string, err error) {
	st, err := s.db.Prepared(msg.PreparedStatement)
	if err != nil {
		return "", err
	}
	oids := paramOIDs(st)
	if len(msg.Parameters) != len(oids) {
		return "", errProtocol("bind message supplies %d parameters, but prepared statement %q requires %d",
			len(msg.Parameters), msg.PreparedStatement, len(oids))
	}
	if err := s.checkTransaction(st.Statement); err != nil {
		return "", err
	}
	if msg.DestinationPortal != "" && s.portals[msg.DestinationPortal] != nil {
		return "", value.Errorf(value.CodeDuplicateCursor, "cursor %q already exists", msg.DestinationPortal)
	}
	if err := checkFormats(msg.ParameterFormatCodes, len(msg.Parameters), "parameter"); err != nil {
		return "", err
	}
	if st.Description.HasRows {
		if err := checkFormats(msg.ResultFormatCodes, len(st.Description.Columns), "column"); err != nil {
			return "", err
		}
	}
	p := &portal{name: msg.DestinationPortal, prepared: st, formats: msg.ResultFormatCodes}
	for _, raw := range msg.Parameters {
		p.bytes += parameterBytes + int64(len(raw))
	}
	if err := s.db.Account().Grow(p.bytes); err != nil {
		return st.Text, err
	}
	defer func() {
		if err != nil {
			s.db.Account().Shrink(p.bytes)
		}
	}()
	for i, raw := range msg.Parameters {
		param, err := s.bindParam(i, st.Description.Params[i], oids[i], raw, formatOf(msg.ParameterFormatCodes, i))
		if err != nil {
			return st.Text, err
		}
		p.params = append(p.params, param)
	}
	s.dropPortal(p.name)
	s.portals[p.name] = p
	s.conn.send(&pgproto3.BindComplete{})
	return "", nil
}

// bindParam reads the value of parameter i, of a type that the client knows by
// an OID; nil stands for NULL.
func (s *session) bindParam(i int, t cubeloom.ColumnType, oid uint32, raw []byte, format int16) (cubeloom.Param, error) {
	out := cubeloom.Param{Type: t}
	// Precision and length are checked when the value is stored.
	switch out.Type.Kind {
	case algebra.Unknown, algebra.Text:
		out.Type.Type = algebra.TText
	case algebra.Decimal:
		out.Type.Type = algebra.TNumeric
	}
	if raw == nil {
		return out, nil
	}
	var err error
	if format == pgproto3.BinaryFormat {
		out.Value, err = parseBinary(raw, oid, out.Type)
		return out, inParameter(err, i)
	}
	text := long.Text(raw)
	if err := validText(text); err != nil {
		return out, err
	}
	out.Value, err = s.db.ParseValue(text, out.Type)
	return out, err
}

// inParameter says which parameter an error of the binary format is about.
func inParameter(err error, i int) error {
	var e *cubeloom.Error
	if !errors.As(err, &e) || e.Code != value.CodeInvalidBinary {
		return err
	}
	return value.Errorf(value.CodeInvalidBinary, "%s in bind parameter %d", e.Message, i+1)
}

// parseBinary reads a value in the binary format of a parameter's OID, which for
// some is not the one of the type that it gets.
func parseBinary(raw []byte, oid uint32, t cubeloom.ColumnType) (value.Value, error) {
	switch {
	case oid == oidOID && len(raw) == 4:
		return value.Value{Kind: value.Int, I: int64(binary.BigEndian.Uint32(raw))}, nil
	case oid == oidFloat4 && len(raw) == 4:
		return value.Value{Kind: value.Float, F: float64(math.Float32frombits(binary.BigEndian.Uint32(raw)))}, nil
	case oid == oidOID, oid == oidFloat4:
		return value.Value{}, value.Errorf(value.CodeInvalidBinary, "incorrect binary data format")
	}
	return cubeloom.ParseBinary(raw, t)
}

// describe says what a statement or portal takes and returns.
func (s *session) describe(msg *pgproto3.Describe) error {
	if msg.ObjectType == 'S' {
		p, err := s.db.Prepared(msg.Name)
		if err != nil {
			return err
		}
		s.conn.send(&pgproto3.ParameterDescription{ParameterOIDs: paramOIDs(p)})
		return s.describeRows(p, nil)
	}
	p := s.portals[msg.Name]
	if columns, ok := s.db.CursorColumns(msg.Name); ok && p == nil {
		s.conn.send(rowDescription(columns, nil))
		return nil
	}
	if p == nil {
		return value.Errorf(value.CodeInvalidCursorName, "portal %q does not exist", msg.Name)
	}
	return s.describeRows(p.prepared, p.formats)
}

// describeRows describes the rows of a statement.
func (s *session) describeRows(p *cubeloom.Prepared, formats []int16) error {
	if err := s.checkTransaction(p.Statement); err != nil && p.Description.HasRows {
		return err
	}
	if p.Description.HasRows {
		s.conn.send(rowDescription(p.Description.Columns, formats))
	} else {
		s.conn.send(&pgproto3.NoData{})
	}
	return nil
}

// execute runs a portal.
func (s *session) execute(msg *pgproto3.Execute) (text string, err error) {
	p := s.portals[msg.Portal]
	if p == nil {
		return "", value.Errorf(value.CodeInvalidCursorName, "portal %q does not exist", msg.Portal)
	}
	if p.prepared.Statement == nil {
		s.conn.send(&pgproto3.EmptyQueryResponse{})
		return "", nil
	}
	if err := s.checkTransaction(p.prepared.Statement); err != nil {
		return "", err
	}
	return p.prepared.Text, s.run(p, int64(int32(msg.MaxRows)), false)
}

// closeObject forgets a statement or a portal; one that is not there is no
// error.
func (s *session) closeObject(msg *pgproto3.Close) {
	if msg.ObjectType == 'S' {
		s.db.Deallocate(msg.Name)
	} else {
		s.dropPortal(msg.Name)
	}
	s.conn.send(&pgproto3.CloseComplete{})
}
