package server

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/jackc/pgproto3/v2"
)

// prepared is a statement of Parse. Without a statement it is an empty query.
type prepared struct {
	statement   *cubeloom.Statement
	text        string
	description *cubeloom.Description
	paramOIDs   []uint32 // what the client knows the parameters by
}

// portal is a prepared statement with its parameters, and how far it has run.
type portal struct {
	name     string
	prepared *prepared
	params   []cubeloom.Param
	formats  []int16
	result   *cubeloom.Result // nil before it runs
	cursor   *cubeloom.Cursor
	cells    []cubeloom.Cells // the rows that are sent
	done     bool             // a statement without rows has run
}

// take notes the result of a portal. The client was told of its columns when the
// statement was described, unless it is told now.
func (p *portal) take(res *cubeloom.Result, told bool) error {
	if d := p.prepared.description; !told && d != nil && d.HasRows {
		same := len(d.Columns) == len(res.Columns)
		for i := 0; same && i < len(d.Columns); i++ {
			same = wireTypeOf(d.Columns[i].Type).oid == wireTypeOf(res.Columns[i].Type).oid
		}
		if !same {
			return value.Errorf(value.CodeFeatureNotSupported, "cached plan must not change result type")
		}
	}
	p.result = res
	if res.HasRows() {
		p.cursor = res.Cursor()
	}
	return nil
}

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
		delete(s.statements, "")
	} else if s.statements[msg.Name] != nil {
		return value.Errorf(codeDuplicateStmt, "prepared statement %q already exists", msg.Name)
	}
	if _, err := validText([]byte(msg.Query)); err != nil {
		return err
	}
	msg.Query = recognize(msg.Query)
	list, err := s.db.Parse(msg.Query)
	if err != nil {
		return err
	}
	if len(list) > 1 {
		return value.Errorf(value.CodeSyntax, "cannot insert multiple commands into a prepared statement")
	}
	p := &prepared{text: msg.Query, description: &cubeloom.Description{}}
	if len(list) == 1 {
		p.statement = list[0]
		if err := s.checkTransaction(p.statement); err != nil {
			return err
		}
		if err := s.infer(p, msg.ParameterOIDs); err != nil {
			return err
		}
	}
	s.statements[msg.Name] = p
	s.conn.send(&pgproto3.ParseComplete{})
	return nil
}

// infer finds the types of a statement's parameters and columns. A parameter
// that nothing gives a type is a text.
func (s *session) infer(p *prepared, oids []uint32) error {
	given := make([]cubeloom.ColumnType, len(oids))
	for i, oid := range oids {
		var err error
		if given[i], err = paramType(oid); err != nil {
			return err
		}
	}
	var err error
	if p.description, err = s.db.Describe(p.statement, given); err != nil {
		return err
	}
	p.paramOIDs = make([]uint32, len(p.description.Params))
	for i, t := range p.description.Params {
		p.paramOIDs[i] = wireTypeOf(t).oid
		if i < len(oids) && oids[i] != 0 && oids[i] != oidUnknown {
			p.paramOIDs[i] = oids[i]
		}
	}
	return nil
}

// statement finds a prepared statement.
func (s *session) statement(name string) (*prepared, error) {
	if p := s.statements[name]; p != nil {
		return p, nil
	}
	if name == "" {
		return nil, value.Errorf(codeStatementName, "unnamed prepared statement does not exist")
	}
	return nil, value.Errorf(codeStatementName, "prepared statement %q does not exist", name)
}

// bind makes a portal of a statement and the values of its parameters.
func (s *session) bind(msg *pgproto3.Bind) (text string, err error) {
	st, err := s.statement(msg.PreparedStatement)
	if err != nil {
		return "", err
	}
	if len(msg.Parameters) != len(st.paramOIDs) {
		return "", errProtocol("bind message supplies %d parameters, but prepared statement %q requires %d",
			len(msg.Parameters), msg.PreparedStatement, len(st.paramOIDs))
	}
	if err := s.checkTransaction(st.statement); err != nil {
		return "", err
	}
	if msg.DestinationPortal != "" && s.portals[msg.DestinationPortal] != nil {
		return "", value.Errorf(codeDuplicateCursor, "cursor %q already exists", msg.DestinationPortal)
	}
	if err := checkFormats(msg.ParameterFormatCodes, len(msg.Parameters), "parameter"); err != nil {
		return "", err
	}
	if st.description.HasRows {
		if err := checkFormats(msg.ResultFormatCodes, len(st.description.Columns), "column"); err != nil {
			return "", err
		}
	}
	p := &portal{name: msg.DestinationPortal, prepared: st, formats: msg.ResultFormatCodes}
	for i, raw := range msg.Parameters {
		param, err := st.param(i, raw, formatOf(msg.ParameterFormatCodes, i))
		if err != nil {
			return st.text, err
		}
		p.params = append(p.params, param)
	}
	s.portals[p.name] = p
	s.conn.send(&pgproto3.BindComplete{})
	return "", nil
}

// param reads the value of parameter i; nil stands for NULL.
func (p *prepared) param(i int, raw []byte, format int16) (cubeloom.Param, error) {
	out := cubeloom.Param{Type: p.description.Params[i]}
	// Precision and length are for whoever stores the value to check.
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
		out.Value, err = parseBinary(raw, p.paramOIDs[i], out.Type)
		return out, inParameter(err, i)
	}
	text, err := validText(raw)
	if err != nil {
		return out, err
	}
	out.Value, err = cubeloom.ParseValue(text, out.Type)
	return out, err
}

// inParameter says which parameter an error of the binary format is about.
func inParameter(err error, i int) error {
	var e *cubeloom.Error
	if !errors.As(err, &e) || e.Code != codeBinary {
		return err
	}
	return value.Errorf(codeBinary, "%s in bind parameter %d", e.Message, i+1)
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
		return value.Value{}, value.Errorf(codeBinary, "incorrect binary data format")
	}
	return cubeloom.ParseBinary(raw, t)
}

// describe says what a statement or portal takes and gives.
func (s *session) describe(msg *pgproto3.Describe) error {
	if msg.ObjectType == 'S' {
		p, err := s.statement(msg.Name)
		if err != nil {
			return err
		}
		s.conn.send(&pgproto3.ParameterDescription{ParameterOIDs: p.paramOIDs})
		return s.describeRows(p, nil)
	}
	p := s.portals[msg.Name]
	if columns, ok := s.db.CursorColumns(msg.Name); ok && p == nil {
		s.conn.send(rowDescription(columns, nil))
		return nil
	}
	if p == nil {
		return value.Errorf(codePortalName, "portal %q does not exist", msg.Name)
	}
	return s.describeRows(p.prepared, p.formats)
}

// describeRows describes the rows of a statement.
func (s *session) describeRows(p *prepared, formats []int16) error {
	if err := s.checkTransaction(p.statement); err != nil && p.description.HasRows {
		return err
	}
	if p.description.HasRows {
		s.conn.send(rowDescription(p.description.Columns, formats))
	} else {
		s.conn.send(&pgproto3.NoData{})
	}
	return nil
}

// execute runs a portal.
func (s *session) execute(msg *pgproto3.Execute) (text string, err error) {
	p := s.portals[msg.Portal]
	if p == nil {
		return "", value.Errorf(codePortalName, "portal %q does not exist", msg.Portal)
	}
	if p.prepared.statement == nil {
		s.conn.send(&pgproto3.EmptyQueryResponse{})
		return "", nil
	}
	if err := s.checkTransaction(p.prepared.statement); err != nil {
		return "", err
	}
	return p.prepared.text, s.run(p, int64(int32(msg.MaxRows)), false)
}

// closeObject forgets a statement or a portal; one that is not there is no
// error.
func (s *session) closeObject(msg *pgproto3.Close) {
	if msg.ObjectType == 'S' {
		delete(s.statements, msg.Name)
	} else {
		delete(s.portals, msg.Name)
	}
	s.conn.send(&pgproto3.CloseComplete{})
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
