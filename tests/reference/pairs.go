package reference

import (
	"context"
	"encoding/json"
	"fmt"
)

// planNode is a node of a plan as EXPLAIN (FORMAT JSON) gives it.
type planNode struct {
	Type     string     `json:"Node Type"`
	Relation string     `json:"Parent Relationship"`
	Rows     float64    `json:"Plan Rows"`
	Plans    []planNode `json:"Plans"`
}

// JoinPairs is how many pairs of rows PostgreSQL expects that nested loop of a
// query's plan to look at whose pairs are most, were each side to be read whole;
// 0 where the plan has no nested loop. Joins by equalities are other nodes as soon
// as their sides are not small.
func (p *Postgres) JoinPairs(ctx context.Context, sql string) (float64, error) {
	r, err := p.Query(ctx, "EXPLAIN (FORMAT JSON) "+sql)
	if err != nil {
		return 0, err
	}
	if len(r.Rows) != 1 || len(r.Rows[0]) != 1 {
		return 0, fmt.Errorf("a plan of %d rows", len(r.Rows))
	}
	var plans []struct{ Plan planNode }
	if err := json.Unmarshal([]byte(r.Rows[0][0].Text), &plans); err != nil {
		return 0, err
	}
	most := 0.0
	for i := range plans {
		most = max(most, plans[i].Plan.joinPairs())
	}
	return most, nil
}

// joinPairs is the most pairs of one nested loop at or below n.
func (n *planNode) joinPairs() float64 {
	most, pairs := 0.0, 1.0
	for i := range n.Plans {
		child := &n.Plans[i]
		most = max(most, child.joinPairs())
		if child.Relation == "Outer" || child.Relation == "Inner" {
			pairs *= child.Rows
		}
	}
	if n.Type == "Nested Loop" {
		most = max(most, pairs)
	}
	return most
}
