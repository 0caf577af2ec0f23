// Package server makes a database reachable by PostgreSQL's wire protocol
// (version 3): one cubeloom.Session for each connection, simple and extended
// queries, COPY, cancel requests, TLS and SCRAM-SHA-256. Rules and the roles of the
// database say who comes in.
//
// A connection is one goroutine from start-up to its end. It reads a message,
// acts, and writes to a buffer that is flushed where the protocol asks for it. Where
// acting takes long, another goroutine reads ahead, to see whether the client is gone.
package server
