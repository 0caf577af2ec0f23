package launch

import (
	"fmt"
	"strconv"
	"strings"
)

// Print writes a plan as text that Parse reads.
func Print(p *Plan) string {
	w := &printer{plan: p}
	w.begin("plan %q", p.Name)
	for i := range p.Blocks {
		w.block(&p.Blocks[i])
	}
	for i := range p.Entries {
		w.entry(&p.Entries[i])
	}
	for i := range p.Buffers {
		w.buffer(&p.Buffers[i])
	}
	for _, v := range p.Vars {
		w.line("var %s %s", v.Name, VarKinds[v.Kind])
	}
	w.stmts(p.Body)
	w.end()
	return w.b.String()
}

// String is Print.
func (p *Plan) String() string { return Print(p) }

// The words of kinds in text.
var (
	VarKinds  = [...]string{Natural: "natural", Bits: "bits", Array: "array"}
	fillNames = [...]string{Anything: "", Zeros: " zeros", Ones: " ones"}
	FailKinds = [...]string{Refused: "refused", OutOfMemory: "memory", LimitHit: "limit"}
	Accesses  = [...]string{In: "in", Out: "out", InOut: "inout"}
)

// Statements are the words that statements and declarations begin or end with, which
// are no names.
var Statements = []string{
	"entry", "buffer", "var", "end", "else", "let", "alloc", "columns", "clear", "release", "swap", "launch", "read",
	"if", "loop", "until", "chunks", "fail", "result", "fallback", "complete", "list", "keep",
}

type printer struct {
	b     strings.Builder
	plan  *Plan
	depth int
}

func (w *printer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *printer) begin(format string, args ...any) {
	w.line(format, args...)
	w.depth++
}

func (w *printer) end() {
	w.depth--
	w.line("end")
}

func (w *printer) block(b *Block) {
	w.begin("block %s", b.Name)
	for _, word := range b.Words {
		text := word.Name + " number"
		if word.Pointer > 0 {
			text = fmt.Sprintf("%s pointer %d", word.Name, word.Pointer)
		}
		if word.Bound {
			text += " bound"
		}
		w.line("%s", text)
	}
	w.end()
}

func (w *printer) entry(e *Entry) {
	text := fmt.Sprintf("entry %s of %s threads %d", e.Name, w.plan.Blocks[e.Block].Name, e.Threads)
	if e.TileRows > 0 {
		text += fmt.Sprintf(" tile %d", e.TileRows)
	}
	if e.PerSM > 0 {
		text += fmt.Sprintf(" multiprocessor %d", e.PerSM)
	}
	if e.Source {
		text += " source"
	}
	text += " takes"
	for _, word := range e.Takes {
		text += " " + w.word(e.Block, word)
	}
	w.line("%s", text)
}

// word is the name of a word of a block.
func (w *printer) word(block, word int) string {
	if words := w.plan.Blocks[block].Words; word >= 0 && word < len(words) {
		return words[word].Name
	}
	return strconv.Itoa(word)
}

func (w *printer) buffer(b *Buffer) {
	if b.Columns == nil {
		w.line("buffer %s %d", b.Name, b.Parts)
		return
	}
	text := "buffer " + b.Name + " columns"
	if b.First > 0 {
		text = fmt.Sprintf("buffer %s from %d columns", b.Name, b.First)
	}
	for _, c := range b.Columns {
		text += " " + strconv.Itoa(c.Width)
		if c.Valid {
			text += "?"
		}
	}
	w.line("%s", text)
}

func (w *printer) stmts(list []Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *printer) body(list []Stmt, format string, args ...any) {
	w.begin(format, args...)
	w.stmts(list)
	w.end()
}

func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Let:
		w.line("let %s = %s", w.name(s.Var), w.expr(s.X))
	case *List:
		w.line("list %s = %s", w.name(s.Array), w.exprs(s.X))
	case *Alloc:
		w.line("alloc %s %s%s", w.bufferName(s.Buffer), w.exprs(s.Sizes), fillNames[s.Fill])
	case *Columns:
		w.line("columns %s %s", w.bufferName(s.Buffer), w.expr(s.Rows))
	case *Clear:
		w.line("clear %s bytes %s", w.ref(s.At), w.expr(s.Bytes))
	case *Release:
		w.line("release %s", w.bufferName(s.Buffer))
	case *Swap:
		w.line("swap %s %s", w.bufferName(s.A), w.bufferName(s.B))
	case *Launch:
		w.launch(s)
	case *Read:
		w.read(s)
	case *If:
		w.begin("if %s", w.expr(s.Cond))
		w.stmts(s.Then)
		if len(s.Else) > 0 {
			w.depth--
			w.begin("else")
			w.stmts(s.Else)
		}
		w.end()
	case *Loop:
		w.body(s.Body, "loop")
	case *Until:
		w.line("until %s", w.expr(s.Cond))
	case *Chunks:
		w.body(s.Body, "chunks")
	case *Fail:
		w.line("fail %s %q if %s", FailKinds[s.Kind], s.Text, w.expr(s.Cond))
	case *Note:
		text := fmt.Sprintf("note %q", s.Text)
		if len(s.X) > 0 {
			text += " = " + w.exprs(s.X)
		}
		w.line("%s", text)
	case *Rows:
		text := fmt.Sprintf("result rows %s count %s", w.bufferName(s.Buffer), w.expr(s.Rows))
		for _, t := range s.Texts {
			text += fmt.Sprintf(" texts %s column %d longest %s", w.bufferName(t.Buffer), t.Column, w.expr(t.Longest))
		}
		w.line("%s", text)
	case *Keep:
		w.line("keep %s count %s number %s", w.bufferName(s.Buffer), w.expr(s.Rows), w.expr(s.Number))
	case *Relations:
		w.line("result relations %d", s.Count)
	case *Table:
		w.table(s)
	case *Groups:
		w.groups(s)
	case *Fallback:
		w.line("fallback %s", w.expr(s.Room))
	case *Complete:
		if s.Array == None {
			w.line("complete")
		} else {
			w.line("complete array %s", w.name(s.Array))
		}
	}
}

func (w *printer) launch(s *Launch) {
	text := fmt.Sprintf("launch %s over %s", w.plan.Entries[s.Entry].Name, w.expr(s.Over))
	if s.Full {
		text += " full"
	}
	if s.Shared != nil {
		text += " shared " + w.expr(s.Shared)
	}
	if s.Blocks != None {
		text += " giving " + w.name(s.Blocks)
	}
	w.begin("%s", text)
	for i := range s.Args {
		a := &s.Args[i]
		name := w.word(w.plan.Entries[s.Entry].Block, a.Word)
		if a.X != nil {
			w.line("%s = %s", name, w.expr(a.X))
		} else {
			w.line("%s %s %s", name, Accesses[a.Access], w.ref(a.Ref))
		}
	}
	w.end()
}

func (w *printer) read(s *Read) {
	text := fmt.Sprintf("read %s words %s", w.ref(s.From), w.expr(s.Words))
	if s.Raise != None {
		text += fmt.Sprintf(" raise %d", s.Raise)
	}
	for _, in := range s.Into {
		text += fmt.Sprintf(" into %s %d", w.name(in.Var), in.Word)
	}
	if s.Array != None {
		text += " array " + w.name(s.Array)
	}
	if s.With != nil {
		text += fmt.Sprintf(" with %s count %s", w.bufferName(s.With.Buffer), w.expr(s.With.Rows))
	}
	w.line("%s", text)
}

func (w *printer) table(s *Table) {
	text := fmt.Sprintf("result table %s count %s places %s unique %s mask %s", w.bufferName(s.Buffer),
		w.expr(s.Rows), w.expr(s.Places), w.expr(s.Unique), w.expr(s.Mask))
	for i, b := range []int{s.Slots, s.Ends, s.Words} {
		if b != None {
			text += " " + TableParts[i] + " " + w.bufferName(b)
		}
	}
	if s.Keys != nil {
		text += fmt.Sprintf(" of %s longest %s squares %s", w.expr(s.Keys), w.expr(s.Longest), w.expr(s.Squares))
	}
	for _, b := range s.Bounds {
		text += fmt.Sprintf(" key %d min %s max %s", b.Key, w.expr(b.Min), w.expr(b.Max))
	}
	w.line("%s", text)
}

func (w *printer) groups(s *Groups) {
	text := "result groups in " + w.expr(s.Cells)
	if s.Groups != nil {
		text += " count " + w.expr(s.Groups)
	}
	for i := range s.Words {
		if word := &s.Words[i]; word.X != nil {
			text += " word " + w.expr(word.X)
		} else {
			text += " word at " + w.ref(word.Ref)
		}
	}
	w.line("%s", text)
}

// TableParts are the words of the buffers of a Table in text.
var TableParts = [...]string{"slots", "ends", "keys"}

func (w *printer) name(v int) string       { return w.plan.Vars[v].Name }
func (w *printer) bufferName(b int) string { return w.plan.Buffers[b].Name }

func (w *printer) ref(r Ref) string {
	b := &w.plan.Buffers[r.Buffer]
	text := fmt.Sprintf("%s.%d", b.Name, r.Part)
	if b.Columns != nil {
		text = fmt.Sprintf("%s.%s.%d", b.Name, []string{"data", "valid"}[r.Part%2], r.Part/2)
	}
	if r.Offset != nil {
		text += "[" + w.expr(r.Offset) + "]"
	}
	return text
}

func (w *printer) exprs(list []Expr) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = w.expr(x)
	}
	return strings.Join(texts, ", ")
}

func (w *printer) expr(x Expr) string { return w.operand(x, 0) }

// operand writes an expression that stands beside an operator which binds so tightly.
func (w *printer) operand(x Expr, outer int) string {
	switch x := x.(type) {
	case Int:
		return strconv.FormatInt(int64(x), 10)
	case Sym:
		if x.Kind.HasIndex() {
			return fmt.Sprintf("%s.%d", SymbolNames[x.Kind], x.Index)
		}
		return SymbolNames[x.Kind]
	case VarRef:
		return w.name(int(x))
	case At:
		return fmt.Sprintf("%s[%s]", w.name(x.Array), w.expr(x.Index))
	case Tiles:
		return fmt.Sprintf("tiles(%d)", x.Rows)
	case Blocks:
		if x.Over == nil {
			return fmt.Sprintf("blocks(%s)", w.plan.Entries[x.Entry].Name)
		}
		return fmt.Sprintf("blocks(%s, %s)", w.plan.Entries[x.Entry].Name, w.expr(x.Over))
	case *Apply:
		op := Operations[x.Op]
		if op.Infix == 0 {
			return op.Name + "(" + w.exprs(x.X) + ")"
		}
		text := w.operand(x.X[0], op.Infix) + " " + op.Name + " " + w.operand(x.X[1], op.Infix+1)
		if op.Infix < outer {
			return "(" + text + ")"
		}
		return text
	}
	return "?"
}
