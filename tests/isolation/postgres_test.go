//go:build reference

package isolation

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// TestPostgres has PostgreSQL behind the same clients: what the checker finds there
// is a mistake of the checker.
func TestPostgres(t *testing.T) {
	ctx := context.Background()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	connect := func(ctx context.Context) (*pgconn.PgConn, error) {
		return pgconn.Connect(ctx, "host="+pg.Dir()+" user=postgres dbname=postgres options='-c deadlock_timeout=10ms -c client_min_messages=error'")
	}
	checkServer(t, connect)
	checkWriteSkew(t, connect)
}
