package pgcatalog

import (
	"time"

	"github.com/cubeloom/cubeloom/sql/access"
)

// The columns of the statistics of tables.
const (
	statSpec = `relid:o schemaname:n=public relname:n seq_scan:l=0 seq_tup_read:l=0 idx_scan:l=0
		idx_tup_fetch:l=0 n_tup_ins:l=0 n_tup_upd:l=0 n_tup_del:l=0 n_tup_hot_upd:l=0 n_live_tup:l n_dead_tup:l=0
		n_mod_since_analyze:l=0 n_ins_since_vacuum:l=0 last_vacuum:m last_autovacuum:m last_analyze:m last_autoanalyze:m vacuum_count:l=0
		autovacuum_count:l=0 analyze_count:l=0 autoanalyze_count:l=0`
	statioSpec = `relid:o schemaname:n=public relname:n heap_blks_read:l=0 heap_blks_hit:l=0 idx_blks_read:l idx_blks_hit:l
		toast_blks_read:l toast_blks_hit:l tidx_blks_read:l tidx_blks_hit:l`
)

func progressRows(v *View) []Row {
	if v.Activity == nil {
		return nil
	}
	var rows []Row
	for _, a := range v.Activity() {
		if a.Phase != "" && v.maySee(a.Role) {
			rows = append(rows, Row{"pid": int(a.PID), "usename": a.User, "application_name": a.Application, "query": a.Query,
				"phase": a.Phase, "rows_done": a.RowsDone, "rows_total": a.RowsTotal, "elapsed_ms": time.Since(a.Queried).Milliseconds()})
		}
	}
	return rows
}

func activityRows(v *View) []Row {
	if v.Activity == nil {
		return nil
	}
	var rows []Row
	for _, a := range v.Activity() {
		if !v.maySee(a.Role) {
			rows = append(rows, Row{"datname": a.Database, "pid": int(a.PID), "usename": v.Access.NameOf(access.OID(a.Role)),
				"usesysid": int(a.Role), "application_name": a.Application, "query": "<insufficient privilege>"})
			continue
		}
		row := Row{"datname": a.Database, "pid": int(a.PID), "usename": v.Access.NameOf(access.OID(a.Role)), "usesysid": int(a.Role), "application_name": a.Application,
			"client_port": -1, "backend_type": "client backend", "backend_start": a.Started.UnixMicro(), "state": a.State, "query": a.Query}
		if a.Client != "" {
			row["client_addr"], row["client_port"] = a.Client, a.ClientPort
		}
		for name, at := range map[string]time.Time{"query_start": a.Queried, "state_change": a.StateChanged, "xact_start": a.TransactionStarted} {
			if !at.IsZero() {
				row[name] = at.UnixMicro()
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// maySee reports whether the session's role may see what the sessions of another do.
func (v *View) maySee(role uint32) bool {
	return v.Access.Has(v.User, access.OID(role)) || v.Access.Has(v.User, access.ReadAllStats)
}
