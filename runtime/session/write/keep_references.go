package write

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// keepReferences fails with 23503 where what a statement has written breaks a FOREIGN KEY constraint,
// and does to the rows that refer to changed ones what their constraints ask for.
func keepReferences(ctx context.Context, s *session.Session, tx *store.Tx, all ...written) {
	r := &references{ctx: ctx, s: s, state: tx.Latest, tx: tx, queue: all}
	for len(r.queue) > 0 {
		w := r.queue[0]
		if r.queue = r.queue[1:]; w.next == nil {
			continue // nothing was changed
		}
		for i := range w.next.ForeignKeys() {
			if k := &w.next.ForeignKeys()[i]; !w.removed && w.touches(k.Columns) {
				r.keep(&w, k)
			}
		}
		if w.picks != nil {
			r.referred(&w)
		}
	}
}
