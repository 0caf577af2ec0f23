package main

import "unsafe"

// The part of DuckDB's C API that is used. Handles are pointers; a function
// that destroys one takes its address. States are 0 for success.
type duckdbLibrary struct {
	Version    func() string                                                     `c:"duckdb_library_version"`
	Open       func(path *byte, db *unsafe.Pointer) int32                        `c:"duckdb_open"`
	CloseDB    func(db *unsafe.Pointer)                                          `c:"duckdb_close"`
	Connect    func(db unsafe.Pointer, conn *unsafe.Pointer) int32               `c:"duckdb_connect"`
	Disconnect func(conn *unsafe.Pointer)                                        `c:"duckdb_disconnect"`
	Interrupt  func(conn unsafe.Pointer)                                         `c:"duckdb_interrupt"`
	Query      func(conn unsafe.Pointer, sql string, result *duckdbResult) int32 `c:"duckdb_query"`
	Error      func(result *duckdbResult) string                                 `c:"duckdb_result_error"`
	Destroy    func(result *duckdbResult)                                        `c:"duckdb_destroy_result"`
	Columns    func(result *duckdbResult) uint64                                 `c:"duckdb_column_count"`
	ColumnType func(result *duckdbResult, column uint64) unsafe.Pointer          `c:"duckdb_column_logical_type"`
	FetchChunk func(result duckdbResult) unsafe.Pointer                          `c:"duckdb_fetch_chunk"`

	TypeID       func(t unsafe.Pointer) int32            `c:"duckdb_get_type_id"`
	DecimalScale func(t unsafe.Pointer) uint8            `c:"duckdb_decimal_scale"`
	DecimalID    func(t unsafe.Pointer) int32            `c:"duckdb_decimal_internal_type"`
	CreateType   func(id int32) unsafe.Pointer           `c:"duckdb_create_logical_type"`
	DecimalType  func(width, scale uint8) unsafe.Pointer `c:"duckdb_create_decimal_type"`
	DestroyType  func(t *unsafe.Pointer)                 `c:"duckdb_destroy_logical_type"`

	CreateChunk  func(types *unsafe.Pointer, n uint64) unsafe.Pointer                   `c:"duckdb_create_data_chunk"`
	DestroyChunk func(chunk *unsafe.Pointer)                                            `c:"duckdb_destroy_data_chunk"`
	ResetChunk   func(chunk unsafe.Pointer)                                             `c:"duckdb_data_chunk_reset"`
	ChunkSize    func(chunk unsafe.Pointer) uint64                                      `c:"duckdb_data_chunk_get_size"`
	SetChunkSize func(chunk unsafe.Pointer, n uint64)                                   `c:"duckdb_data_chunk_set_size"`
	ChunkVector  func(chunk unsafe.Pointer, column uint64) unsafe.Pointer               `c:"duckdb_data_chunk_get_vector"`
	VectorData   func(vector unsafe.Pointer) unsafe.Pointer                             `c:"duckdb_vector_get_data"`
	Validity     func(vector unsafe.Pointer) unsafe.Pointer                             `c:"duckdb_vector_get_validity"`
	VectorSize   func() uint64                                                          `c:"duckdb_vector_size"`
	AssignText   func(vector unsafe.Pointer, row uint64, text unsafe.Pointer, n uint64) `c:"duckdb_vector_assign_string_element_len"`

	CreateAppender  func(conn unsafe.Pointer, schema *byte, table string, appender *unsafe.Pointer) int32 `c:"duckdb_appender_create"`
	AppenderError   func(appender unsafe.Pointer) string                                                  `c:"duckdb_appender_error"`
	AppendChunk     func(appender, chunk unsafe.Pointer) int32                                            `c:"duckdb_append_data_chunk"`
	DestroyAppender func(appender *unsafe.Pointer) int32                                                  `c:"duckdb_appender_destroy"`
}

// duckdbResult has the size of the struct duckdb_result, whose fields are
// DuckDB's own.
type duckdbResult struct{ _, _, _, _, _, _ uintptr }

// The numbers of DuckDB's types (enum duckdb_type).
const (
	duckdbBoolean  = 1
	duckdbTinyint  = 2
	duckdbSmallint = 3
	duckdbInteger  = 4
	duckdbBigint   = 5
	duckdbDouble   = 11
	duckdbDate     = 13
	duckdbHugeint  = 16
	duckdbVarchar  = 17
	duckdbDecimal  = 19
)
