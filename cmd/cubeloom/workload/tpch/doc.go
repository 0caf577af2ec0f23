// Package tpch holds the data and the 22 queries of TPC-H.
//
// The data follow clause 4.2 of the TPC-H specification with the seeds of the generator
// that the Transaction Processing Performance Council distributes, so that they are the
// same byte for byte; each row is computed from its number, so that all cores make them.
// The word lists of clause 4.2.2.13 come from package dbgen/dist of
// github.com/pingcap/go-tpc, which is under the Apache License 2.0 and says of that
// folder: "TPC, TPC Benchmark and TPC-C are trademarks of the Transaction Processing
// Performance Council. All other materials ©2015-2016 TPC. All rights reserved." Hence
// this package calls it as the module ships it and contains none of its code, and no other
// package of Cubeloom imports it but through this one. Figures measured with these data and
// queries are not audited TPC-H results and must not be compared with published ones, or
// be called TPC-H results.
//
// The query texts follow clause 2.4 of the TPC-H specification with the
// validation values of their substitution parameters, in PostgreSQL's spelling.
package tpch
