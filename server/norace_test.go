//go:build !race

package server_test

// raceFactor is by how much the race detector may slow things down.
const raceFactor = 1
