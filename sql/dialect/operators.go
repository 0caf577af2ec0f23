package dialect

// infix says which operator comes next; precLowest for none.
func (r exprReader) infix(restricted bool) infix {
	t := r.Peek()
	switch t.Kind {
	case Symbol:
		return r.symbolInfix(t)
	case Word:
		if t.Class == NotKeyword {
			return infix{}
		}
		if restricted {
			if t.Is("is") {
				return infix{precIs, r.is}
			}
			if t.Is("operator") {
				return infix{precOperator, r.binary}
			}
			return infix{}
		}
		return r.wordInfix(t)
	}
	return infix{}
}

func (r exprReader) symbolInfix(t Token) infix {
	switch t.Text {
	case "::":
		return infix{precCast, r.castInfix}
	case "^":
		return infix{precPower, r.binary}
	case "*", "/", "%":
		return infix{precMultiply, r.binary}
	case "+", "-":
		return infix{precAdd, r.binary}
	case "<", ">", "=", "<=", ">=", "<>":
		return infix{precCompare, r.binary}
	}
	if t.isGenericOperator() {
		return infix{precOperator, r.binary}
	}
	return infix{}
}

func (r exprReader) wordInfix(t Token) infix {
	next := r.PeekAt(1)
	switch t.Text {
	case "or":
		return infix{precOr, r.logical}
	case "and":
		return infix{precAnd, r.logical}
	case "is":
		return infix{precIs, r.is}
	case "isnull", "notnull":
		return infix{precIs, r.isNull}
	case "not":
		if next.IsOneOf("between", "in", "like", "ilike", "similar") {
			return infix{precMatch, r.match}
		}
	case "between", "in", "like", "ilike", "similar":
		return infix{precMatch, r.match}
	case "operator":
		return infix{precOperator, r.binary}
	case "at":
		return infix{precAt, r.atZone}
	case "collate":
		return infix{precCollate, r.collate}
	case "overlaps":
		return infix{precOperator, r.overlaps}
	}
	return infix{}
}
