package sql

// transaction reads BEGIN, COMMIT, ROLLBACK, SAVEPOINT and their kin.
func (p sessionParser) transaction() Statement {
	first := p.Next()
	s := &Transaction{Pos: Pos(first.Pos)}
	switch first.Text {
	case "begin":
		p.acceptAny("work", "transaction")
		return p.begin(s)
	case "start":
		p.Expect("transaction")
		s.Start = true
		return p.begin(s)
	case "commit", "end":
		s.Kind = Commit
		if first.Is("commit") && p.NextIs("prepared") {
			panic(p.refuse("COMMIT PREPARED"))
		}
		p.acceptAny("work", "transaction")
		p.chain(s)
		return s
	case "rollback", "abort":
		return p.rollback(s, first.Is("rollback"))
	case "savepoint":
		s.Kind = Savepoint
	case "release":
		s.Kind = Release
		p.skipSavepoint()
	}
	s.Name = p.ident()
	return s
}

// skipSavepoint skips the word SAVEPOINT before a savepoint's name.
func (p sessionParser) skipSavepoint() {
	if p.PeekAt(1).IsName() {
		p.Accept("savepoint")
	}
}

func (p sessionParser) begin(s *Transaction) Statement {
	s.Kind = Begin
	s.Modes = p.modes()
	return s
}

// rollback reads what follows ROLLBACK or ABORT, of which only the first goes
// back to savepoints.
func (p sessionParser) rollback(s *Transaction, partial bool) Statement {
	s.Kind = Rollback
	if partial && p.NextIs("prepared") {
		panic(p.refuse("ROLLBACK PREPARED"))
	}
	p.acceptAny("work", "transaction")
	if !partial || !p.Accept("to") {
		p.chain(s)
		return s
	}
	s.Kind = RollbackTo
	p.skipSavepoint()
	s.Name = p.ident()
	return s
}

// chain reads AND [NO] CHAIN.
func (p sessionParser) chain(s *Transaction) {
	if !p.Accept("and") {
		return
	}
	s.Chain = !p.Accept("no")
	p.Expect("chain")
}

// modes reads transaction modes, with or without commas between.
func (p sessionParser) modes() []Option {
	var list []Option
	for comma := false; comma || p.Peek().IsOneOf("isolation", "read", "deferrable", "not"); comma = p.Accept(",") {
		list = append(list, p.mode())
	}
	return list
}

func (p sessionParser) mode() Option {
	o := Option{Bare: true, Pos: Pos(p.Peek().Pos)}
	switch {
	case p.Accept("isolation"):
		o.Name, o.Bare = "isolation level", false
		p.Expect("level")
		o.Value = p.isolation()
		return o
	case p.Accept("read"):
		o.Name = "read only"
		if p.Accept("write") {
			o.Name = "read write"
			return o
		}
		p.Expect("only")
		return o
	case p.Accept("not"):
		o.Name = "not deferrable"
		p.Expect("deferrable")
		return o
	}
	o.Name = "deferrable"
	p.Expect("deferrable")
	return o
}

func (p sessionParser) isolation() string {
	switch {
	case p.Accept("serializable"):
		return "serializable"
	case p.Accept("repeatable"):
		p.Expect("read")
		return "repeatable read"
	}
	p.Expect("read")
	if p.Accept("committed") {
		return "read committed"
	}
	p.Expect("uncommitted")
	return "read uncommitted"
}
