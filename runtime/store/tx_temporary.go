package store

import (
	"maps"
)

// temporaries are the keys of the temporary objects that the transaction sees.
func (tx *Tx) temporaries() []string {
	var keys []string
	for key := range overlay(&State{objects: map[string]Object{}}, tx.private()).objects {
		keys = append(keys, key)
	}
	return keys
}

// private is what the transaction knows of temporary objects.
func (tx *Tx) private() *changes {
	made := map[string]Object{}
	if tx.Temporary != nil {
		maps.Copy(made, tx.Temporary.objects)
	}
	for key, o := range tx.objects {
		if IsTemporary(key) {
			made[key] = o
		}
	}
	return &changes{objects: made}
}

// DropTemporary drops all temporary tables and views of the session.
func (tx *Tx) DropTemporary() {
	for _, key := range tx.temporaries() {
		tx.set(key, nil)
	}
}
