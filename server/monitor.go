package server

import (
	"fmt"
	"net/http"
	"time"
)

// Monitor serves GET /metrics in Prometheus' text format and GET /health, which
// is 200 while the server takes connections and 503 while it stops.
func (s *Server) Monitor() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write(s.exposition())
	})
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		if s.isClosing() {
			http.Error(w, "stopping", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}

// exposition is the text of /metrics.
func (s *Server) exposition() []byte {
	var out []byte
	add := func(name, kind, help string, v any) {
		out = fmt.Appendf(out, "# HELP cubeloom_%s %s\n# TYPE cubeloom_%[1]s %[3]s\ncubeloom_%[1]s %[4]v\n", name, help, kind, v)
	}
	m := &s.metrics
	running, waiting := s.admission.counts()
	add("sessions", "gauge", "Sessions that are logged in.", s.sessions.count())
	add("connections_total", "counter", "Logins that succeeded.", m.connections.Load())
	add("logins_failed_total", "counter", "Connections that did not log in.", m.refused.Load())
	add("strangers_evicted_total", "counter", "Connections that others took the place of before they logged in.", m.evicted.Load())
	add("statements_running", "gauge", "Statements that run.", running)
	add("statements_waiting", "gauge", "Statements that wait for their turn.", waiting)
	add("statements_failed_total", "counter", "Statements that failed.", m.errors.Load())
	add("rows_sent_total", "counter", "Rows sent to clients.", m.rows.Load())
	add("memory_bytes", "gauge", "Memory that running statements hold.", s.config().DB.MemoryInUse())
	add("page_locked_bytes", "gauge", "Page-locked memory that keeps tables streamed to a CUDA device.", s.config().DB.PageLockedInUse())
	out = fmt.Append(out, "# HELP cubeloom_statement_seconds How long statements took.\n# TYPE cubeloom_statement_seconds histogram\n")
	var sum int64
	for i, bound := range bounds {
		sum += m.buckets[i].Load()
		out = fmt.Appendf(out, "cubeloom_statement_seconds_bucket{le=\"%g\"} %d\n", bound, sum)
	}
	count := sum + m.buckets[len(bounds)].Load()
	return fmt.Appendf(out, "cubeloom_statement_seconds_bucket{le=\"+Inf\"} %d\ncubeloom_statement_seconds_sum %g\ncubeloom_statement_seconds_count %d\n",
		count, time.Duration(m.nanoseconds.Load()).Seconds(), count)
}
