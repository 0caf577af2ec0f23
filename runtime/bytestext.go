package runtime

import "unsafe"

// bytesText is b as a string that shares its memory, which never changes: the
// bytes of a Chunk are immutable.
func bytesText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
