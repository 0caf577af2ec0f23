package store

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// By says how a table is partitioned; nil where it is not.
func (t *Table) By() *algebra.Partitioning { return t.def.By }

// Of says of what the table is a partition; nil where it is none.
func (t *Table) Of() *PartitionOf { return t.def.Of }

// OnCommit is what becomes of the table when a transaction commits.
func (t *Table) OnCommit() OnCommit { return t.def.OnCommit }

// WithOf is the table as a partition, or as none where of is nil.
func (t *Table) WithOf(of *PartitionOf) *Table {
	next := *t
	next.def.Of = of
	return &next
}

// WithBy is the table partitioned, or not where by is nil.
func (t *Table) WithBy(by *algebra.Partitioning) *Table {
	next := *t
	next.def.By = by
	return &next
}

// Rearranged is a table without rows whose columns had these positions in t; -1 for a new one. Keys and
// constraints of columns that it does not have are gone.
func (t *Table) Rearranged(columns []Column, from []int) (*Table, error) {
	def := t.def
	def.Columns = columns
	moved := func(old []int) ([]int, bool) {
		list := lists.Map(old, func(i int) int { return slices.Index(from, i) })
		return list, !slices.Contains(list, -1)
	}
	def.Keys, def.Checks = nil, nil
	for _, key := range t.def.Keys {
		if at, ok := moved(key.Columns); ok {
			key.Columns = at
			def.Keys = append(def.Keys, key)
		}
	}
	for _, check := range t.def.Checks {
		if at, ok := moved(check.Columns); ok {
			check.Columns = at
			def.Checks = append(def.Checks, check)
		}
	}
	def.By = t.def.By.Moved(func(columns []int) []int { at, _ := moved(columns); return at })
	return NewTable(def)
}

// Parent is the table of which another one is a partition.
func (s *State) Parent(t *Table) *Table { return s.Lookup(t.def.Of.Parent).(*Table) }

// Root is the table that has the rows of another one: itself, unless that is a partition.
func (s *State) Root(t *Table) *Table {
	for t.def.Of != nil {
		t = s.Parent(t)
	}
	return t
}

// RootKey is the key of the table that has the rows of what another key stands for.
func (s *State) RootKey(key string) string {
	if t, ok := s.Lookup(key).(*Table); ok && t.def.Of != nil {
		return KeyOf(s.Root(t))
	}
	return key
}

// LockRows locks the table that has the rows of what a key stands for, and returns its key. It fails as Lock does.
func (tx *Tx) LockRows(ctx context.Context, key string) (string, error) {
	for {
		root := tx.State().RootKey(key)
		if err := tx.Lock(ctx, root); err != nil {
			return "", err
		}
		if tx.State().RootKey(key) == root { // and has not become a partition, or ceased to be one, meanwhile
			return root, nil
		}
	}
}

// Partitions are the partitions of a table, by name; none of one that is not partitioned.
func (s *State) Partitions(t *Table) (list []*Table) {
	if t.def.By == nil {
		return nil
	}
	if s.reader != nil {
		s.reader.read(catalogTarget)
	}
	key := KeyOf(t)
	for _, o := range s.objects {
		if p, ok := o.(*Table); ok && p.def.Of != nil && p.def.Of.Parent == key {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *Table) int { return strings.Compare(KeyOf(a), KeyOf(b)) })
	return list
}

// Below are all tables below a partitioned one, each before those below it.
func (s *State) Below(t *Table) (list []*Table) {
	for _, p := range s.Partitions(t) {
		list = append(append(list, p), s.Below(p)...)
	}
	return list
}

// WithBelow adds to tables, by their keys, those below them.
func (s *State) WithBelow(keys []string) []string {
	all := slices.Clone(keys)
	for _, key := range keys {
		if t, ok := s.Lookup(key).(*Table); ok {
			for _, p := range s.Below(t) {
				if below := KeyOf(p); !slices.Contains(all, below) {
					all = append(all, below)
				}
			}
		}
	}
	return all
}
