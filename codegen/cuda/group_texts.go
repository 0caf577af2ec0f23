package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// textOrders are the template arguments of take_text: which of two texts is kept.
var textOrders = map[kernel.AccOp]string{kernel.AccMin: "-1", kernel.AccMax: "1", kernel.AccAny: "0"}

// takeText takes the text of a row.
func (a *GroupedAcc) takeText(e *Entry) {
	e.Line("take_text<%s>(%s, kept_word(%s));", textOrders[a.acc.Op], e.word("u64", 0, a.Array(e, 0)), e.At(a.acc.Args[0]))
}

// flushText takes the texts of a slot's replicas to its cell.
func (a *GroupedAcc) flushText(e *Entry) {
	e.Line("const u64* const plane = (const u64*)(slots.words + %d * span) + slot * slots.replicas;", a.plane)
	e.Begin("for (u32 c = 0; c < slots.replicas; c++)")
	e.Line("if (plane[c]) take_text<%s>(%s + cell, plane[c]);", textOrders[a.acc.Op], a.Array(e, 0))
	e.End()
}
