package sql

// transaction reads BEGIN, COMMIT, ROLLBACK, SAVEPOINT and their kin.
func (p sessionParser) transaction() (Statement, error) {
	first := p.Next()
	s := &Transaction{Pos: Pos(first.Pos)}
	switch first.Text {
	case "begin":
		p.acceptAny("work", "transaction")
		return p.begin(s)
	case "start":
		if err := p.Expect("transaction"); err != nil {
			return nil, err
		}
		s.Start = true
		return p.begin(s)
	case "commit", "end":
		s.Kind = Commit
		if first.Is("commit") && p.NextIs("prepared") {
			return nil, p.refuse("COMMIT PREPARED")
		}
		p.acceptAny("work", "transaction")
		return s, p.chain(s)
	case "rollback", "abort":
		return p.rollback(s, first.Is("rollback"))
	case "savepoint":
		s.Kind = Savepoint
	case "release":
		s.Kind = Release
		p.skipSavepoint()
	}
	var err error
	s.Name, err = p.ident()
	return s, err
}

// skipSavepoint skips the word SAVEPOINT before a savepoint's name.
func (p sessionParser) skipSavepoint() {
	if p.PeekAt(1).IsName() {
		p.Accept("savepoint")
	}
}

func (p sessionParser) begin(s *Transaction) (Statement, error) {
	s.Kind = Begin
	var err error
	s.Modes, err = p.modes()
	return s, err
}

// rollback reads what follows ROLLBACK or ABORT, of which only the first goes
// back to savepoints.
func (p sessionParser) rollback(s *Transaction, partial bool) (Statement, error) {
	s.Kind = Rollback
	if partial && p.NextIs("prepared") {
		return nil, p.refuse("ROLLBACK PREPARED")
	}
	p.acceptAny("work", "transaction")
	if !partial || !p.Accept("to") {
		return s, p.chain(s)
	}
	s.Kind = RollbackTo
	p.skipSavepoint()
	var err error
	s.Name, err = p.ident()
	return s, err
}

// chain reads AND [NO] CHAIN.
func (p sessionParser) chain(s *Transaction) error {
	if !p.Accept("and") {
		return nil
	}
	s.Chain = !p.Accept("no")
	return p.Expect("chain")
}

// modes reads transaction modes, with or without commas between.
func (p sessionParser) modes() ([]Option, error) {
	var list []Option
	for comma := false; comma || p.Peek().IsOneOf("isolation", "read", "deferrable", "not"); comma = p.Accept(",") {
		o, err := p.mode()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

func (p sessionParser) mode() (Option, error) {
	o := Option{Bare: true, Pos: Pos(p.Peek().Pos)}
	switch {
	case p.Accept("isolation"):
		o.Name, o.Bare = "isolation level", false
		if err := p.Expect("level"); err != nil {
			return o, err
		}
		var err error
		o.Value, err = p.isolation()
		return o, err
	case p.Accept("read"):
		o.Name = "read only"
		if p.Accept("write") {
			o.Name = "read write"
			return o, nil
		}
		return o, p.Expect("only")
	case p.Accept("not"):
		o.Name = "not deferrable"
		return o, p.Expect("deferrable")
	}
	o.Name = "deferrable"
	return o, p.Expect("deferrable")
}

func (p sessionParser) isolation() (string, error) {
	switch {
	case p.Accept("serializable"):
		return "serializable", nil
	case p.Accept("repeatable"):
		return "repeatable read", p.Expect("read")
	}
	if err := p.Expect("read"); err != nil {
		return "", err
	}
	if p.Accept("committed") {
		return "read committed", nil
	}
	return "read uncommitted", p.Expect("uncommitted")
}
