package write

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// resolve stores the rows of an INSERT with ON CONFLICT, and returns those of them that were
// inserted or updated. The table is locked, so that the rows that the query has found are
// all that there are.
func (c *changes) resolve(key string, plan *planner.Statement, rel runtime.Relation) []store.Pick {
	table := sqlstate.Must(c.tx.Table(c.ctx, key))
	sqlstate.Check(table.CheckNulls(rel))
	columns, set := len(plan.Target.Columns), plan.Conflict.Set
	r := &resolution{update: set != nil, keys: plan.Conflict.Keys}
	r.read(rel, columns+len(set), c.s.Meter)
	c.checkProposed(table, rel, columns)
	r.decide()
	slices.SortFunc(r.updated, func(a, b store.Pick) int { return cmp.Compare(a.Row, b.Row) })
	if len(c.untouched(key, slices.Clone(r.updated))) < len(r.updated) {
		panic(errTwice())
	}
	c.rewrite(key, set, columns, r.updated, rel)
	if len(r.inserted) == 0 {
		c.checkKeys(key, set)
		return r.stored
	}
	c.appendPicked(plan.Target, r.inserted, rel, 0)
	return r.stored
}

// appendPicked appends the rows that picks name: rel has the columns of the table from its column
// first on.
func (c *changes) appendPicked(target *planner.Relation, picks []store.Pick, rel runtime.Relation, first int) {
	types := make([]algebra.Type, len(target.Columns))
	ordinals := make([]int, len(types))
	for i := range types {
		types[i], ordinals[i] = target.Columns[i].Type, first+i
	}
	rows := sqlstate.Must(store.Picked(rel, picks, types, ordinals))
	c.append(rows, len(types))
}

// errTwice is the error of DO UPDATE of a row that the statement has changed before.
func errTwice() error {
	e := value.Errorf(value.CodeCardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time")
	e.Hint = "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
	return e
}

// proposal is a row of an INSERT with ON CONFLICT.
type proposal struct {
	pick  store.Pick // its number, and where it stands
	keep  bool       // DO UPDATE's WHERE is true
	found []int64    // by key: the position of the table's row with it, -1 for none
	first []int64    // by key: the number of the first proposal with it, -1 where it has a NULL
}

// proposalBytes is what a proposal takes beside its keys, and keyBytes each of them.
const proposalBytes, keyBytes = 96, 32

// resolution decides what becomes of the rows of an INSERT with ON CONFLICT.
type resolution struct {
	update    bool // DO UPDATE, which looks at one key
	keys      int
	proposals []proposal // in their order
	// stored are the proposals that are inserted or updated, by number; updated name the
	// rows of the table.
	stored, inserted, updated []store.Pick
}

// read reads the proposals, of which column at and those behind it are what planner.Conflict adds.
func (c *resolution) read(rel runtime.Relation, at int, m *value.Meter) {
	rows := int(rel.Rows())
	sqlstate.Check(m.Grow(rows * (proposalBytes + c.keys*keyBytes)))
	c.proposals = make([]proposal, rows)
	ordinals := make([]int, 2+2*c.keys)
	for i := range ordinals {
		ordinals[i] = at + i
	}
	for i := range rel.Blocks() {
		block := sqlstate.Must(rel.Load(i, ordinals))
		position := func(row, column int) int64 {
			if chunk := block.Cols[at+column]; chunk.IsValid(row) {
				return chunk.Int(row)
			}
			return -1
		}
		keep := block.Cols[at+1]
		for row := range block.Rows {
			number := position(row, 0)
			p := proposal{pick: store.Pick{Row: number, Block: int32(i), At: int32(row)}, keep: keep.IsValid(row) && keep.Value(row, algebra.TBool).B}
			for k := range c.keys {
				p.found, p.first = append(p.found, position(row, 2+2*k)), append(p.first, position(row, 3+2*k))
			}
			c.proposals[number-1] = p
		}
	}
}

// decide goes over the proposals in their order: each sees what those before it have stored.
func (c *resolution) decide() {
	taken := make([][]bool, c.keys) // by key and number of the first proposal with it
	for k := range taken {
		taken[k] = make([]bool, len(c.proposals)+1)
	}
	for i := range c.proposals {
		p := &c.proposals[i]
		conflicts, again := false, false
		for k := range taken {
			again = again || p.first[k] >= 0 && taken[k][p.first[k]]
			conflicts = conflicts || p.found[k] >= 0
		}
		switch {
		case again && c.update:
			panic(errTwice())
		case again, conflicts && !(c.update && p.keep):
			continue
		case conflicts:
			c.updated = append(c.updated, store.Pick{Row: p.found[0], Block: p.pick.Block, At: p.pick.At})
		default:
			c.inserted = append(c.inserted, p.pick)
		}
		c.stored = append(c.stored, p.pick)
		for k := range taken {
			if p.first[k] >= 0 {
				taken[k][p.first[k]] = true
			}
		}
	}
}
