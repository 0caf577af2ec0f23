package sql

import (
	"fmt"
	"sync"
	"testing"
)

// TestStatementsOfOneIntermediate holds that statements that differ in names and
// literals only, of which Vitess parses one, keep their own, in many goroutines.
func TestStatementsOfOneIntermediate(t *testing.T) {
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 50 {
				text := fmt.Sprintf("select a%d, sum(b) filter (where (c = '%d')) from t%d where (d < %d) group by a%d order by 1", i, k, k, i*k, i)
				stmt, err := Parse(text)
				if err != nil {
					t.Error(err)
					return
				}
				if got := Format(stmt); got != text {
					t.Errorf("%s was read as %s", text, got)
				}
			}
		})
	}
	group.Wait()
}
