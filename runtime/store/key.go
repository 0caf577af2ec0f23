package store

import "strings"

// temporaryPrefix begins the keys of temporary objects. No name has such a beginning.
const temporaryPrefix = "\x00temp."

// TemporaryKey is what states and transactions call the temporary object of a name;
// they call all others by their names.
func TemporaryKey(name string) string { return temporaryPrefix + name }

// IsTemporary reports whether a key is one of TemporaryKey.
func IsTemporary(key string) bool { return strings.HasPrefix(key, temporaryPrefix) }

// NameOf is the name of the object of a key.
func NameOf(key string) string { return strings.TrimPrefix(key, temporaryPrefix) }
