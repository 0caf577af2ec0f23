// Package server makes a database reachable by PostgreSQL's wire protocol
// (version 3): one cubeloom.Session for each connection, simple and extended
// queries, COPY, cancel requests, TLS and SCRAM-SHA-256.
//
// A connection is one goroutine from start-up to its end. It reads a message,
// acts, and writes to a buffer that is flushed where the protocol asks for it.
package server
