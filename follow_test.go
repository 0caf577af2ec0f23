package cubeloom_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

var followSteps = flag.Int("follow.steps", 30, "number of random changes of each hierarchy")

// followed is a kind of hierarchy whose versions are compared with what is computed anew.
type followed struct{ name, element, weight, on string }

var followedKinds = []followed{
	{"whole", "integer", "integer", " ON whole_elements (id)"},
	{"cents", "text", "numeric(5,2)", ""},
	{"plain", "bigint", "", ""},
	{"halves", "date", "double precision", " ON halves_elements (id)"},
}

// TestHierarchiesFollow changes edges and elements at random, in transactions that are
// rolled back and others, and compares the rows with those of a hierarchy that is made anew.
func TestHierarchiesFollow(t *testing.T) {
	for seed, k := range followedKinds {
		t.Run(k.name, func(t *testing.T) {
			db, err := cubeloom.Open(cubeloom.Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			h := &history{followed: k, s: db.Session(), rng: rand.New(rand.NewPCG(uint64(seed), 14))}
			h.create(t)
			for range *followSteps {
				h.step(t)
			}
			t.Logf("%d statements refused", h.refused)
		})
	}
}

type history struct {
	followed
	s       *cubeloom.Session
	rng     *rand.Rand
	open    bool
	refused int
}

func (h *history) create(t *testing.T) {
	weight, columns := "", "(child, parent)"
	if h.weight != "" {
		weight, columns = ", weight "+h.weight, "(child, parent, weight)"
	}
	run(t, h.s, fmt.Sprintf("CREATE TABLE %s_edges (child %s, parent %[2]s%[3]s)", h.name, h.element, weight))
	run(t, h.s, fmt.Sprintf("CREATE TABLE %s_elements (id %s)", h.name, h.element))
	run(t, h.s, fmt.Sprintf("CREATE HIERARCHY %s FROM %[1]s_edges %[2]s%[3]s", h.name, columns, h.on))
	var ids, edges []string
	for n := range 120 {
		ids = append(ids, "("+h.key(n)+")")
		if n > 0 {
			edges = append(edges, h.edge(n, h.rng.IntN(n)))
		}
	}
	run(t, h.s, fmt.Sprintf("INSERT INTO %s_elements VALUES %s", h.name, strings.Join(ids, ", ")))
	run(t, h.s, fmt.Sprintf("INSERT INTO %s_edges VALUES %s", h.name, strings.Join(edges, ", ")))
	h.compare(t)
}

// key is an element, whose order is not that of the numbers.
func (h *history) key(n int) string {
	switch h.element {
	case "text":
		return fmt.Sprintf("'e%d'", n)
	case "date":
		return fmt.Sprintf("date '2024-01-01' + %d", n*37%401)
	}
	return fmt.Sprint(n * 37 % 401)
}

func (h *history) edge(child, parent int) string {
	switch weight := fmt.Sprint(float64(h.rng.IntN(9)-2) / 4); h.weight {
	case "":
		return fmt.Sprintf("(%s, %s)", h.key(child), h.key(parent))
	case "integer":
		return fmt.Sprintf("(%s, %s, %d)", h.key(child), h.key(parent), h.rng.IntN(5)-1)
	default:
		return fmt.Sprintf("(%s, %s, %s)", h.key(child), h.key(parent), weight)
	}
}

// step runs a statement, which may be refused.
func (h *history) step(t *testing.T) {
	a, b := h.rng.IntN(140), h.rng.IntN(140)
	if a < b && h.rng.IntN(8) > 0 {
		a, b = b, a
	}
	var text string
	switch h.rng.IntN(12) {
	case 0, 1, 2:
		text = fmt.Sprintf("INSERT INTO %s_edges VALUES %s", h.name, h.edge(a, b))
	case 3:
		text = fmt.Sprintf("INSERT INTO %s_edges VALUES %s, %s, %s", h.name, h.edge(a, b), h.edge(a, b), h.edge(max(a, b)+1, a))
	case 4, 5:
		text = fmt.Sprintf("DELETE FROM %s_edges WHERE child = %s", h.name, h.key(a))
	case 6:
		text = fmt.Sprintf("UPDATE %s_edges SET parent = %s WHERE child = %s", h.name, h.key(b), h.key(a))
	case 7:
		text = fmt.Sprintf("INSERT INTO %s_elements VALUES (%s)", h.name, h.key(120+a))
	case 8:
		text = fmt.Sprintf("DELETE FROM %s_elements WHERE id = %s", h.name, h.key(120+a))
	case 9, 10:
		text = "BEGIN"
		if h.open {
			text = []string{"COMMIT", "ROLLBACK"}[h.rng.IntN(2)]
		}
		h.open = !h.open
	default:
		text = fmt.Sprintf("UPDATE %s_edges SET child = child WHERE child >= %s", h.name, h.key(a))
	}
	if h.open && text != "BEGIN" {
		run(t, h.s, "SAVEPOINT s")
	}
	if _, err := h.s.Query(t.Context(), text); err != nil {
		if c := code(err); c != "23514" && c != "23503" {
			t.Fatalf("%s: %v", text, err)
		}
		h.refused++
		if h.open {
			run(t, h.s, "ROLLBACK TO s")
		}
	}
	h.compare(t)
}

// compare compares the rows with those of a hierarchy that is made anew.
func (h *history) compare(t *testing.T) {
	t.Helper()
	name := fmt.Sprintf("%s_anew", h.name)
	columns := "(child, parent, weight)"
	if h.weight == "" {
		columns = "(child, parent)"
	}
	if !h.open {
		run(t, h.s, "BEGIN")
	}
	run(t, h.s, "SAVEPOINT anew")
	run(t, h.s, fmt.Sprintf("CREATE HIERARCHY %s FROM %s_edges %s%s", name, h.name, columns, h.on))
	got, want := run(t, h.s, "SELECT * FROM "+h.name), run(t, h.s, "SELECT * FROM "+name)
	run(t, h.s, "ROLLBACK TO anew")
	if !h.open {
		run(t, h.s, "ROLLBACK")
	}
	if got != want {
		t.Fatalf("gave\n%s\nwant\n%s", got, want)
	}
}

// TestWaitingForRowsEnds holds that who waits for rows of a hierarchy that another computes
// can be ended by a time limit.
func TestWaitingForRowsEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	db, err := cubeloom.Open(cubeloom.Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s := db.Session()
	run(t, s, "CREATE TABLE chain (child integer, parent integer)")
	run(t, s, "CREATE HIERARCHY long FROM chain (child, parent)")
	run(t, s, "INSERT INTO chain SELECT g, g + 1 FROM generate_series(1, 2500) AS x(g)")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = cubeloom.Open(cubeloom.Options{DataDir: dir, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	first, second := db.Session(), db.Session()
	run(t, second, "SET statement_timeout = 20")
	computed := make(chan error, 1)
	go func() {
		_, err := first.Query(context.Background(), "SELECT count(*) FROM long")
		computed <- err
	}()
	time.Sleep(20 * time.Millisecond)
	refused(t, second, "57014", "SELECT count(*) FROM long")
	select {
	case err := <-computed:
		t.Errorf("the second ended behind the first: %v", err)
	default:
	}
	if err := <-computed; err != nil {
		t.Error(err)
	}
	if got := cells(t, first, "SELECT count(*) FROM long"); got != "3128751" {
		t.Error(got)
	}
}
