package runtime

import "unsafe"

// bytesText is b as a string that shares its memory, which never changes: the
// bytes of a Chunk are immutable.
func bytesText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// textBytes is the other way round: the bytes must not be changed.
func textBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
