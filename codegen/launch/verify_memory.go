package launch

// buffer finds a buffer that is allocated, or is not.
func (v *verifier) buffer(s *state, b int, alive bool) bool {
	switch {
	case b < 0 || b >= len(v.plan.Buffers):
		v.failf("there is no buffer %d", b)
	case alive && !s.alive[b]:
		v.failf("buffer %s is not allocated", v.bufferName(b))
	case !alive && s.alive[b]:
		v.failf("buffer %s is allocated already", v.bufferName(b))
	}
	return v.err == nil
}

// ref checks a place, which is read, or written, or both: so many bytes of it at least.
func (v *verifier) ref(s *state, r Ref, bytes interval, a Access) {
	if !v.buffer(s, r.Buffer, true) {
		return
	}
	b := &v.plan.Buffers[r.Buffer]
	if r.Part < 0 || r.Part >= b.Parts {
		v.failf("buffer %s has %d parts and no part %d", b.Name, b.Parts, r.Part)
		return
	}
	if b.Columns != nil && r.Part%2 == 1 && !b.Columns[r.Part/2].Valid {
		v.failf("column %d of %s has no validity", r.Part/2, b.Name)
	}
	end := bytes
	if r.Offset != nil {
		end = Add.interval([]interval{v.natural(s, r.Offset, "the offset in buffer "+b.Name), bytes})
	}
	if size := s.sizes[r.Buffer][r.Part]; end.lo > size.hi {
		v.failf("part %d of buffer %s has %d bytes, of which byte %d is used", r.Part, b.Name, size.hi, end.lo)
	}
	if a != Out && !s.written[r.Buffer][r.Part] {
		v.failf("part %d of buffer %s is read before it is written", r.Part, b.Name)
	}
	if a != In {
		s.written[r.Buffer][r.Part] = true
	}
}

// memory checks a statement about buffers.
func (v *verifier) memory(stmt Stmt, s *state) {
	switch stmt := stmt.(type) {
	case *Alloc:
		v.alloc(stmt, s)
	case *Columns:
		v.at = "columns " + v.bufferName(stmt.Buffer) + ": "
		if !v.buffer(s, stmt.Buffer, false) {
			return
		}
		b := &v.plan.Buffers[stmt.Buffer]
		if b.Columns == nil {
			v.failf("buffer %s has no columns", b.Name)
		}
		v.natural(s, stmt.Rows, "the number of rows")
		s.alive[stmt.Buffer] = true
		for i, c := range b.Columns {
			s.sizes[stmt.Buffer][2*i], s.sizes[stmt.Buffer][2*i+1] = natural, natural
			s.written[stmt.Buffer][2*i], s.written[stmt.Buffer][2*i+1] = c.Width == 0, c.Valid
		}
	case *Clear:
		v.at = "clear " + v.bufferName(stmt.At.Buffer) + ": "
		v.ref(s, stmt.At, v.natural(s, stmt.Bytes, "the number of bytes"), Out)
	case *Release:
		v.at = "release " + v.bufferName(stmt.Buffer) + ": "
		if v.buffer(s, stmt.Buffer, true) {
			s.alive[stmt.Buffer] = false
			clear(s.written[stmt.Buffer])
		}
	case *Swap:
		v.swap(stmt, s)
	case *Read:
		v.read(stmt, s)
	case *Keep:
		v.at = "keep " + v.bufferName(stmt.Buffer) + ": "
		v.columns(stmt.Buffer, s)
		v.natural(s, stmt.Rows, "the number of rows")
		v.natural(s, stmt.Number, "the number of the relation")
		if v.err == nil {
			s.alive[stmt.Buffer] = false
			clear(s.written[stmt.Buffer])
		}
	}
}

func (v *verifier) alloc(stmt *Alloc, s *state) {
	v.at = "alloc " + v.bufferName(stmt.Buffer) + ": "
	if !v.buffer(s, stmt.Buffer, false) {
		return
	}
	switch b := &v.plan.Buffers[stmt.Buffer]; {
	case b.Columns != nil:
		v.failf("the sizes of columns follow from the number of rows")
	case len(stmt.Sizes) != b.Parts:
		v.failf("%d sizes are given for %d parts", len(stmt.Sizes), b.Parts)
	}
	for i, x := range stmt.Sizes {
		size := v.natural(s, x, "the size")
		if v.err != nil {
			return
		}
		s.sizes[stmt.Buffer][i] = size
	}
	if v.err != nil {
		return
	}
	s.alive[stmt.Buffer] = true
	for i := range s.written[stmt.Buffer] {
		s.written[stmt.Buffer][i] = stmt.Fill != Anything
	}
}

func (v *verifier) swap(stmt *Swap, s *state) {
	v.at = "swap " + v.bufferName(stmt.A) + ": "
	if !v.buffer(s, stmt.A, true) || !v.buffer(s, stmt.B, true) {
		return
	}
	a, b := &v.plan.Buffers[stmt.A], &v.plan.Buffers[stmt.B]
	if a.Parts != b.Parts || a.Columns != nil || b.Columns != nil {
		v.failf("buffer %s is not like %s", b.Name, a.Name)
	}
	s.written[stmt.A], s.written[stmt.B] = s.written[stmt.B], s.written[stmt.A]
	s.sizes[stmt.A], s.sizes[stmt.B] = s.sizes[stmt.B], s.sizes[stmt.A]
}

// errorWords is how many words the error of a row takes.
const errorWords = 3

func (v *verifier) read(stmt *Read, s *state) {
	v.at = "read " + v.bufferName(stmt.From.Buffer) + ": "
	v.ref(s, stmt.From, Mul.interval([]interval{v.natural(s, stmt.Words, "the number of words"), {8, 8}}), In)
	words, constant := stmt.Words.(Int)
	within := func(word int) {
		if !constant || word < 0 || int64(word) >= int64(words) {
			v.failf("word %d is not among those that are read", word)
		}
	}
	if stmt.Raise != None {
		within(stmt.Raise)
		within(stmt.Raise + errorWords - 1)
	}
	for _, in := range stmt.Into {
		within(in.Word)
		v.assign(s, in.Var, natural)
	}
	if stmt.With != nil {
		v.columns(stmt.With.Buffer, s)
		v.natural(s, stmt.With.Rows, "the number of rows")
	}
	if stmt.Array != None && v.variable(stmt.Array, Array) {
		s.set[stmt.Array], s.lies[stmt.Array] = true, anyNumber
	}
}

// columns checks columns that become a result.
func (v *verifier) columns(b int, s *state) {
	if !v.buffer(s, b, true) {
		return
	}
	buffer := &v.plan.Buffers[b]
	if buffer.Columns == nil {
		v.failf("buffer %s has no columns", buffer.Name)
	}
	for i := range buffer.Columns {
		v.ref(s, Data(b, i), interval{}, In)
	}
}

// result checks what ends the plan.
func (v *verifier) result(stmt Stmt, s *state) {
	v.at = "result: "
	if v.chunks {
		v.failf("the plan ends within chunks")
	}
	switch stmt := stmt.(type) {
	case *Rows:
		v.columns(stmt.Buffer, s)
		v.natural(s, stmt.Rows, "the number of rows")
		for _, t := range stmt.Texts {
			v.ref(s, Ref{Buffer: t.Buffer}, interval{}, In)
			v.ref(s, Data(stmt.Buffer, t.Column), interval{}, In)
			v.natural(s, t.Longest, "the length of a text")
		}
	case *Relations:
		if stmt.Count < 1 {
			v.failf("there are %d relations", stmt.Count)
		}
	case *Table:
		v.columns(stmt.Buffer, s)
		numbers := []Expr{stmt.Rows, stmt.Places, stmt.Unique, stmt.Mask}
		if stmt.Keys != nil {
			numbers = append(numbers, stmt.Keys, stmt.Longest, stmt.Squares)
		}
		for _, x := range numbers {
			v.natural(s, x, "a number of the table")
		}
		for _, b := range stmt.Bounds {
			if b.Key < 0 {
				v.failf("there is no key %d", b.Key)
			}
			v.expr(s, b.Min)
			v.expr(s, b.Max)
		}
		for _, b := range []int{stmt.Slots, stmt.Ends, stmt.Words} {
			if b != None {
				v.ref(s, Ref{Buffer: b}, interval{}, In)
			}
		}
	case *Groups:
		v.at = "groups: "
		v.natural(s, stmt.Cells, "the number of cells")
		if stmt.Groups != nil {
			v.natural(s, stmt.Groups, "the number of groups")
		}
		for i := range stmt.Words {
			if word := &stmt.Words[i]; word.X != nil {
				v.expr(s, word.X)
			} else {
				v.ref(s, word.Ref, interval{}, In)
			}
		}
	case *Fallback:
		v.at = "fallback: "
		v.natural(s, stmt.Room, "the number of rows")
	case *Complete:
		v.at = "complete: "
		if x := stmt.words(); x != nil {
			v.expr(s, x)
		}
	}
}
