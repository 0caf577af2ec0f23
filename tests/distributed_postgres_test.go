//go:build reference

package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/jackc/pgx/v5/pgconn"
)

// A cluster is what docs/distributed.sh sets up: three servers and a PostgreSQL
// in front of them.
type cluster struct {
	dir, program    string
	port, firstPort int
}

// script runs docs/distributed.sh.
func (c *cluster) script(t *testing.T, args ...string) {
	t.Helper()
	args = append(args, "--dir", c.dir, "--sf", "0.02", "--cubeloom", c.program)
	if out, err := exec.CommandContext(t.Context(), "../docs/distributed.sh", args...).CombinedOutput(); err != nil {
		t.Fatalf("distributed.sh %s: %v\n%s", args[0], err, out)
	}
}

// startCluster builds the program and runs the script.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "cubeloom-distributed-")
	if err != nil {
		t.Fatal(err)
	}
	// PostgreSQL runs as another user where the tests run as root.
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir: dir, program: filepath.Join(dir, "cubeloom")}
	t.Cleanup(func() {
		if out, err := exec.Command("../docs/distributed.sh", "stop", "--dir", dir).CombinedOutput(); err != nil {
			t.Errorf("distributed.sh stop: %v\n%s", err, out)
		}
		os.RemoveAll(dir)
	})
	if out, err := exec.Command("go", "build", "-o", c.program, "../cmd/cubeloom").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.firstPort = freePorts(t, 4)
	c.port = c.firstPort + 3
	c.script(t, "start", "--node-port", strconv.Itoa(c.firstPort), "--port", strconv.Itoa(c.port))
	return c
}

// freePorts returns the first of n ports in a row at which nobody listens, below
// those that the system gives to connections.
func freePorts(t *testing.T, n int) int {
	t.Helper()
	for range 100 {
		first := 15_000 + rand.IntN(15_000)
		free := 0
		for ; free < n; free++ {
			l, err := net.Listen("tcp", fmt.Sprintf("localhost:%d", first+free))
			if err != nil {
				break
			}
			l.Close()
		}
		if free == n {
			return first
		}
	}
	t.Fatalf("there are no %d free ports in a row", n)
	return 0
}

// front connects to the PostgreSQL in front.
func (c *cluster) front(t *testing.T) *wire {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), fmt.Sprintf("host=localhost port=%d user=postgres database=ssb sslmode=disable", c.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return &wire{conn: conn, protocol: "simple"}
}

// single is one engine with all the data that the nodes have.
func (c *cluster) single(t *testing.T) *engine {
	t.Helper()
	e := openEngine(t)
	for _, table := range []string{"date", "customer", "supplier", "part", "lineorder"} {
		e.run(t, fmt.Sprintf("CREATE TABLE %s AS SELECT * FROM '%s/ssb/%[1]s.parquet'", table, c.dir))
	}
	e.run(t, `CREATE VIEW star AS SELECT * FROM lineorder, date, customer, supplier, part
		WHERE lo_orderdate = d_datekey AND lo_custkey = c_custkey AND lo_suppkey = s_suppkey AND lo_partkey = p_partkey`)
	e.run(t, `CREATE VIEW revenue_cube AS SELECT d_year, c_region, s_region, p_mfgr,
		GROUPING(d_year, c_region, s_region, p_mfgr) AS level, sum(lo_revenue) AS revenue, count(*) AS orders
		FROM star GROUP BY CUBE (d_year, c_region, s_region, p_mfgr)`)
	return e
}

// run runs a statement without rows.
func (e *engine) run(t *testing.T, text string) {
	t.Helper()
	if _, err := e.session.Query(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// overStar makes a query over the joined star of one over its tables. Without
// groups it gets those of the partitions, by which PostgreSQL pushes them down.
func overStar(text string) string {
	var lines []string
	word := "WHERE "
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		condition, ok := strings.CutPrefix(line, "WHERE ")
		if !ok {
			condition, ok = strings.CutPrefix(line, "  AND ")
		}
		switch {
		case strings.HasPrefix(line, "FROM "):
			line = "FROM star"
		case ok && strings.HasPrefix(condition, "lo_") && strings.HasSuffix(condition, "key"):
			continue
		case ok:
			line, word = word+condition, "  AND "
		}
		lines = append(lines, line)
	}
	text = strings.Join(lines, "\n")
	if !strings.Contains(text, "GROUP BY") {
		text = "SELECT sum(revenue) AS revenue FROM (SELECT d_year, " + strings.TrimPrefix(text, "SELECT ") + " GROUP BY d_year) AS years"
	}
	return text
}

// agree compares the answers of the front and of the single engine.
func agree(t *testing.T, front *wire, single *engine, text string) {
	t.Helper()
	got, err := front.Query(t.Context(), text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	want, err := single.Query(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := reference.Compare(got, want, false); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

// pushed counts the aggregates that a query has the servers make.
func pushed(t *testing.T, front *wire, text string) int {
	t.Helper()
	plan, err := front.Query(t.Context(), "EXPLAIN (VERBOSE) "+text)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, row := range plan.Rows {
		if strings.Contains(row[0].Text, "Relations: Aggregate on (public.star_") {
			n++
		}
	}
	return n
}

func TestDistributed(t *testing.T) {
	c := startCluster(t)
	front, single := c.front(t), c.single(t)
	for _, q := range workload.SSBQueries() {
		text := overStar(q.SQL)
		agree(t, front, single, text)
		// Q3.3 and Q3.4 ask for two cities on either side, of which hardly a row is
		// expected at this scale: there is nothing to save.
		if n := pushed(t, front, text); n == 0 && q.Name != "Q3.3" && q.Name != "Q3.4" {
			t.Errorf("%s: no aggregate is pushed down", q.Name)
		}
	}
	for _, text := range distributedQueries {
		agree(t, front, single, text)
	}
	if _, err := front.Query(t.Context(), "ANALYZE star_1993"); err != nil {
		t.Error(err)
	}
	c.kill(t, front, single)
}

// distributedQueries need of the servers what SSB does not: joins in front and
// behind, lists, functions, ordered and limited scans, parameters of rescans.
var distributedQueries = []string{
	"SELECT d_year, c_region, s_region, p_mfgr, level, revenue::numeric, orders::numeric FROM revenue_cube",
	"SELECT sum(lo_extendedprice * lo_discount) AS revenue FROM lineorder, date WHERE lo_orderdate = d_datekey AND d_year = 1993 AND lo_discount BETWEEN 1 AND 3 AND lo_quantity < 25",
	"SELECT count(*) FROM star WHERE lo_discount IN (1, 2, 3) AND c_region NOT IN ('ASIA', 'EUROPE') AND lo_orderpriority LIKE '1%' AND c_name !~ '7$'",
	"SELECT d_year, avg(lo_discount), min(c_city), count(DISTINCT c_nation), sum(lo_tax) FILTER (WHERE lo_tax > 3) FROM star GROUP BY d_year HAVING count(*) > 5",
	"SELECT s_name, c_name FROM supplier LEFT JOIN customer ON s_city = c_city AND c_custkey < 100 ORDER BY s_name, c_name LIMIT 7",
	"SELECT upper(c_region) AS region, length(c_name) AS l, count(*) FROM customer WHERE c_custkey % 3 = 0 AND c_name || 'x' <> 'y' AND c_custkey IS DISTINCT FROM 6 GROUP BY 1, 2",
	"SELECT count(*) FROM customer c WHERE EXISTS (SELECT 1 FROM supplier s WHERE s.s_nation = c.c_nation AND s.s_suppkey < 5)",
}

// kill ends a node while its rows are read, and brings it back.
func (c *cluster) kill(t *testing.T, front *wire, single *engine) {
	t.Helper()
	if _, err := front.Query(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"DECLARE c CURSOR FOR SELECT * FROM lineorder", "FETCH 1 FROM c"} {
		if _, err := front.Query(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	pid, err := os.ReadFile(filepath.Join(c.dir, "node3.pid"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	// Each of its years has more rows than are fetched at a time.
	if res, err := front.Query(t.Context(), "FETCH ALL FROM c"); err == nil {
		t.Errorf("%d rows without the node that was killed", len(res.Rows))
	}
	if _, err := front.Query(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	const everywhere = "SELECT d_year, sum(lo_revenue) FROM star GROUP BY d_year"
	if res, err := front.Query(t.Context(), everywhere); err == nil {
		t.Errorf("an answer of %d rows without the node that was killed", len(res.Rows))
	}
	agree(t, front, single, "SELECT d_year, sum(lo_revenue) FROM star WHERE d_year = 1993 GROUP BY d_year")
	c.script(t, "node", "--node", "3/3", "--listen", fmt.Sprintf("localhost:%d", c.firstPort+2))
	agree(t, front, single, everywhere)
}
