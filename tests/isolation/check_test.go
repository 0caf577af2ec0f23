package isolation

import (
	"slices"
	"testing"
)

// txn is a committed transaction.
func txn(begin, end int64, ops ...Op) Transaction {
	return Transaction{Ops: ops, Committed: true, Begin: begin, End: end}
}

func op(kind Kind, key string, values ...int) Op { return Op{Kind: kind, Key: key, Values: values} }

// TestPlanted has the checker find what was planted in small histories, and
// nothing else.
func TestPlanted(t *testing.T) {
	aborted := Transaction{Ops: []Op{op(Append, "x", 1)}, Begin: 1, End: 3}
	for _, test := range []struct {
		name    string
		history History
		want    []string
	}{
		{"serial", History{
			txn(1, 2, op(Append, "x", 1), op(Write, "r", 1), op(Insert, "s", 1)),
			txn(3, 4, op(ReadList, "x", 1), op(ReadRegister, "r", 1), op(ReadSet, "s", 1), op(Write, "r", 2)),
			txn(5, 6, op(Append, "x", 2), op(ReadList, "x", 1, 2), op(ReadRegister, "r", 2)),
		}, nil},
		{"aborted read", History{aborted, txn(2, 4, op(ReadList, "x", 1))}, []string{AbortedRead}},
		{"undone read", History{
			txn(1, 3, Op{Kind: Insert, Key: "s", Values: []int{1}, Undone: true}), txn(2, 4, op(ReadSet, "s", 1)),
		}, []string{AbortedRead}},
		{"intermediate read", History{
			txn(1, 3, op(Append, "x", 1), op(Append, "x", 2)), txn(2, 4, op(ReadList, "x", 1)), txn(5, 6, op(ReadList, "x", 1, 2)),
		}, []string{IntermediateRead, SingleAnti}}, // it also read between two writes of one transaction
		{"values of nobody", History{txn(1, 2, op(ReadRegister, "r", 7))}, []string{Unknown}},
		{"own write not seen", History{txn(1, 2, op(Append, "x", 1), op(ReadList, "x"))}, []string{Inconsistent}},
		{"no order", History{
			txn(1, 2, op(Append, "x", 1)), txn(1, 2, op(Append, "x", 2)),
			txn(1, 3, op(ReadList, "x", 1)), txn(1, 3, op(ReadList, "x", 2, 1)),
		}, []string{NoOrder}},
		{"writes in a circle", History{
			txn(1, 9, op(Append, "x", 1), op(Append, "y", 1)), txn(2, 8, op(Append, "x", 2), op(Append, "y", 2)),
			txn(10, 11, op(ReadList, "x", 1, 2), op(ReadList, "y", 2, 1)),
		}, []string{WriteCycle}},
		{"reads in a circle", History{
			txn(1, 9, op(Append, "x", 1), op(ReadList, "y", 1)), txn(2, 8, op(Append, "y", 1), op(ReadList, "x", 1)),
		}, []string{CircularFlow}},
		{"unrepeatable read", History{
			txn(1, 9, op(ReadRegister, "r"), op(ReadRegister, "r", 1)), txn(2, 3, op(ReadRegister, "r"), op(Write, "r", 1)),
		}, []string{Unrepeatable, SingleAnti}},
		{"lost update", History{
			txn(1, 9, op(ReadRegister, "r"), op(Write, "r", 1)), txn(2, 8, op(ReadRegister, "r"), op(Write, "r", 2)),
		}, []string{LostUpdate, AntiCycle}},
		{"lost update of a list", History{
			txn(1, 9, op(ReadList, "x"), op(Append, "x", 1)), txn(2, 8, op(ReadList, "x"), op(Append, "x", 2)),
			txn(10, 11, op(ReadList, "x", 1, 2)),
		}, []string{LostUpdate, SingleAnti}},
		{"skewed read", History{
			txn(1, 9, op(ReadSet, "s"), op(ReadSet, "u", 1)), txn(2, 3, op(Insert, "s", 1), op(Insert, "u", 1)),
		}, []string{SingleAnti}},
		{"skewed write", History{
			txn(1, 9, op(ReadList, "x"), op(Append, "y", 1)), txn(2, 8, op(ReadList, "y"), op(Append, "x", 1)),
			txn(10, 11, op(ReadList, "x", 1), op(ReadList, "y", 1)),
		}, []string{AntiCycle}},
		{"skewed write by predicates", History{
			txn(1, 9, op(ReadSet, "s"), op(Insert, "u", 1)), txn(2, 8, op(ReadSet, "u"), op(Insert, "s", 1)),
		}, []string{AntiCycle}},
		{"a reader between", History{ // of Fekete, O'Neil and O'Neil
			txn(1, 9, op(ReadRegister, "x"), op(ReadRegister, "y"), op(Write, "y", 2)),
			txn(2, 3, op(ReadRegister, "x"), op(Write, "x", 1)),
			txn(4, 5, op(ReadRegister, "x", 1), op(ReadRegister, "y")),
		}, []string{AntiCycle}},
		{"long fork", History{ // two readers that see two writers in different orders
			txn(1, 9, op(Insert, "s", 1)), txn(1, 9, op(Insert, "u", 1)),
			txn(2, 8, op(ReadSet, "s", 1), op(ReadSet, "u")), txn(2, 8, op(ReadSet, "s"), op(ReadSet, "u", 1)),
		}, []string{NonadjacentAnti, AntiCycle}},
		{"stale read", History{
			txn(1, 2, op(Insert, "s", 1)), txn(3, 4, op(ReadSet, "s")),
		}, []string{SingleAnti}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := Check(test.history, true)
			var got []string
			for _, a := range found {
				got = append(got, a.Name)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("found %v, want %v", found, test.want)
			}
		})
	}
}

// TestForbids holds which level forbids what.
func TestForbids(t *testing.T) {
	for anomaly, least := range map[string]Level{
		WriteCycle: ReadCommitted, CircularFlow: ReadCommitted, AbortedRead: ReadCommitted,
		SingleAnti: RepeatableRead, LostUpdate: RepeatableRead, AntiCycle: Serializable,
	} {
		for i, level := range Levels {
			if want := i >= slices.Index(Levels, least); level.Forbids(anomaly) != want {
				t.Errorf("%s forbids %s: %v", level, anomaly, !want)
			}
		}
	}
}
